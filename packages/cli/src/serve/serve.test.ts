import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { memoryStore } from '@redrive/durable';
import type { DocumentSource } from '@redrive/durable/documents';
import { expect, onTestFinished, test } from 'vitest';
import type { ScreenStream } from '../terminal/screen.ts';
import { documentsWithAll, SWEEPS_CONFIG } from '../testing/document-place.ts';
import { type RunOptions, runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';
import { runningWorker, workerPlace } from '../testing/worker-place.ts';

/** `redrive serve`, until a signal comes. */
function serving(
  args: readonly string[],
  {
    config,
    documents,
    env = {},
    stream = {},
    before = async () => undefined,
  }: {
    readonly before?: (given: RunOptions) => Promise<unknown>;
    readonly stream?: ScreenStream;
    readonly config?: string;
    readonly documents?: DocumentSource;
    readonly env?: Readonly<Record<string, string>>;
  } = {},
) {
  const files = config === undefined ? {} : { 'redrive.yaml': config };
  const directory = scratchDirectory(onTestFinished, files);
  const given = { directory, env, store: memoryStore(), stream, ...(documents && { documents }) };
  const first = Promise.withResolvers<string>();
  let send: (signal: 'SIGINT' | 'SIGTERM') => void = () => {};
  const ran = before(given).then(() =>
    runMain(['serve', ...args], {
      ...given,
      onStdout: (text) => first.resolve(text),
      onSignals: (sender) => {
        send = sender;
      },
    }),
  );
  void ran.then(({ stderr }) => first.resolve(stderr));
  return { ran, first: first.promise, given, signal: (name: 'SIGINT' | 'SIGTERM') => send(name) };
}

async function takenPort(): Promise<number> {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  return (other.address() as AddressInfo).port; // It listens on TCP.
}

const codeOf = (link: string) => new URL(link).hash.replace('#code=', '');

test.each(['SIGINT', 'SIGTERM'] as const)(
  'on a terminal the first line of redrive serve is the address to open; %s ends it in order',
  async (name) => {
    const { ran, first, given, signal } = serving(['--port', '0'], { stream: { isTTY: true } });
    const link = (await first).trim();
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#code=[\w-]{43}$/);
    const { origin } = new URL(link);
    const begin = () =>
      fetch(`${origin}/v1/sign-in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code: codeOf(link) }),
      });
    expect((await begin()).status).toBe(200);
    expect((await begin()).status).toBe(401);
    const made = await runMain(['tokens', 'create', '--role', 'viewer', '--name', 'ann'], given);
    const token = made.stdout.trim();
    const who = async () => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${origin}/v1/me`, { headers });
      return [answer.status, ((await answer.json()) as { name?: string }).name];
    };
    expect(await who()).toEqual([200, 'ann']);
    const revoked = await runMain(['token', 'revoke', 'ann'], given);
    expect(revoked.stdout).toBe('The token ann is revoked.\n');
    expect(await who()).toEqual([401, undefined]);
    signal(name);
    expect((await ran).exitCode).toBe(0);
    await expect(fetch(origin)).rejects.toThrow('fetch failed');
  },
);

test('without a terminal no link is printed; redrive console link prints one that works once', async () => {
  const { first, ran, given, signal } = serving(['--port', '0']);
  const url = (await first).trim();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const link = (...args: string[]) => runMain(['console', 'link', ...args], given);
  const made = await link('--url', url);
  expect([made.exitCode, made.stdout.trim()]).toEqual([0, expect.stringMatching(`^${url}/#code=`)]);
  const begin = async () => {
    const answer = await fetch(`${url}/v1/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: codeOf(made.stdout.trim()) }),
    });
    return answer.status;
  };
  expect([await begin(), await begin()]).toEqual([200, 401]);
  for (const wrong of ['http://redrive.example.org', 'ftp://127.0.0.1', 'x']) {
    expect((await link('--url', wrong)).exitCode).toBe(2);
  }
  const nowhere = await link('--url', `http://127.0.0.1:${await takenPort()}`);
  expect([nowhere.exitCode, nowhere.stderr]).toEqual([0, expect.stringContaining('No console')]);
  await runMain(['tokens', 'create', '--role', 'viewer'], given);
  const refused = await link('--url', url);
  expect([refused.exitCode, refused.stdout, refused.stderr]).toEqual([
    ...[4, '', expect.stringContaining('has tokens, so there are no links')],
  ]);
  signal('SIGTERM');
  expect((await ran).stderr).toContain(`To sign in: redrive console link --url ${url}\n`);
});

test('where tokens or a proxy exist no link is printed, not even on a terminal', async () => {
  const proxy = 'server: { proxy: { addresses: [10.1.0.7], roles: { viewer: ["*"] } } }';
  for (const config of [undefined, `version: "1.1.0"\n${proxy}\n`]) {
    const options = { stream: { isTTY: true }, ...(config && { config }) };
    const { first, given, signal, ran } = serving(['--port', '0'], {
      ...options,
      before: async (place) => {
        if (config === undefined) await runMain(['tokens', 'create', '--role', 'viewer'], place);
      },
    });
    const url = (await first).trim();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const refused = await runMain(['console', 'link', '--url', url], given);
    expect([refused.exitCode, refused.stdout]).toEqual([4, '']);
    signal('SIGTERM');
    const { stderr } = await ran;
    expect(stderr).toContain(config ? 'Sign in at the proxy' : 'Sign in with a token');
    expect(stderr).not.toContain('console link');
  }
});

test('--json prints the address, the link and the access file', async () => {
  const { first, ran, given, signal } = serving(['--port', '0', '--json']);
  const { url, link, access_file } = JSON.parse(await first);
  expect([url, link]).toEqual([expect.stringMatching(/^http:\/\/127/), null]);
  expect(access_file).toBe(`${given.directory}/redrive.db.access.json`);
  signal('SIGTERM');
  await ran;
});

test('a port that is in use is a clear error', async () => {
  const port = await takenPort();
  const { exitCode, stderr } = await serving(['--port', String(port)]).ran;
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    `The HTTP API cannot be served on port ${port}: another process uses it.\nChoose another port`,
  );
});

test('beyond loopback it needs a token', async () => {
  const { exitCode, stderr } = await serving(['--port', '0', '--host', '0.0.0.0']).ran;
  expect(exitCode).toBe(1);
  expect(stderr).toContain('Create a token: redrive tokens create --role admin');
});

test('a trusted proxy of redrive.yaml names users, with the secret of the environment', async () => {
  const config = `version: "1.1.0"
server: { proxy: { addresses: [127.0.0.1], roles: { viewer: ["*"] }, secret_env: PROXY_SECRET } }
`;
  const missing = await serving(['--port', '0'], { config }).ran;
  expect([missing.exitCode, missing.stderr]).toEqual([
    ...[1, expect.stringContaining('needs the variable PROXY_SECRET, which is not set')],
  ]);
  const env = { PROXY_SECRET: 'of the proxy' };
  const args = ['--port', '0', '--json'];
  const { first, ran, signal } = serving(args, { config, env });
  const { url } = JSON.parse(await first);
  const ask = async (secret: string) => {
    const headers = { 'x-forwarded-user': 'ann', 'x-redrive-proxy-secret': secret };
    return (await fetch(`${url}/v1/me`, { headers })).status;
  };
  expect([await ask('of the proxy'), await ask('')]).toEqual([200, 401]);
  signal('SIGTERM');
  await ran;
});

test('redrive start --console serves the console beside the worker, and prints no link without a terminal', async () => {
  const place = workerPlace(onTestFinished);
  const worker = runningWorker(onTestFinished, place, ['--console', '0', '--health-port', 'off']);
  const { url } = await worker.line('console.listening');
  expect((await fetch(`${url}/v1/health`)).status).toBe(200);
  const { id } = await place.client.enqueue('mail', { failures: 1 });
  await worker.line('retry.succeeded', ({ job }) => job === id);
  worker.signal('SIGTERM');
  const { exitCode, stderr, stdout } = await worker.ran;
  expect(exitCode).toBe(0);
  // Both are kept, and others read them.
  expect(stdout + stderr).not.toContain('#code=');
  await expect(fetch(String(url))).rejects.toThrow('fetch failed');
});

test('redrive start --console: a port that is in use is a warning, and the worker works', async () => {
  const place = workerPlace(onTestFinished);
  const port = await takenPort();
  await place.client.enqueue('mail', {});
  const { exitCode, stdout } = await place.start([
    ...['--console', String(port), '--until-idle', '--json'],
  ]);
  expect(exitCode).toBe(0);
  const lines = stdout.split('\n');
  const [warning = ''] = lines.filter((line) => line.includes('console.unavailable'));
  expect(JSON.parse(warning)).toMatchObject({
    level: 'warn',
    msg: expect.stringContaining(`port ${port}: another process uses it`),
  });
  expect(stdout).toContain('1 succeeded');
});

test('redrive serve opens the databases of swept collections, and answers with the checks of doctor', async () => {
  const documents = documentsWithAll();
  const { ran, first, given, signal } = serving(['--port', '0'], {
    config: `version: "1.1.0"\nbuses: { main: { url: "nats://127.0.0.1:4222" } }${SWEEPS_CONFIG}`,
    documents,
  });
  const { origin } = new URL((await first).trim());
  const made = await runMain(['tokens', 'create', '--role', 'viewer', '--name', 'ann'], given);
  const headers = { authorization: `Bearer ${made.stdout.trim()}` };
  const look = async (path: string) => (await fetch(origin + path, { headers })).json();
  expect(await look('/v1/stuck')).toMatchObject({ documents: [{ id: 'a-17' }] });
  const { checks } = (await look('/v1/doctor')) as { checks: { name: string; result: string }[] };
  expect(checks).toContainEqual({ name: 'clock', result: 'ok' });
  expect(checks.map(({ name }) => name)).not.toContain('rows');
  signal('SIGTERM');
  await ran;
});
