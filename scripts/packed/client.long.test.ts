import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { memoryStore } from '@redrive/durable';
import { AccessFile, startServer } from '@redrive/server';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The program of a user who has the tarball alone. A wrong field or type must not compile. */
const PROGRAM = `
import { createClient, isClientError, type QueuesListAnswer } from '@redrive/client';

const [url = '', token = ''] = process.argv.slice(2);
const client = createClient({ url, token, timeoutMs: 10_000 });

await client.queues.pause({ scope: 'queue', name: 'slow', reason: 'maintenance' });
// @ts-expect-error
void (() => client.queues.pause({ scope: 'queue', nmae: 'slow' }));
// @ts-expect-error
void (() => client.kill.engage({ scope: 'all', confirm: 'all' }));
const { queues }: QueuesListAnswer = await client.queues.list();
const shown = queues.map(({ queue, paused }) => ({ queue, paused }));
// @ts-expect-error
void ((): number => queues);
const refused = await client.gates
  .release({ dependency: 'search', reason: 'raised' })
  .catch((error: unknown) => (isClientError(error) ? [error.code, error.status] : []));
const problems = await client.workers
  .list({ limit: 0 })
  .catch((error: unknown) => (isClientError(error) ? error.problems.map(({ field }) => field) : []));
const stopped = await client.queues
  .list({}, { signal: AbortSignal.abort(new Error('left')) })
  .catch((error: Error) => error.message);
const steps: unknown[] = [];
for await (const step of client.audit.verify()) steps.push(step);
console.log(JSON.stringify({ queues: shown, refused, problems, stopped, last: steps.at(-1) }));
declare const process: { readonly argv: readonly string[] };
`;

const started = promisify(execFile);
/** Rejects with what the program printed, if its exit code is not 0. The server of this process answers meanwhile. */
const run = (cwd: string, file: string, ...args: readonly string[]) => started(file, args, { cwd });

test('a program with the tarball alone compiles, reads, acts, is refused and follows a stream', async () => {
  const home = mkdtempSync(join(tmpdir(), 'redrive-client-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const own = join(home, 'own');
  mkdirSync(own);
  writeFileSync(join(own, 'package.json'), '{ "type": "module", "private": true }');
  const pack = ['pack', '--silent', '--pack-destination', home];
  const { stdout: tarball } = await run(join(root, 'packages/client'), 'npm', ...pack);
  await run(own, 'npm', 'install', '--ignore-scripts', '--offline', join(home, tarball.trim()));
  const { stdout: installed } = await run(own, 'npm', 'ls', '--all', '--parseable');
  expect(installed.trim().split('\n')).toHaveLength(2); // The project and the client.

  writeFileSync(join(own, 'program.ts'), PROGRAM);
  const flags = '--strict --exactOptionalPropertyTypes --target es2024 --module nodenext';
  const types = ['--lib', 'es2024,dom,dom.iterable', '--types', ''];
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await run(
    own,
    process.execPath,
    tsc,
    '--ignoreConfig',
    ...flags.split(' '),
    ...types,
    'program.ts',
  );

  const store = memoryStore();
  const access = new AccessFile(join(home, 'access.json'));
  const token = await access.createToken({ name: 'ann', role: 'admin' });
  const server = await startServer({ store, access, port: 0 });
  onTestFinished(() => server.close());
  const { stdout, stderr } = await run(own, process.execPath, 'program.js', server.url, token);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    queues: expect.arrayContaining([{ queue: 'slow', paused: true }]),
    refused: ['not_found', 404],
    problems: ['limit'],
    stopped: 'left',
    last: expect.objectContaining({ ok: true }),
  });
});
