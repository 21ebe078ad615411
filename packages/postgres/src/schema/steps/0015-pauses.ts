/**
 * A pause is a kill switch whose key begins with `pause:`. The view is for processes of the version before, which read
 * pauses and call the function `pause` to write them: drop both when `worksFrom` is above 14.
 */
export function pausesAsDocuments(s: string): string {
  return `
    lock table ${s}.pauses in access exclusive mode;
    insert into ${s}.controls
      select 'kill', concat('pause:', replace(p.scope, 'handler', 'operation'), ':', p.name),
        r.revision + row_number() over (order by p.since, p.scope, p.name),
        json_strip_nulls(json_build_object('mode', 'finish', 'sinceMs', p.since, 'by', p.paused_by, 'why', p.why))
      from ${s}.pauses p cross join (select * from ${s}.control_revision for update) r;
    update ${s}.control_revision r set revision = r.revision + p.count, documents = r.documents + p.count
      from (select count(*) as count from ${s}.pauses) p;
    drop table ${s}.pauses;
    create view ${s}.pauses as
      select case split_part(c.key, ':', 2) when 'queue' then 'queue' else 'handler' end as scope,
        regexp_replace(c.key, '^pause:(queue|operation):', '') as name,
        (c.document::json ->> 'sinceMs')::bigint as since,
        c.document::json ->> 'by' as paused_by,
        c.document::json ->> 'why' as why
      from ${s}.controls c where c.kind = 'kill' and c.key ~ '^pause:(queue|operation):';`;
}
