import { afterAll, beforeAll, expect, test } from 'vitest';
import { natsRequest as request } from '../testing/nats-request.ts';
import { type NatsService, startNats } from './nats.ts';

/** An installation may be part of the first start. */
const START_TIMEOUT_MS = 180_000;

let one: NatsService;
let two: NatsService;

beforeAll(async () => {
  [one, two] = await Promise.all([startNats(), startNats({ config: 'max_payload: 4096' })]);
}, START_TIMEOUT_MS);

afterAll(() => Promise.all([one?.stop(), two?.stop()]));

test('JetStream is on, and settings reach the server', async () => {
  expect(await settingsOf(one)).toMatchObject({ max_payload: 1_048_576 });
  expect(await settingsOf(two)).toMatchObject({ max_payload: 4096 });
  expect(await request(two, '$JS.API.INFO')).toMatchObject({ streams: 0 });
});

test('it listens on the loopback interface only', async () => {
  expect(await settingsOf(one)).toMatchObject({ host: '127.0.0.1', http_host: '127.0.0.1' });
  expect(one.url).toBe(`nats://127.0.0.1:${one.port}`);
});

test('a killed server has lost nothing that it acknowledged when it runs again', async () => {
  const stream = { name: 'KEPT', subjects: ['kept'], storage: 'file' };
  await request(one, '$JS.API.STREAM.CREATE.KEPT', JSON.stringify(stream));
  expect(await request(one, 'kept', '7')).toEqual({ stream: 'KEPT', seq: 1 });
  await one.kill();
  await expect(request(one, '$JS.API.INFO')).rejects.toThrow('ECONNREFUSED');
  await one.restart();
  expect(await request(one, '$JS.API.STREAM.INFO.KEPT')).toMatchObject({ state: { messages: 1 } });
});

async function settingsOf({ host, ports }: NatsService): Promise<unknown> {
  return (await fetch(`http://${host}:${ports[1]}/varz`)).json();
}
