-- Made by src/schema, where the comments are; a test compares it.
create or replace function redrive.write_block(p_seq bigint, p_at bigint, p_writer text, p_records text) returns void
language plpgsql volatile as $$
declare
  v_chain text := coalesce(nullif(current_setting('redrive.chain_redrive', true), ''), concat(p_writer, '.', p_seq, ' '));
  v_writer text := split_part(v_chain, ' ', 1);
  v_head text := split_part(v_chain, ' ', 2);
  v_body text := concat('[', p_records, ']');
  v_hash text := encode(sha256(convert_to(concat(v_head, E'\n', v_body), 'UTF8')), 'hex');
begin
  insert into redrive.audit_blocks (seq, at, epoch, writer, prev_hash, hash, body)
  values (p_seq, p_at, (select e.epoch from redrive.epochs e), v_writer, v_head, v_hash, v_body);
  perform set_config('redrive.chain_redrive', concat(v_writer, ' ', v_hash), false);
end $$;

-- The number that all of them are, or a JSON array of them.
create or replace function redrive.alike(p_numbers bigint[]) returns text language plpgsql immutable as $$
begin
  return case when p_numbers[1] = all(p_numbers) then p_numbers[1]::text else array_to_json(p_numbers)::text end;
end $$;

-- A block outside of every chain.
create or replace function redrive.write_leaf(p_seq bigint, p_at bigint, p_records text) returns void
language plpgsql volatile as $$
declare
  v_body text := concat('[', p_records, ']');
begin
  insert into redrive.audit_blocks (seq, at, epoch, writer, prev_hash, hash, body)
  values (p_seq, p_at, (select e.epoch from redrive.epochs e), 'leaf', '', encode(sha256(convert_to(concat(E'\n', v_body), 'UTF8')), 'hex'), v_body);
end $$;
