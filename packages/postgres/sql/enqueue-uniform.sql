-- Made by src/schema, where the comments are; a test compares it.
create or replace function redrive.enqueue_uniform(
  p_now bigint, p_writer text, n_id text[], n_handler text, n_queue text, n_detail text, n_payload text, n_spec text)
returns text
language plpgsql volatile as $$
declare
  v_now bigint := coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
  p_seq bigint;
  v_records text;
  v_ids text[] := n_id;
  v_payloads text[] := string_to_array(n_payload, E'\x01', '');
  v_outcomes text[];
  v_tries integer := 0;
begin
  if p_writer is not null then
    p_seq := nextval('redrive.audit_seq');
  end if;
  while cardinality(v_ids) > 0 loop
    begin
      with n as materialized (
        select i.id, i.payload, null::bytea as payload_bytes, nextval('redrive.job_seq') as seq
        from unnest(v_ids, v_payloads) as i(id, payload)
      ), numbered as (
        insert into redrive.ids (id, seq) select n.id, n.seq from n
      ), accepted as (
        insert into redrive.jobs (
        seq, submitted_at, priority, id, handler, queue, tenant, spec, payload, state, revision, audit_block,
        token, generation_at, generation, claims, executions, failed, lease_lost, retry_count,
        cancel_requested, previous_block)
      select
        n.seq, v_now, 0, n.id, n_handler, n_queue, '', n_spec,
        case when octet_length(n.payload) <= 2000 then n.payload end, 'ready', 1, coalesce(p_seq, 0), 0, v_now,
        1, 0, 0, 0, 0, 0, false, 0
        from n
      ), large as (
        insert into redrive.payloads (seq, payload, payload_bytes)
        select n.seq, n.payload, n.payload_bytes from n where (octet_length(n.payload) > 2000 or octet_length(n.payload_bytes) > 2000)
      )
      select case when p_seq is not null then (
      select string_agg('[' || r.fields || ']', E',\n') from (
        select concat_ws(',', array_to_json(array_agg(n.id)), 1, '"enqueue",null,"ready"', v_now, 0, 1, 0, 0, n_detail) as fields
        from n having count(*) > 0) r) end into v_records;
      exit;
    exception when unique_violation then
      -- A conflict that this transaction cannot see would come again and again.
      v_tries := v_tries + 1;
      if v_tries > 10 then
        raise exception 'An id is in use by a job that this transaction cannot see' using errcode = '40001';
      end if;
      -- Some ids exist. The statement was undone, and runs again for the others.
      select array_agg(i.id order by i.ord) filter (where d.id is null),
        array_agg(i.payload order by i.ord) filter (where d.id is null),
        array_agg(case when d.id is null then 'created' else redrive.known_id(i.id, n_spec) end order by i.ord)
      into v_ids, v_payloads, v_outcomes
      from unnest(n_id, string_to_array(n_payload, E'\x01', '')) with ordinality as i(id, payload, ord)
        left join redrive.ids d on d.id = i.id;
    end;
  end loop;
  if v_records <> '' and p_writer is not null then
    perform redrive.write_block(p_seq, coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint), p_writer, v_records);
  end if;
  return case when v_outcomes is not null then json_build_array(v_outcomes, n_id)::text end;
end $$;
