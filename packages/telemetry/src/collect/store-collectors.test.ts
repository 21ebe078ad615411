import { jobsOn, memoryStore } from '@redrive/durable';
import { reportSource } from '@redrive/durable/store';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { telemetry } from '../telemetry.ts';

function setUp() {
  const clock = virtualClock({ startMs: Date.parse('2026-01-29T12:00:00Z') });
  const memory = memoryStore({ clock });
  const store = {
    ...memory,
    snapshots: 0,
    readAudit() {
      store.snapshots += 1;
      return memory.readAudit();
    },
  };
  const metrics = telemetry({ store, clock, names: { services: ['chunking'] } });
  onTestFinished(() => metrics.close());
  const lines = async (prefix: string) => {
    clock.tick(5_000);
    const { body } = await metrics.scrape();
    return body.split('\n').filter((line) => line.startsWith(prefix));
  };
  return { clock, store, lines };
}

test('a source shows its counts, dead letters that never ran too', async () => {
  const { store, lines } = setUp();
  const counts = { handled: 1, stored: 3, duplicates: 2, deadLettered: 7, waiting: 4 };
  await reportSource(store, 'chunking', { state: 'running', ...counts });
  expect(await lines('redrive_source_')).toEqual([
    'redrive_source_stored_total{service="chunking"} 3',
    'redrive_source_duplicates_total{service="chunking"} 2',
    'redrive_source_dead_lettered_total{service="chunking"} 7',
    'redrive_source_waiting{service="chunking"} 4',
  ]);
});

test('seals are asked for with the pulse: no snapshot of the audit log is opened', async () => {
  const { clock, store, lines } = setUp();
  await jobsOn(store, { mail: () => 1 }, { clock }).enqueue('mail', null);
  await store.seal();
  const atSeconds = clock.now() / 1_000;
  expect(await lines('redrive_audit_')).toEqual([
    'redrive_audit_unsealed 0',
    'redrive_audit_anchors_total 1',
    `redrive_audit_last_seal_timestamp_seconds ${atSeconds}`,
  ]);
  expect(store.snapshots).toBe(0);
});
