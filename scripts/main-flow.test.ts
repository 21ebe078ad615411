import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

const program = `
  import { jobsOn } from '@redrive/durable';
  import { openStore } from '@redrive/sqlite';
  const store = await openStore(process.env.STORE);
  const run = () => { throw new Error('down'); };
  const jobs = jobsOn(store, { down: { policy: { maxAttempts: 2, baseDelayMs: 1 }, run } });
  await jobs.start();
  const die = async () => jobs.wait(await jobs.enqueue('down', 1)).catch(() => undefined);
  await die();
  await jobs.stop();
  await store.close();
`;

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

/** Files that ran a function, as ARCHITECTURE.md names them: `jobs/jobs-on`, `sqlite: writer/claim`. */
async function filesThatRan(directory: string): Promise<ReadonlySet<string>> {
  const files = new Set<string>();
  for (const name of await readdir(directory)) {
    // Written by Node.
    const { result } = JSON.parse(await readFile(join(directory, name), 'utf8')) as Coverage;
    for (const { url, functions } of result) {
      const [, owner, file] = /\/packages\/(\w+)\/(?:dist|src)\/(.*)\.[jt]s$/.exec(url) ?? [];
      const ran = functions.some(({ functionName, ranges }) => {
        // Constructors run at the start, whether the job needs their class or not.
        const isMethod = /^[#a-z]/.test(functionName);
        return isMethod && (ranges[0]?.count ?? 0) > 0;
      });
      if (ran) files.add(owner === 'durable' ? `${file}` : `${owner}: ${file}`);
    }
  }
  return files;
}

it('a job goes from enqueue to its dead letter through the files that ARCHITECTURE.md lists', async () => {
  const text = await readFile(join(root, 'ARCHITECTURE.md'), 'utf8');
  const table = /### A job, file by file\n([\s\S]*?)\n\n[^|]*\n\nOn Postgres/.exec(text)?.[1] ?? '';
  const rows = table.split('\n').filter((line) => line.startsWith('| '));
  const listed = new Set(
    rows.flatMap((row) =>
      [...row.matchAll(/`((?:\w+: )?[\w-]+\/[\w-]+)`/g)].map(([, file]) => file),
    ),
  );
  expect(listed.size).toBeGreaterThan(20);
  expect(listed.size).toBeLessThanOrEqual(25);

  const directory = await mkdtemp(join(tmpdir(), 'redrive-flow-'));
  try {
    const env = {
      ...process.env,
      NODE_V8_COVERAGE: join(directory, 'coverage'),
      STORE: join(directory, 'redrive.db'),
    };
    const node = promisify(execFile);
    await node(process.execPath, ['--input-type=module', '-e', program], { cwd: root, env });
    const ran = await filesThatRan(env.NODE_V8_COVERAGE);
    expect([...listed].filter((file) => file === undefined || !ran.has(file))).toEqual([]);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
