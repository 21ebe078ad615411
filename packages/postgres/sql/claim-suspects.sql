-- Names the candidates that have lost too many leases. If there are any, the next looks leave all of them out, so that
-- any number of them hides no other job. A claim whose candidates are all safe does not call it.
create or replace function redrive.suspects(p_tids tid[], p_max_losses integer) returns json
language plpgsql volatile as $$
begin
  return (
    select json_agg(json_build_object('id', c.id, 'losses', c.losses) order by c.ord)
    from (
      select j.id, redrive.losses(j.lease_lost, j.account) as losses, t.ord
      from unnest(p_tids) with ordinality as t(tid, ord) join redrive.jobs j on j.ctid = t.tid
      where redrive.losses(j.lease_lost, j.account) > p_max_losses order by t.ord limit 64 /* MAX_SUSPECTS */) c);
end $$;

-- Leases that a job has lost in a row: lossesOf of durable. In the text of its account, the ninth number counts those that
-- were not charged, the eleventh is clearedLosses. A text that has a ninth number is at least 17 characters long. It may be
-- damaged: that must not end a claim. The planner puts this function into the statements that call it.
create or replace function redrive.losses(lease_lost integer, account text) returns integer
language sql immutable as $$
  select lease_lost + case when coalesce(octet_length(account), 0) < 17 then 0
    else coalesce(substring(split_part(account, ',', 9) from '^[0-9]{1,9}$')::integer, 0)
      - coalesce(substring(split_part(account, ',', 11) from '^[0-9]{1,9}$')::integer, 0) end
$$;
