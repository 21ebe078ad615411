import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { runMain } from '../packages/cli/src/testing/run-main.ts';
import { scratchDirectory } from '../packages/cli/src/testing/scratch-directory.ts';

// The section "Procedures" of the page, as an operator goes through it: every command in its order.
const root = dirname(import.meta.dirname);
const page = readFileSync(join(root, 'docs/how-to/sweep-stuck-documents.md'), 'utf8');
const section = page.slice(page.indexOf('## Procedures'), page.indexOf('## Watch it'));
const commands = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, text = '']) =>
  text.trim().split('\n'),
);

const FAILED = 'failed_max_retries';

test('every command of the procedures works: check, trigger, export, reset, purge', async () => {
  const directory = scratchDirectory(onTestFinished);
  const file = join(directory, 'docs.db');
  const yaml = `version: "1.1.0"
buses: { main: { url: "store:" } }
jobs: { handlers: { parse: { command: ["true"] } } }
events: { sources: { parsing: { bus: main, subject: archive.ingested, handler: parse } } }
sweeps: { collections: { archives: { source: "sqlite:${file}", bus: main } } }
`;
  const place = scratchDirectory(onTestFinished, { 'redrive.yaml': yaml });
  const db = new DatabaseSync(file);
  onTestFinished(() => db.close());
  db.exec(
    `CREATE TABLE archives (_id TEXT PRIMARY KEY, archive_id TEXT, status TEXT, attemptCount INTEGER, lastAttemptTime INTEGER)`,
  );
  const insert = db.prepare(
    'INSERT INTO archives (_id, archive_id, status, attemptCount) VALUES (?, ?, ?, ?)',
  );
  insert.run('a-1', 'a-1', 'pending', 0);
  insert.run('a-2', 'a-2', FAILED, 3);
  const statusOf = (id: string) =>
    db.prepare('SELECT status FROM archives WHERE _id = ?').get(id)?.status;
  const run = async (line: string) => {
    const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, word]) => quoted ?? word ?? '',
    );
    const ran = await runMain(words.slice(1), { directory: place });
    expect(ran, line).toMatchObject({ exitCode: 0 });
    return ran.stdout;
  };
  await run('redrive store migrate');
  await run('redrive sweep init');
  // Two sweeps have found it.
  const at = '2026-05-01T12:00:00.000Z';
  const mark = JSON.stringify({ foundAt: at, firstStuckAt: at });
  db.prepare("UPDATE archives SET retry_sweep = ? WHERE _id = 'a-1'").run(mark);
  // The fields are the application's own: its database can count them.
  const pending = `SELECT count(*) AS n FROM archives
    WHERE status IN ('pending', 'processing') AND lastAttemptTime IS NULL`;
  expect(db.prepare(pending).get()?.n).toBe(1);
  expect(commands).toHaveLength(7);
  for (const line of commands) {
    // What was reset is not failed any more: the next document is.
    if (line.includes('purge')) insert.run('a-3', 'a-3', FAILED, 3);
    const stdout = await run(line);
    if (line.includes('stuck list')) expect(stdout).toContain('a-1');
    if (line.includes('run --once')) {
      const attempts = "SELECT attemptCount AS n FROM archives WHERE _id = 'a-1'";
      expect(db.prepare(attempts).get()?.n).toBe(1);
    }
    if (line.includes('export')) {
      expect(readFileSync(join(place, 'archives_failed.jsonl'), 'utf8')).toContain('a-2');
    }
    if (line.includes('reset')) expect(statusOf('a-2')).toBe('pending');
    if (line.includes('purge')) expect(statusOf('a-3')).toBeUndefined();
  }
});
