import {
  headers,
  type Msg,
  type NatsConnection,
  type SubscriptionOptions,
} from '@nats-io/transport-node';
import { systemClock } from '@redrive/core';
import { expect, onTestFinished, test } from 'vitest';
import { NatsConsumption } from './consumption.ts';

test('a request without a sign of life is repeated on another inbox; one with signs of life is not', async () => {
  const requests: string[] = [];
  const inboxes = new Map<string, SubscriptionOptions['callback']>();
  const repeated = Promise.withResolvers<void>();
  // The part of a connection that a consumption uses.
  const connection = {
    flush: async () => {},
    subscribe: (inbox: string, { callback }: SubscriptionOptions) => {
      inboxes.set(inbox, callback);
      return { getSubject: () => inbox, drain: async () => void inboxes.delete(inbox) };
    },
    publish: (_: string, body: string, { reply }: { readonly reply: string }) => {
      requests.push(reply);
      expect(JSON.parse(body)).toMatchObject({ batch: 10, idle_heartbeat: 1_000_000_000 });
      if (requests.length === 2) repeated.resolve();
    },
  } as unknown as NatsConnection;
  const from = {
    stream: 'ORDERS',
    consumer: 'orders',
    look: () => Promise.reject(new Error('no leader')),
    makeRoom: async () => {},
  };
  const consumption = new NatsConsumption(connection, from, { prefetch: 10 }, async () => {});
  onTestFinished(() => consumption.stop());
  const startedMs = systemClock.monotonic();
  const heartbeat = { data: new Uint8Array(), headers: headers(100, 'Idle Heartbeat') };
  // For two seconds. The client passes null where there is no error.
  for (const delayMs of [1_000, 2_000]) {
    const beat = () => inboxes.get(requests[0] ?? '')?.(null as never, heartbeat as unknown as Msg);
    systemClock.setTimer(delayMs, beat);
  }
  await repeated.promise;
  expect(systemClock.monotonic() - startedMs, '2.5 s after the last sign of life').toBeGreaterThan(
    4_000,
  );
  expect([...inboxes.keys()]).toEqual([requests[1]]);
  expect(requests[1]).not.toBe(requests[0]);
});
