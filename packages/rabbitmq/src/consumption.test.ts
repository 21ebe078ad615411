import { EventEmitter } from 'node:events';
import { RedriveError, systemClock } from '@redrive/core';
import { RetryManager } from '@redrive/core/manager';
import { BusCalls } from '@redrive/durable/store';
import { expect, test } from 'vitest';
import type { Link } from './connection.ts';
import { RabbitmqConsumption } from './consumption.ts';

test('pauses and resumes while the server is away: one loop opens the channel again', async () => {
  const channels: EventEmitter[] = [];
  const reopened = Promise.withResolvers<void>();
  const restored = Promise.withResolvers<void>();
  let isAway = false;
  let attempts = 0;
  const createChannel = async () => {
    const channel = Object.assign(new EventEmitter(), {
      prefetch: async () => {},
      consume: async () => {},
      close: async () => {},
    });
    channels.push(channel);
    if (channels.length === 2) reopened.resolve();
    return channel;
  };
  const get = async () => {
    attempts += 1;
    if (isAway) throw new RedriveError('bus_unavailable', 'away');
    return { createChannel };
  };
  const once = new RetryManager({ policies: { RETRY_API_REQUEST: { maxAttempts: 1 } } });
  const consumption = new RabbitmqConsumption(
    // The part of a link and of its channels that a consumption uses.
    { get } as unknown as Link,
    new BusCalls('amqp://nowhere', [], once),
    'orders',
    { prefetch: 1, notify: ({ kind }) => kind === 'restored' && restored.resolve() },
    async () => {},
  );
  await consumption.start();
  isAway = true;
  channels[0]?.emit('close');
  for (let times = 0; times < 4; times++) {
    await consumption.pause();
    consumption.resume();
    // A loop that begins now has failed once by then, and waits.
    await new Promise<void>((resolve) => systemClock.setTimer(0, resolve));
  }
  await consumption.pause();
  isAway = false;
  consumption.resume();
  await reopened.promise;
  expect(attempts, 'the first, one while the server is away, one after it').toBe(3);
  await restored.promise;
  await consumption.stop();
});
