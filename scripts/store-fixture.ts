// `npm run store-fixture -- sqlite|postgres`: runs jobs in an empty store and dumps it into the package's
// `src/testing/version-<schema version>.sql`. Tests migrate the dump of every version. Do not write the dump of a released
// version again: it is the evidence that stores of that version can still be read.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { openTarget } from './crash/open-target.ts';
import { type Place, withPlace } from './crash/place.ts';
import { dumpSqlite } from './store-fixture/dump-sqlite.ts';
import { runJobs } from './store-fixture/run-jobs.ts';

const DUMP_TIMEOUT_MS = 60_000;

const [kind] = process.argv.slice(2);
if (kind !== 'sqlite' && kind !== 'postgres') {
  console.error('Say which store: npm run store-fixture -- sqlite|postgres');
  process.exit(2);
}
const { version, sql } = await withPlace(kind, async (place) => {
  const store = await openTarget(place.target);
  await runJobs(store);
  await store.close();
  return kind === 'sqlite' ? ofSqlite(place) : await ofPostgres(place);
});
const file = join(import.meta.dirname, `../packages/${kind}/src/testing/version-${version}.sql`);
writeFileSync(file, `-- Made by \`npm run store-fixture -- ${kind}\`.\n${sql}`);
console.log(`Written: ${file}`);

function ofSqlite({ databaseFile }: Place) {
  const db = new DatabaseSync(databaseFile, { readOnly: true });
  try {
    const { user_version: version } = db.prepare('PRAGMA user_version').get() ?? {};
    return { version, sql: dumpSqlite(db) };
  } finally {
    db.close();
  }
}

/** Without the functions: a migration replaces them. */
async function ofPostgres({ target }: Place) {
  const client = new Client({ connectionString: target });
  await client.connect();
  const { rows } = await client.query<{ version: number }>('select version from redrive.meta');
  await client.query(`do $$ declare f regprocedure; begin
    for f in select oid from pg_proc where pronamespace = 'redrive'::regnamespace loop
      execute format('drop function %s cascade', f);
    end loop;
  end $$`);
  await client.end();
  const args = [target, '--schema=redrive', '--inserts', '--no-owner', '--no-privileges'];
  const { stdout } = await promisify(execFile)('pg_dump', args, { timeout: DUMP_TIMEOUT_MS });
  return { version: rows[0]?.version, sql: readable(stdout) };
}

/** Without comments, empty lines, and commands of \`psql\` and of later servers. */
function readable(dump: string): string {
  const isKept = (line: string): boolean =>
    line !== '' && !/^(?:--|\\|SET |SELECT pg_catalog\.set_config)/u.test(line);
  return `${dump.split('\n').filter(isKept).join('\n')}\n`;
}
