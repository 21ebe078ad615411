-- Made by src/schema, where the comments are; a test compares it.
create or replace function redrive.regroup(
  p_now bigint, p_seq bigint, p_ids text[], p_generations integer[], p_fingerprints text[], p_patterns text[],
  p_renames boolean[], p_details text[])
returns table (moved text, records text)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  v_now bigint;
  v_seqs bigint[] := array(
    select f.seq from unnest(p_ids, p_generations) as o(id, generation)
    join redrive.ids i on i.id = o.id join redrive.finished f on f.seq = i.seq
    where f.generation = coalesce(o.generation, f.generation) and f.state in ('dead')
    order by f.seq for update of f);
begin
  v_now := coalesce(p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
  if cardinality(v_seqs) > 0 then
    perform redrive.keep_groups(p_fingerprints, p_patterns);
    update redrive.dead_groups g set pattern = coalesce(o.pattern, '')
    from unnest(p_fingerprints, p_patterns, p_renames) as o(fingerprint, pattern, rename)
    where o.rename and g.fingerprint = o.fingerprint collate "C";
  end if;
  return query
  update redrive.finished f set revision = f.revision + 1, audit_block = coalesce(p_seq, 0), fingerprint = o.fingerprint,
        previous_block = f.audit_block
  from unnest(p_ids, p_fingerprints, p_details) as o(id, fingerprint, detail)
  where f.seq = any(v_seqs) and f.id = o.id
  returning f.id, case when p_seq is not null then concat_ws(',', '[' || to_json(f.id)::text, f.revision,
        '"regroup","dead","dead"', v_now, f.token, f.generation, f.executions, f.previous_block,
        o.detail || ']') end;
end $$;
