import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePorts } from './services/free-ports.ts';
import { until } from './services/until.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
import { virtualClock } from './virtual-clock.ts';

const clock = virtualClock();
const clients: Socket[] = [];
let served: Socket[] = [];
let echo: Server;
let proxy: TcpProxy;

beforeEach(async () => {
  served = [];
  echo = createServer((socket) => {
    served.push(socket.on('error', () => {}));
    socket.pipe(socket);
  });
  const [port = 0] = await freePorts(1);
  await once(echo.listen(port, '127.0.0.1'), 'listening');
  proxy = await startTcpProxy({ port, clock });
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await proxy.stop();
  for (const socket of served) socket.destroy();
  if (echo.listening) await once(echo.close(), 'close');
});

/** A client that remembers what it got, and how it ends: by the code of an error, or by nothing. */
async function dial() {
  const socket = connect({ host: proxy.host, port: proxy.port });
  const fate = new Promise<string | undefined>((resolve) => {
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    socket.once('close', () => resolve(undefined));
  });
  const client = Object.assign(socket, { got: '', fate });
  clients.push(client);
  client.on('data', (bytes) => {
    client.got += bytes;
  });
  await once(client, 'connect');
  return client;
}

/** An answer has come back, so bytes that went the same way earlier are through as well. */
async function echoed(client: { got: string }, text: string): Promise<void> {
  if (!(await until(() => client.got === text, { timeoutMs: 5_000, everyMs: 1 }))) {
    expect(client.got).toBe(text);
  }
}

test('passes bytes both ways, and the end of the stream after them', async () => {
  const client = await dial();
  client.end('hello');
  expect(await client.fate).toBe(undefined);
  expect(client.got).toBe('hello');
  expect(await until(() => proxy.connections === 0, { timeoutMs: 5_000 })).toBe(true);
});

test('resets the client when the target is gone', async () => {
  await once(echo.close(), 'close');
  const client = await dial();
  expect(await client.fate).toBe('ECONNRESET');
});

test('cuts what is open and takes new connections', async () => {
  const [one, two] = await Promise.all([dial(), dial()]);
  one.write('a');
  two.write('b');
  await Promise.all([echoed(one, 'a'), echoed(two, 'b')]);
  expect(proxy.connections).toBe(2);
  proxy.cut();
  expect(await Promise.all([one.fate, two.fate])).toEqual(['ECONNRESET', 'ECONNRESET']);
  const three = await dial();
  three.write('c');
  await echoed(three, 'c');
});

test('stalls old and new connections, and loses nothing', async () => {
  const before = await dial();
  before.write('1');
  await echoed(before, '1');
  proxy.stall();
  const during = await dial();
  before.write('2');
  during.write('3');
  // Nothing can be awaited that does not happen; round trips elsewhere show that there was time for it.
  await roundTrips();
  expect([before.got, during.got]).toEqual(['1', '']);
  await proxy.pass();
  await Promise.all([echoed(before, '12'), echoed(during, '3')]);
});

test('stalls what is already on its way with a delay', async () => {
  const client = await dial();
  proxy.delay(100);
  client.write('late');
  await timerIsSet();
  proxy.stall();
  const [server] = served;
  clock.tick(100);
  await roundTrips();
  expect(server?.bytesRead).toBe(0);
  await proxy.pass();
  await echoed(client, 'late');
});

test('delays each direction, by the clock it was given', async () => {
  const client = await dial();
  client.write('now');
  await echoed(client, 'now');
  proxy.delay(100);
  client.write('!');
  await timerIsSet();
  clock.tick(99);
  expect(clock.pendingTimers).toBe(1);
  clock.tick(1);
  // The server has answered, and the answer waits in its turn.
  await timerIsSet();
  expect(client.got).toBe('now');
  clock.tick(100);
  await echoed(client, 'now!');
  expect(clock.pendingTimers).toBe(0);
});

test('keeps the order when the delay shrinks', async () => {
  const client = await dial();
  proxy.delay(100);
  client.write('first');
  await timerIsSet();
  await proxy.pass();
  client.write(' second');
  await roundTrips();
  expect(client.got).toBe('');
  clock.tick(100);
  await echoed(client, 'first second');
});

test('forgets delayed bytes of a connection that is cut', async () => {
  const client = await dial();
  proxy.delay(100);
  client.write('lost');
  await timerIsSet();
  proxy.cut();
  expect(await client.fate).toBe('ECONNRESET');
  expect(await until(() => clock.pendingTimers === 0, { timeoutMs: 5_000 })).toBe(true);
});

test('refuses new connections, lets old ones be, and accepts again on the same port', async () => {
  const old = await dial();
  old.write('a');
  await echoed(old, 'a');
  proxy.refuse();
  await expect(dial()).rejects.toThrow('ECONNREFUSED');
  old.write('b');
  await echoed(old, 'ab');
  await proxy.pass();
  const fresh = await dial();
  fresh.write('c');
  await echoed(fresh, 'c');
});

test('frees its port when it stops, also while it refuses', async () => {
  const client = await dial();
  proxy.refuse();
  await proxy.stop();
  expect(await client.fate).toBe('ECONNRESET');
  await once(createServer().listen(proxy.port, '127.0.0.1').close(), 'close');
});

async function timerIsSet(): Promise<void> {
  expect(await until(() => clock.pendingTimers === 1, { timeoutMs: 5_000, everyMs: 1 })).toBe(true);
}

/** More round trips past the proxy than one through it takes. */
async function roundTrips(): Promise<void> {
  const address = echo.address();
  if (address === null || typeof address === 'string') throw new Error('Not listening on TCP');
  const direct = connect({ host: '127.0.0.1', port: address.port });
  clients.push(direct);
  for (let trip = 0; trip < 20; trip++) {
    direct.write('ping');
    await once(direct, 'data');
  }
}

test('a redirected proxy leads new connections to another port, and leaves open ones', async () => {
  const other = createServer((socket) => socket.end('other'));
  const [port = 0] = await freePorts(1);
  await once(other.listen(port, '127.0.0.1'), 'listening');
  const before = await dial();
  proxy.redirect(port);
  const after = await dial();
  await echoed(after, 'other');
  before.write('same');
  await echoed(before, 'same');
  await once(other.close(), 'close');
});
