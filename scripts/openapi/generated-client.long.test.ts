import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { memoryStore } from '@redrive/durable';
import { AccessFile, startServer } from '@redrive/server';
import { expect, onTestFinished, test } from 'vitest';

const tsc = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');

/** What a user writes with the generated client. A wrong field or type must not compile. */
const PROGRAM = `
import { Api } from './client.js';

const [baseUrl = '', token = ''] = process.argv.slice(2);
const api = new Api({ baseUrl, baseApiParams: { headers: { authorization: 'Bearer ' + token }, format: 'json' } });

const paused = await api.v1.queuesPause({ scope: 'queue', name: 'slow', reason: 'maintenance' });
// @ts-expect-error
void (() => api.v1.queuesPause({ scope: 'queue', nmae: 'slow' }));
const { data } = await api.v1.queuesList();
const queues: readonly { readonly queue: string; readonly paused: boolean }[] = data.queues;
// @ts-expect-error
void ((): number => data.queues);
const refused = await api.v1
  .gatesRelease({ dependency: 'search', reason: 'raised' })
  .catch((answer) => answer.error);
const shown = queues.map(({ queue, paused }) => ({ queue, paused }));
console.log(JSON.stringify({ dry: paused.data.dry_run, queues: shown, code: refused.code }));
`;

const started = promisify(execFile);
/** Rejects with what the program printed, if its exit code is not 0. The server of this process answers meanwhile. */
const run = (cwd: string, args: readonly string[]) => started(process.execPath, args, { cwd });

test('a client that a generator makes of the description compiles, reads and acts', async () => {
  const home = mkdtempSync(join(tmpdir(), 'redrive-openapi-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  cpSync(join(import.meta.dirname, 'tools'), home, { recursive: true });
  await started('npm', ['ci', '--ignore-scripts'], { cwd: home });

  const store = memoryStore();
  const access = new AccessFile(join(home, 'access.json'));
  const token = await access.createToken({ name: 'ann', role: 'operator' });
  const server = await startServer({ store, access, port: 0 });
  onTestFinished(() => server.close());
  const headers = { authorization: `Bearer ${token}` };
  const description = await fetch(`${server.url}/v1/openapi.json`, { headers });
  writeFileSync(join(home, 'api.json'), await description.text());

  const generator = join(home, 'node_modules/swagger-typescript-api/dist/cli.mjs');
  await run(home, [generator, 'generate', '-p', 'api.json', '-o', '.', '-n', 'client.ts']);
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(home, 'program.ts'), PROGRAM);
  const flags = '--strict --target es2024 --lib es2024,dom,dom.iterable --module nodenext';
  const types = ['--typeRoots', join(import.meta.dirname, '../../node_modules/@types')];
  await run(home, [
    ...[tsc, '--ignoreConfig', ...flags.split(' '), ...types, '--types', 'node'],
    'program.ts',
  ]);

  const { stdout, stderr } = await run(home, ['program.js', server.url, token]);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    dry: false,
    queues: [{ queue: 'slow', paused: true }],
    code: 'not_found',
  });
});
