import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Every job fails twice and is a dead letter. One after another, so that no two of them share a call. */
const program = `
  import { jobsOn } from '@redrive/durable';
  import { openStore } from '@redrive/sqlite';
  const store = await openStore(process.env.STORE);
  const run = () => { throw new Error('down'); };
  const jobs = jobsOn(store, { down: { policy: { maxAttempts: 2, baseDelayMs: 1 }, run } });
  await jobs.start();
  for (let n = 0; n < Number(process.env.JOBS); n += 1) {
    await jobs.wait(await jobs.enqueue('down', n)).catch(() => undefined);
  }
  await jobs.stop();
  await store.close();
`;

/** The first jobs also start the worker, open the store and fill caches: their calls are subtracted. */
const FIRST_JOBS = 5;
const MORE_JOBS = 60;

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}

/** Calls of each function, by file. Files are named as in ARCHITECTURE.md: `jobs/jobs-on`, `sqlite: writer/claim`. */
type Calls = ReadonlyMap<string, ReadonlyMap<string, number>>;

async function callsOf(jobs: number, directory: string): Promise<Calls> {
  const NODE_V8_COVERAGE = join(directory, `coverage-${jobs}`);
  const STORE = join(directory, `${jobs}.db`);
  const env = { ...process.env, NODE_V8_COVERAGE, STORE, JOBS: String(jobs) };
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    cwd: root,
    env,
  });
  const calls = new Map<string, Map<string, number>>();
  // One report per thread.
  for (const name of await readdir(NODE_V8_COVERAGE)) {
    const text = await readFile(join(NODE_V8_COVERAGE, name), 'utf8');
    // Written by Node.
    const { result } = JSON.parse(text) as Coverage;
    for (const { url, functions } of result) {
      const [, owner, file] = /\/packages\/(\w+)\/(?:dist|src)\/(.*)\.[jt]s$/.exec(url) ?? [];
      if (file === undefined) continue;
      const place = owner === 'durable' ? file : `${owner}: ${file}`;
      const counts = calls.get(place) ?? new Map<string, number>();
      calls.set(place, counts);
      for (const { functionName, ranges } of functions) {
        const key = `${functionName} ${ranges[0]?.startOffset}`;
        counts.set(key, (counts.get(key) ?? 0) + (ranges[0]?.count ?? 0));
      }
    }
  }
  return calls;
}

/** Files with a function that runs at least once for each job. */
function filesPerJob(before: Calls, after: Calls): string[] {
  return [...after]
    .filter(([file, counts]) =>
      [...counts].some(([key, count]) => count - (before.get(file)?.get(key) ?? 0) >= MORE_JOBS),
    )
    .map(([file]) => file);
}

it('a job goes from enqueue to its dead letter through the files that ARCHITECTURE.md lists and counts', async () => {
  const text = await readFile(join(root, 'ARCHITECTURE.md'), 'utf8');
  const section = /### A job, file by file\n([\s\S]*?)\nOn Postgres/.exec(text)?.[1] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  const listed = new Set(
    rows.flatMap((row) =>
      [...row.matchAll(/`((?:\w+: )?[\w-]+\/[\w-]+)`/g)].map(([, file]) => file ?? ''),
    ),
  );
  expect(listed.size).toBeGreaterThan(20);
  expect(listed.size).toBeLessThanOrEqual(25);
  const atMost = Number(/functions of more than (\d+) files/.exec(section)?.[1]);

  const directory = await mkdtemp(join(tmpdir(), 'redrive-flow-'));
  try {
    const before = await callsOf(FIRST_JOBS, directory);
    const after = await callsOf(FIRST_JOBS + MORE_JOBS, directory);
    const ran = filesPerJob(before, after);
    expect([...listed].filter((file) => !ran.includes(file))).toEqual([]);
    expect(
      ran.length,
      `more files than ARCHITECTURE.md says:\n${ran.sort().join('\n')}`,
    ).toBeLessThanOrEqual(atMost);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
