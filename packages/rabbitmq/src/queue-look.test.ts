import { EventEmitter } from 'node:events';
import type { Channel } from 'amqplib';
import { expect, test } from 'vitest';
import type { Link } from './connection.ts';
import { QueueLook } from './queue-look.ts';

/** The part of a link that looks use. The server has one queue with these settings, and compares them in this order. */
function linkTo(settings: Readonly<Record<string, string | number>>) {
  const counts = { channels: 0, declarations: 0 };
  const createChannel = async () => {
    counts.channels += 1;
    const checkQueue = async () => ({ messageCount: 7 });
    return Object.assign(new EventEmitter(), { checkQueue, close: async () => {} });
  };
  const assertQueue: Channel['assertQueue'] = async (queue, options) => {
    counts.declarations += 1;
    const given: Record<string, unknown> = options?.arguments;
    const compared = [...Object.keys(settings), 'x-queue-leader-locator'];
    const name = compared.find((each) => given[each] !== settings[each]);
    const type = typeof settings[name ?? ''] === 'number' ? 'signedint' : 'longstr';
    const current = `the value '${settings[name ?? '']}' of type '${type}'`;
    const text = `inequivalent arg '${name}' for queue '${queue}': received none but current is ${current}`;
    throw Object.assign(new Error(text), { code: 406 });
  };
  const link = {
    get: async () => ({ createChannel }),
    onChannel: async (run: (channel: Pick<Channel, 'assertQueue'>) => Promise<unknown>) =>
      run({ assertQueue }),
  };
  return { counts, link: link as unknown as Link };
}

test('ten looks at a queue: one channel, and its settings are asked for once', async () => {
  const settings = { 'x-queue-type': 'quorum', 'x-delivery-limit': 5 };
  const { counts, link } = linkTo(settings);
  const look = new QueueLook(link, 'orders');
  const { signal } = new AbortController();
  const found = { waiting: 7, durable: true, autoDelete: false, arguments: settings };
  for (let times = 0; times < 10; times++) expect(await look.look(signal)).toEqual(found);
  expect(counts).toEqual({ channels: 1, declarations: 3 });
  look.forget();
  expect(await look.look(signal)).toEqual(found);
  expect(counts).toEqual({ channels: 1, declarations: 6 });
});

test('a look that does not end in time leaves its channel: the next one opens another', async () => {
  const { counts, link } = linkTo({});
  const look = new QueueLook(link, 'orders');
  const stalled = new AbortController();
  await look.look(stalled.signal);
  stalled.abort();
  await look.look(new AbortController().signal);
  expect(counts.channels).toBe(2);
});
