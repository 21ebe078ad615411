/** Old blocks, compressed: they are in no row of `audit_blocks` any more. */
export function auditPacks(s: string): string {
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
