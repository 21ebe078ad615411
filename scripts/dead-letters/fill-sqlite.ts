import { DatabaseSync } from 'node:sqlite';

/** Longest tail of a distribution that a third power of an even one has: few kinds make up most of the letters. */
const TEMPLATE = `1 + CAST(:templates * r * r * r AS INTEGER)`;

/**
 * Multiplies the dead letters that are in a file until there are so many. The first `templates` jobs are the kinds; each
 * new letter is a copy of one of them with an id, a tenant and a time of its own. Straight into the tables, because
 * letting a million jobs die takes minutes.
 */
export function fillSqlite(path: string, templates: number, letters: number): void {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -500000; BEGIN IMMEDIATE');
  const columns = db
    .prepare("SELECT name FROM pragma_table_info('jobs')")
    .all()
    .map(({ name }) => String(name));
  const own: Readonly<Record<string, string>> = {
    n: '10000 + i',
    id: `printf('job-%08d-%06x', i, i * 7919 % 16777216)`,
    tenant: `CASE WHEN i % 10 < 3 THEN '' ELSE 'tenant-' || (i * 7919 % 2000) END`,
    submitted_at: ':now - (:letters - i) * 40 - 60000',
    finished_at: ':now - (:letters - i) * 40',
  };
  const values = columns.map((column) => own[column] ?? `t.${column}`);
  db.prepare(
    `WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < :letters),
       mixed AS (SELECT i, (i * 2654435761 % 4294967296) / 4294967296.0 AS r FROM numbers)
     INSERT INTO jobs (${columns.join(', ')})
     SELECT ${values.join(', ')} FROM mixed CROSS JOIN jobs t ON t.n = ${TEMPLATE}`,
  ).run({ letters, templates, now: Date.now() });
  db.exec(`
    DELETE FROM dead_letters;
    INSERT INTO dead_letters (died_at, id, n, lane, tenant, fingerprint, reason, error_class, session_id, tags)
      SELECT finished_at, id, n, lane, tenant, life ->> '$.fingerprint', life ->> '$.reason',
        life ->> '$.errorClass', NULL, spec -> '$.tags' FROM jobs WHERE finished_as = 5 ORDER BY finished_at, id;
    UPDATE lanes SET dead = (SELECT count(*) FROM dead_letters d WHERE d.lane = lanes.lane);
    COMMIT;
    PRAGMA wal_checkpoint(TRUNCATE);
  `);
  db.close();
}
