import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type HealthCheck, type Scrape, type Served, startHealthServer } from './health-server.ts';

async function serve(checks: readonly HealthCheck[], metrics?: Served['metrics']) {
  const server = await startHealthServer(0, { checks, metrics });
  onTestFinished(() => server.close());
  return (path: string, method = 'GET', headers = {}) =>
    fetch(`http://127.0.0.1:${server.port}${path}`, { method, headers });
}

test('a check that throws is not well; HEAD has no body; nothing else is answered', async () => {
  const fails = () => {
    throw new Error('out of order');
  };
  const ask = await serve([
    { name: 'a', check: () => undefined },
    { name: 'b', check: fails },
  ]);
  const ready = await ask('/readyz?verbose');
  expect([ready.status, await ready.text()]).toEqual([
    503,
    '[+]a ok\n[-]b out of order\nnot ready\n',
  ]);
  expect(ready.headers.get('cache-control')).toBe('no-store');
  const head = await ask('/readyz', 'HEAD');
  expect([head.status, await head.text()]).toEqual([503, '']);
  expect((await ask('/livez', 'POST')).status).toBe(405);
  for (const path of ['/', '//', '//[', '/%', '/livez/..//', '?']) {
    expect([path, (await ask(path)).status]).toEqual([path, 404]);
  }
});

test('/metrics has its own type by Accept, and says who looks; without metrics there is none', async () => {
  const scrapes: Scrape[] = [];
  const ask = await serve([], async (scrape) => {
    scrapes.push(scrape);
    return { contentType: 'text/plain; version=0.0.4; charset=utf-8', body: 'x 1\n' };
  });
  const answer = await ask('/metrics', 'GET', { accept: 'text/plain', 'user-agent': 'curl/8' });
  expect([answer.status, await answer.text()]).toEqual([200, 'x 1\n']);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(scrapes).toEqual([{ accept: 'text/plain', agent: 'curl/8', address: '127.0.0.1' }]);
  expect((await ask('/metrics', 'POST')).status).toBe(405);
  expect(await (await ask('/')).text()).toBe('not found: /livez, /readyz and /metrics are here\n');
  const without = await serve([]);
  expect((await without('/metrics')).status).toBe(404);
});

test('scrapers that are not answered yet leave room for probes', async () => {
  let answerAll: () => void = () => {};
  const waiting = new Promise<void>((resolve) => {
    answerAll = resolve;
  });
  const ask = await serve([], async () => {
    await waiting;
    return { contentType: 'text/plain', body: '' };
  });
  const scrapes = Array.from({ length: 100 }, () => ask('/metrics'));
  // Refused ones are answered at once.
  const refused = await Promise.race(scrapes);
  expect([refused.status, await refused.text()]).toEqual([503, 'too many scrapers at once\n']);
  expect((await ask('/livez')).status).toBe(200);
  answerAll();
  const statuses = (await Promise.all(scrapes)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(16);
});

test('a probe is answered beside a hundred connections that say nothing', async () => {
  const server = await startHealthServer(0, { checks: [] });
  onTestFinished(() => server.close());
  const silent = Array.from({ length: 100 }, () => connect(server.port, '127.0.0.1'));
  onTestFinished(() => silent.forEach((socket) => void socket.on('error', () => {}).destroy()));
  await Promise.all(silent.map((socket) => once(socket, 'connect')));
  expect((await fetch(`http://127.0.0.1:${server.port}/livez`)).status).toBe(200);
});

test.each(['/metrics', '/livez', '/readyz'])(
  '%s is refused under another host name',
  async (path) => {
    const metrics = async () => ({ contentType: 'text/plain', body: 'secret 1\n' });
    const { port, close } = await startHealthServer(0, { checks: [], metrics });
    onTestFinished(() => close());
    const under = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { host: `${host}:${port}` };
        request({ host: '127.0.0.1', port, path, headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
          .on('error', reject)
          .end();
      });
    expect(await under('attacker.example')).toBe(403);
    for (const own of ['localhost', '127.0.0.1', '[::1]']) expect(await under(own)).toBe(200);
  },
);
