import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RedisService, startRedis } from './redis.ts';

/** An installation may be part of the first start. */
const START_TIMEOUT_MS = 180_000;

let one: RedisService;
let two: RedisService;

beforeAll(async () => {
  [one, two] = await Promise.all([
    startRedis(),
    startRedis({ settings: { appendfsync: 'everysec' } }),
  ]);
}, START_TIMEOUT_MS);

afterAll(() => Promise.all([one?.stop(), two?.stop()]));

test('every write is synced by default, and settings reach the server', async () => {
  expect(await ask(one, 'CONFIG GET appendfsync')).toContain('always');
  expect(await ask(one, 'CONFIG GET appendonly')).toContain('yes');
  expect(await ask(two, 'CONFIG GET appendfsync')).toContain('everysec');
});

test('it listens on the loopback interface only', async () => {
  expect(await ask(one, 'CONFIG GET bind')).toContain('127.0.0.1');
  expect(one.url).toBe(`redis://127.0.0.1:${one.port}`);
});

test('a killed server has lost nothing that it acknowledged when it runs again', async () => {
  expect(await ask(one, 'SET kept 7')).toBe('+OK\r\n');
  await one.kill();
  await expect(ask(one, 'GET kept')).rejects.toThrow('ECONNREFUSED');
  await one.restart();
  expect(await ask(one, 'GET kept')).toBe('$1\r\n7\r\n');
});

function ask({ host, port }: RedisService, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port }, () => socket.write(`${command}\r\n`));
    socket.once('error', reject);
    socket.once('data', (reply) => {
      socket.destroy();
      resolve(reply.toString());
    });
  });
}
