-- Made by src/schema, where the comments are; a test compares it.
create or replace function redrive.check_epoch() returns void language plpgsql volatile as $$
begin
  update redrive.epochs e set epoch = e.epoch + 1 where exists (
    select from redrive.audit_blocks b
    where b.epoch = e.epoch and b.xid >= pg_snapshot_xmax(pg_current_snapshot()));
end $$;
