/**
 * Control documents: few and small. `control_revision` has one row, which every change of them locks first, and every
 * pause and resume: so there is one change at a time, and none that is reported twice. No change of a job touches it.
 *
 * `stops` has one row too: what pauses and kill switches keep from being claimed, as a claim needs it. It follows from the
 * two, and is written anew when one of them changes, which is rare; every claim reads it.
 */
export function controls(s: string): string {
  return `
    create table ${s}.controls (
      kind text collate "C" not null,
      key text collate "C" not null,
      revision bigint not null,
      document text not null,
      primary key (kind, key)
    );
    create table ${s}.control_revision (revision bigint not null, documents integer not null);
    insert into ${s}.control_revision values (0, 0);
    create table ${s}.stops (
      queues text[] not null,
      handlers text[] not null,
      tenants text[] not null,
      everything boolean not null
    );
    insert into ${s}.stops select
      array(select p.name from ${s}.pauses p where p.scope = 'queue'),
      array(select p.name from ${s}.pauses p where p.scope = 'handler'), '{}', false;

    -- Parked jobs of one cause, in the order in which they are released.
    alter table ${s}.jobs alter column cause type text collate "C";
    create index jobs_parked on ${s}.jobs (cause, priority desc, due_at, id) where state = 'parked';`;
}
