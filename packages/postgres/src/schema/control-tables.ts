/**
 * What operators and dependencies have said: few small documents. `control_revision` has one row, which every change of
 * them locks first, and every pause and resume: so there is one change at a time, and none that is told twice. No change
 * of a job touches it.
 *
 * `stops` has one row too: what pauses and kill switches keep from being claimed, as a claim needs it. It follows from the
 * two, and is written anew when one of them changes, which is rare; every claim reads it.
 */
export function controlTables(s: string): string {
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
    create index jobs_parked on ${s}.jobs (cause, priority desc, due_at, id) where state = 'parked';

    -- Claims read these tables: a role that could claim before can claim now.
    do $grants$
    declare
      g record;
    begin
      for g in
        select a.privilege_type, case when a.grantee = 0 then 'public' else a.grantee::regrole::text end as grantee
        from pg_class c cross join lateral aclexplode(c.relacl) a where c.oid = '${s}.pauses'::regclass
      loop
        execute format('grant %s on ${s}.controls, ${s}.control_revision, ${s}.stops to %s', g.privilege_type, g.grantee);
      end loop;
    end $grants$;`;
}
