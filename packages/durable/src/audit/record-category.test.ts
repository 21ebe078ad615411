import { retry } from '@redrive/core';
import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { auditSink } from './audit-sink.ts';
import { newestRecords } from './newest-records.ts';
import { RecordFilter } from './record-filter.ts';
import { recordedAttempts } from './recorded-attempts.ts';

const ID = 'RETRY_KV_GET';

test('category is a dimension of records: that of a call, or of the policy of a job', async () => {
  const clock = virtualClock({ startMs: Date.parse('2027-01-31T08:00:00Z') });
  const store = memoryStore({ clock });
  const run = () => 1;
  const handlers = {
    'kv.get': { policy: { id: ID }, run },
    'kv.put': { policy: { id: 'p' }, run },
  };
  const jobs = jobsOn(store, handlers, { clock, log: 'off' });
  const { id } = await jobs.enqueue('kv.get', 1);
  await jobs.enqueue('kv.put', 1);
  await jobs.start();
  await clock.advance(1_000);
  await jobs.stop();
  const events = auditSink(store, { clock });
  await retry(run, {}, { clock, events, operation: 'Get kill switch status', category: ID });
  await retry(run, {}, { clock, events, operation: 'Get kill switch status' });
  const closing = events.close();
  await clock.advance(1_000);
  await closing;
  const find = async (wishes: ConstructorParameters<typeof RecordFilter>[1]) => {
    const { found } = await newestRecords(store, new RecordFilter(store, wishes), 100);
    return found.map(({ record }) => record);
  };
  const inCategory = await find({ category: ID });
  const ofJob = inCategory.filter((record) => record.id === id).map((record) => record.event);
  expect(ofJob.toSorted()).toEqual(['claim', 'enqueue', 'settle']);
  expect(inCategory.filter(({ event }) => event === 'session')).toHaveLength(2);
  expect(inCategory).toHaveLength(5);
  // The name of the handler or the operation is no category.
  expect(await find({ category: 'kv' })).toEqual([]);
  expect(await find({ handler: 'Get kill switch status' })).toHaveLength(4);

  const attempts = [];
  for await (const { category } of recordedAttempts(store, { sinceMs: 0, untilMs: 8e12, clock }))
    attempts.push(category ?? null);
  expect(attempts.toSorted()).toEqual([ID, ID, null, null]);

  // Also where retention has deleted the job.
  const after = { succeededAfterMs: 0, cancelledAfterMs: 0, deadAfterMs: 0, purgedAfterMs: 0 };
  await store.apply([{ kind: 'prune', ...after, limit: 100, actor: { name: 'test' } }]);
  const pruned = await find({ category: ID, events: ['prune'] });
  expect(pruned.map(({ id: job }) => job)).toEqual([id]);
});
