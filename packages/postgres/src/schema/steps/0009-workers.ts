/** Workers that are alive, or were seen in the last day. */
export function workers(s: string): string {
  return `
    create table if not exists ${s}.workers (
      name text collate "C" primary key,
      since bigint not null,
      seen_at bigint not null,
      running integer not null,
      stopping boolean not null,
      facts text not null
    );`;
}
