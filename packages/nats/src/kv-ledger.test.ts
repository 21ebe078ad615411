import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import { type RetryRecord, syncSink } from '@redrive/core';
import { RetryManager } from '@redrive/core/manager';
import { virtualClock } from '@redrive/testkit';
import { ledgerConformance } from '@redrive/testkit/conformance/ledger';
import { leaseActor, onceSchedules } from '@redrive/testkit/conformance/once-schedules';
import { type NatsService, startNats } from '@redrive/testkit/services';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest';
import { type NatsLedgerOptions, natsLedger } from './kv-ledger.ts';

let server: NatsService;
let buckets = 0;

beforeAll(async () => {
  server = await startNats();
}, 180_000);

afterAll(() => server?.stop());

function open(options: NatsLedgerOptions = {}) {
  buckets += 1;
  return natsLedger(server.url, { bucket: `ledger-${buckets}`, ...options });
}

describe('the ledger on JetStream KV', () => {
  ledgerConformance(
    async () => {
      const clock = virtualClock();
      const ledger = open({ now: () => clock.now() });
      return { ledger, clock, close: () => ledger.close() };
    },
    { describe, it },
    'quick',
  );
});

test('in 160 orders of crash, pause and late retry, an effect whose other side knows the key happens once', async () => {
  const clock = virtualClock();
  const ledger = open({ now: () => clock.now() });
  onTestFinished(() => ledger.close());
  const effects = new Map<string, number>();
  const act = async (key: string) => void effects.set(key, 1);
  const counts = await onceSchedules({
    actor: (key) => leaseActor(ledger, key, act),
    expire: () => clock.advance(1_001),
    effects: async (key) => effects.get(key) ?? 0,
  });
  expect(counts).toEqual({ schedules: 160, duplicated: [], lost: [] });
});

test('of twenty callers at once, one takes over a key whose lease has expired', async () => {
  const clock = virtualClock();
  const ledger = open({ now: () => clock.now() });
  onTestFinished(() => ledger.close());
  const request = { fingerprint: '', leaseMs: 1_000 };
  await ledger.reserve('k', request);
  await clock.advance(1_001);
  const all = await Promise.all(Array.from({ length: 20 }, () => ledger.reserve('k', request)));
  expect(all.filter(({ state }) => state === 'reserved')).toHaveLength(1);
  expect(all.filter(({ state }) => state === 'in_progress')).toHaveLength(19);
});

test('the timestamps of the server decide when a lease has expired', async () => {
  const ledger = open();
  onTestFinished(() => ledger.close());
  const request = { fingerprint: '', leaseMs: 60_000 };
  const first = await ledger.reserve('long', request);
  const second = await ledger.reserve('long', request);
  expect(second).toMatchObject({ state: 'in_progress' });
  const left = second.state === 'in_progress' ? second.leaseLeftMs : 0;
  expect(left).toBeGreaterThan(50_000);
  expect(left).toBeLessThanOrEqual(60_000);
  const short = await ledger.reserve('short', { ...request, leaseMs: 1 });
  const again = await ledger.once({ key: 'short', leaseMs: 1_000 }, (token) => token);
  expect(first.state === 'reserved' && short.state === 'reserved').toBe(true);
  expect(again).toBeGreaterThan(short.state === 'reserved' ? short.token : Infinity);
});

test('results survive a kill of the server, and max_age is the retention', async () => {
  const ledger = open({ retentionMs: 3_600_000 });
  onTestFinished(() => ledger.close());
  expect(await ledger.once({ key: 'paid' }, () => 'receipt 7')).toBe('receipt 7');
  await server.kill();
  await server.restart();
  const later = natsLedger(server.url, { bucket: `ledger-${buckets}` });
  onTestFinished(() => later.close());
  expect(await later.once({ key: 'paid' }, () => 'paid twice')).toBe('receipt 7');
  const connection = await connect({ servers: server.url });
  onTestFinished(() => connection.close());
  const kv = await new Kvm(connection).open(`ledger-${buckets}`);
  expect((await kv.status()).streamInfo.config).toMatchObject({
    max_age: 3_600_000_000_000,
    max_msgs_per_subject: 1,
    allow_direct: false,
  });
});

test('calls to the bucket run under their categories', async () => {
  const records: RetryRecord[] = [];
  const events = syncSink((record) => records.push(record));
  const ledger = open({ manager: new RetryManager({ events }) });
  onTestFinished(() => ledger.close());
  await ledger.once({ key: 'k' }, () => 1);
  await ledger.clear('k');
  const request = { fingerprint: '', leaseMs: 60_000 };
  await ledger.reserve('held', request);
  await ledger.reserve('held', request);
  const categories = records.flatMap(({ session }) => session?.category ?? []);
  expect([...new Set(categories)].sort()).toEqual([
    'RETRY_KV_CREATE',
    'RETRY_KV_DELETE',
    'RETRY_KV_GET',
    'RETRY_KV_PUT',
    'RETRY_NATS_CONNECT',
  ]);
  const ofTheClock = records.flatMap((record) =>
    record.kind === 'session_ended' && record.session.operation.endsWith('of the clock')
      ? `${record.session.category}, ${record.session.operation}`
      : [],
  );
  expect(ofTheClock, 'the time of the server, read for a key that is held').toEqual([
    'RETRY_KV_PUT, KV_PUT of the clock',
    'RETRY_KV_GET, KV_GET of the clock',
  ]);
});
