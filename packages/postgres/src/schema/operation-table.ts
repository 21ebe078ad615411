/** Acts on many jobs, and how far they are. */
export function operationTable(s: string): string {
  return `
    create table ${s}.operations (
      id text collate "C" primary key,
      revision integer not null,
      request text not null,
      finished boolean not null,
      page text,
      acted integer not null,
      refused integer not null,
      begun_by text not null,
      why text,
      started_at bigint not null,
      updated_at bigint not null
    );`;
}
