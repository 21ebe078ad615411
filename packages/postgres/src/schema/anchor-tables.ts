/** The SQL of a block's place in the order of sealing: epoch, transaction and sequence number, as a text that sorts. */
export const POSITION = `concat(lpad(b.epoch::text, 4, '0'), '.', lpad(b.xid::text, 20, '0'), '.', lpad(b.seq::text, 16, '0')) collate "C"`;

/**
 * What sealing needs besides the blocks.
 *
 * `epochs` has one row. Transaction ids begin anew in another server that a dump was restored to; then the epoch is raised,
 * so that positions go on rising. Every connection that writes looks first (`check_epoch`): in the server that wrote a
 * block, whoever sees the block has a snapshot above its transaction.
 */
export function anchorTables(s: string): string {
  return `
    create table ${s}.epochs (epoch integer not null check (epoch between 1 and 9999));
    insert into ${s}.epochs values (1);
    create index audit_blocks_position on ${s}.audit_blocks (epoch, xid, seq);

    create table ${s}.audit_anchors (
      seq bigint primary key,
      from_position text collate "C" not null,
      to_position text collate "C" not null,
      blocks integer not null,
      root text not null,
      prev_hash text not null,
      hash text not null,
      at bigint not null
    );`;
}

export function epochFunction(s: string): string {
  return `
    create or replace function ${s}.check_epoch() returns void language plpgsql volatile as $$
    begin
      update ${s}.epochs e set epoch = e.epoch + 1 where exists (
        select from ${s}.audit_blocks b
        where b.epoch = e.epoch and b.xid >= pg_snapshot_xmax(pg_current_snapshot()));
    end $$;`;
}

/** Old blocks, compressed: they are in no row of `audit_blocks` any more. */
export function packTable(s: string): string {
  return `
    create table ${s}.audit_packs (
      seq bigint primary key,
      from_position text collate "C" not null,
      to_position text collate "C" not null,
      min_seq bigint not null,
      max_seq bigint not null,
      blocks integer not null,
      data bytea not null,
      hash text not null
    );
    -- It is compressed already.
    alter table ${s}.audit_packs alter column data set storage external;
    create index audit_packs_to on ${s}.audit_packs (to_position);
    create index audit_packs_numbers on ${s}.audit_packs (min_seq, max_seq);`;
}
