import { circuitBreaker, retry } from '@redrive/core';
import { auditSink } from '@redrive/durable/audit';
import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { jobStore, START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';

/** A job that is retried, and one that dies. */
async function withHistory() {
  const all = jobStore(virtualClock(START));
  const { jobs, work, store, clock } = all;
  const retried = await jobs.enqueue('mail', { failures: 1 });
  const dead = await jobs.enqueue('import', {});
  await work(70_000);
  /** The log's own names and the ids of the records that the filter finds. */
  const list = async (event: string): Promise<string[]> => {
    const args = ['audit', 'list', '--event', event, '--limit', '1000', '--json'];
    const { exitCode, stdout, stderr } = await runMain(args, { store, clock });
    expect([exitCode, stderr]).toEqual([0, '']);
    const { records } = JSON.parse(stdout) as { records: { id: string; event: string }[] };
    return records.map((record) => `${record.event} ${record.id}`);
  };
  return { ...all, list, retried: retried.id, dead: dead.id };
}

test('audit list --event retry_attempt: the names of the renderings are filters', async () => {
  const { list, retried, dead } = await withHistory();
  expect(await list('retry_attempt')).toEqual([`settle ${retried}`]);
  expect(await list('retry_success')).toEqual([`settle ${retried}`]);
  expect(await list('retry_exhausted')).toEqual([`settle ${dead}`]);
  expect(await list('retry_failure')).toEqual([`settle ${dead}`]);
  expect(await list('idempotency')).toEqual([]);
});

test('records of calls in process are found by the same names', async () => {
  const { store, clock, list, retried } = await withHistory();
  const events = auditSink(store, { clock });
  const call = async (sessionId: string, failures: number) => {
    let calls = 0;
    const done = retry(
      () => {
        calls += 1;
        if (calls <= failures) throw new Error(`attempt ${calls}`);
      },
      { id: 'calls', maxAttempts: 3 },
      { clock, events, sessionId },
    ).catch(() => {});
    await clock.advance(120_000);
    await done;
  };
  await call('at-once', 0);
  await call('second', 1);
  await call('never', 9);
  await events.close();
  expect(await list('retry_attempt')).toEqual([
    'session never',
    'session never',
    'session second',
    `settle ${retried}`,
  ]);
  expect(await list('retry_success')).toEqual(['session second', `settle ${retried}`]);
  expect((await list('retry_exhausted'))[0]).toBe('session never');
});

test('changes of breakers, of a process and of the store', async () => {
  const { store, clock, list } = await withHistory();
  const events = auditSink(store, { clock });
  const breaker = circuitBreaker({ key: 'mine', threshold: 1, clock, events });
  const fails = () => Promise.reject(new Error('no'));
  await retry(fails, { maxAttempts: 1 }, { breaker, clock }).catch(() => {});
  await events.close();
  const note = JSON.stringify({ by: 'worker:w', act: 'open', was: 'closed', failures: 5 });
  await store.apply([{ kind: 'control', of: 'breaker', key: 'bank', expect: 0, note }]);
  expect(await list('circuit_breaker_opened')).toEqual([
    'control breaker:bank',
    'session breaker:mine',
  ]);
  expect(await list('circuit_breaker_closed')).toEqual([]);
});
