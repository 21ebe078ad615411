-- Made by src/schema, where the comments are; a test compares it.
-- Makes causes known, and keeps them from being forgotten until the end of the transaction.
create or replace function redrive.keep_groups(p_fingerprints text[], p_patterns text[]) returns void
language plpgsql volatile as $$
declare
  v_wanted text[] := array(select distinct f collate "C" from unnest(p_fingerprints) as u(f) order by 1);
  v_locked integer;
begin
  loop
    perform from redrive.dead_groups g where g.fingerprint = any(v_wanted) order by g.fingerprint for key share;
    get diagnostics v_locked = row_count;
    exit when v_locked = coalesce(cardinality(v_wanted), 0);
    -- One that somebody else has deleted since is put back in the next round.
    insert into redrive.dead_groups (fingerprint, pattern)
    -- An empty text arrives as null.
    select distinct on (u.fingerprint collate "C") u.fingerprint, coalesce(u.pattern, '')
    from unnest(p_fingerprints, p_patterns) as u(fingerprint, pattern)
    order by u.fingerprint collate "C"
    on conflict do nothing;
  end loop;
end $$;

-- Keeps a payload that was replaced, and the newest of those before it.
create or replace function redrive.keep_payload(
  p_seq bigint, p_generation integer, p_payload text, p_bytes bytea, p_at bigint, p_by text) returns void
language plpgsql volatile as $$
begin
  insert into redrive.earlier_payloads values (p_seq, p_generation, p_payload, p_bytes, p_at, p_by);
  delete from redrive.earlier_payloads where seq = p_seq and generation <= (
    select e.generation from redrive.earlier_payloads e where e.seq = p_seq
    order by e.generation desc offset 10 limit 1);
end $$;
