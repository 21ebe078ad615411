-- Made by src/schema, where the comments are; a test compares it.
create or replace function redrive.suspects(p_tids tid[], p_max_losses integer) returns json
language plpgsql volatile as $$
begin
  return (
    select json_agg(json_build_object('id', c.id, 'losses', c.losses) order by c.ord)
    from (
      select j.id, (j.lease_lost + case when coalesce(octet_length(j.account), 0) < 17 then 0
  else coalesce(substring(split_part(j.account, ',', 9) from '^[0-9]{1,9}$')::integer, 0) - coalesce(substring(split_part(j.account, ',', 11) from '^[0-9]{1,9}$')::integer, 0) end) as losses, t.ord
      from unnest(p_tids) with ordinality as t(tid, ord) join redrive.jobs j on j.ctid = t.tid
      where (j.lease_lost + case when coalesce(octet_length(j.account), 0) < 17 then 0
  else coalesce(substring(split_part(j.account, ',', 9) from '^[0-9]{1,9}$')::integer, 0) - coalesce(substring(split_part(j.account, ',', 11) from '^[0-9]{1,9}$')::integer, 0) end) > p_max_losses order by t.ord limit 64) c);
end $$;
