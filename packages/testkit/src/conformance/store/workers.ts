import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import {
  GONE_AFTER_MS,
  WORKER_KEPT_MS,
  type WorkerReport,
  type WorkerStore,
} from '@redrive/durable/store';
import { enqueue } from './commands.ts';
import { same } from './plain.ts';
import type { FullStoreSuite } from './suite.ts';

function report(name: string, given: Partial<WorkerReport> = {}): WorkerReport {
  return {
    name,
    host: 'web-1',
    pid: 4711,
    version: '0.1.0',
    handlers: ['sync', 'mail'],
    concurrency: 10,
    running: 0,
    state: 'working',
    ...given,
  };
}

async function namesOf(store: WorkerStore, seenWithinMs?: number): Promise<string[]> {
  const { workers } = await store.workers({ limit: 100, seenWithinMs });
  return workers.map(({ name }) => name);
}

export function workerTests({ test }: FullStoreSuite): void {
  test('are listed with everything that they have reported', async ({ store, clock }) => {
    const startMs = clock.now();
    await store.reportWorker(report('a', { queues: ['slow'] }));
    await clock.advance(10_000);
    const queues = ['slow'];
    await store.reportWorker(report('a', { queues, running: 3, state: 'stopping' }));
    const page = await store.workers({ limit: 10 });
    equal(page.nowMs, startMs + 10_000);
    equal(page.next, undefined);
    same(page.workers, [
      {
        ...report('a', { queues, running: 3, state: 'stopping' }),
        moreHandlers: 0,
        moreQueues: 0,
        stalled: [],
        moreStalled: 0,
        sinceMs: startMs,
        seenAtMs: startMs + 10_000,
      },
    ]);
  });

  test('are gone a minute after their last report, and are known for a day', async (subject) => {
    const { store, clock } = subject;
    await store.reportWorker(report('crashed'));
    await clock.advance(GONE_AFTER_MS);
    deepEqual(await namesOf(store, GONE_AFTER_MS), ['crashed']);
    await clock.advance(1);
    deepEqual(await namesOf(store, GONE_AFTER_MS), []);
    deepEqual(await namesOf(store), ['crashed']);
    await clock.advance(WORKER_KEPT_MS);
    await store.reportWorker(report('next'));
    deepEqual(await namesOf(store), ['next']);
  });

  test('are forgotten at once when they stop, and are back when they report again', async (subject) => {
    const { store } = subject;
    await store.reportWorker(report('a'));
    await store.forgetWorker('a');
    await store.forgetWorker('a');
    deepEqual(await namesOf(store), []);
    await store.reportWorker(report('a', { running: 2 }));
    equal((await store.workers({ limit: 1 })).workers[0]?.running, 2);
  });

  test('name ten jobs that have stalled, until a report names none', async ({ store }) => {
    const stalled = Array.from({ length: 12 }, (_, n) => {
      return { id: `job-${n}`, handler: 'sync', tenant: 'acme', sinceMs: n };
    });
    const found = async () => {
      const [worker] = (await store.workers({ limit: 1 })).workers;
      return [worker?.stalled, worker?.moreStalled];
    };
    await store.reportWorker(report('a'));
    deepEqual(await found(), [[], 0]);
    await store.reportWorker(report('a', { stalled }));
    deepEqual(await found(), [stalled.slice(0, 10), 2]);
    await store.reportWorker(report('a'));
    deepEqual(await found(), [[], 0]);
  });

  test('come in pages, by name', async ({ store }) => {
    const names = ['b', 'a', 'ä', 'c', '\u{1f600}', '\ufffd'];
    for (const name of names) await store.reportWorker(report(name));
    const found: string[] = [];
    let after: string | undefined;
    do {
      const page = await store.workers({ limit: 2, after });
      ok(page.workers.length <= 2);
      found.push(...page.workers.map(({ name }) => name));
      after = page.next;
    } while (after !== undefined);
    deepEqual(found, ['a', 'b', 'c', 'ä', '\ufffd', '\u{1f600}']);
    await rejects(store.workers({ limit: 1_001 }), { code: 'invalid_option' });
  });

  test('a worker with thousands of handlers and long names writes a bounded row', async (subject) => {
    const { store } = subject;
    const handlers = Array.from({ length: 3_000 }, (_, n) => `handler-${n}`);
    await store.reportWorker(report('many', { handlers }));
    const long = Array.from({ length: 500 }, (_, n) => `${n}`.padEnd(200, 'x'));
    await store.reportWorker(report('long', { queues: long, host: 'h'.repeat(5_000) }));
    const [ofLong, ofMany] = (await store.workers({ limit: 10 })).workers;
    deepEqual(ofMany?.handlers, handlers.slice(0, 1_000));
    equal(ofMany?.moreHandlers, 2_000);
    deepEqual(ofLong?.queues, long.slice(0, 163));
    equal(ofLong?.moreQueues, 337);
    equal(ofLong?.host.length, 253);
    await rejects(store.reportWorker(report('n'.repeat(301))), { code: 'invalid_option' });
    await rejects(store.reportWorker(report('a\u0000b')), { code: 'invalid_option' });
  });

  test('leave no record in the audit log', async ({ store }) => {
    await enqueue(store, 'job-1');
    const before = await store.auditBlocks(0, 100);
    await store.reportWorker(report('a'));
    await store.forgetWorker('a');
    equal((await store.auditBlocks(0, 100)).length, before.length);
  });

  test('are kept when the store is opened anew', async ({ store, reopen }) => {
    await store.reportWorker(report('a'));
    if (reopen === undefined) return;
    const again = await reopen();
    deepEqual(await namesOf(again), ['a']);
    return again;
  });
}
