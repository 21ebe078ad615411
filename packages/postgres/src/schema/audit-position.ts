/** The SQL of a block's place in the order of sealing: epoch, transaction and sequence number, as a text that sorts. */
export const POSITION = `concat(lpad(b.epoch::text, 4, '0'), '.', lpad(b.xid::text, 20, '0'), '.', lpad(b.seq::text, 16, '0')) collate "C"`;

/**
 * Every connection that writes calls it first. In the server that wrote a block, a transaction that sees the block has a
 * snapshot above the block's own; in another server, which a dump was restored to, the epoch is raised.
 */
export function epochFunction(s: string): string {
  return `
    create or replace function ${s}.check_epoch() returns void language plpgsql volatile as $$
    begin
      update ${s}.epochs e set epoch = e.epoch + 1 where exists (
        select from ${s}.audit_blocks b
        where b.epoch = e.epoch and b.xid >= pg_snapshot_xmax(pg_current_snapshot()));
    end $$;`;
}
