import { deepEqual, equal, ok } from 'node:assert/strict';
import { definePolicy, systemClock } from '@redrive/core';
import { type FullStore, type Handlers, jobsOn, type Notice } from '@redrive/durable';
import { documentHandler, runSweeps, type Sweep, sentCounter } from '@redrive/durable/documents';
import type { Bus } from '@redrive/durable/events';
import type { DocumentsUnderTest } from './document-source.ts';
import type { TestRunner } from './ledger.ts';

/** Documents, a store and a bus under test, all in the system's time. */
export interface SweepUnderTest extends DocumentsUnderTest {
  readonly store: FullStore;
  readonly bus: Bus;
  /** The destination on the bus that events are sent to. */
  readonly destination: string;
  /** Handlers of jobs that the bus stores, where it does not deliver. Default: none. */
  readonly handlers?: Handlers;
  /** Resolves with the bodies of the first `count` events that arrived. */
  readonly received: (count: number) => Promise<readonly unknown[]>;
}

const MINUTE = 60_000;

/**
 * Registers the three tests of the document retry policy, by their names: from a document in the database to its event at
 * the bus. `make` is called once per test.
 */
export function sweepConformance(make: () => Promise<SweepUnderTest>, { it }: TestRunner): void {
  function test(name: string, body: (place: Place) => Promise<void>): void {
    it(name, async () => {
      const subject = await make();
      try {
        await body(new Place(subject));
      } finally {
        await subject.source.close();
        await subject.close?.();
      }
    });
  }

  test('Integration Test', async (place) => {
    await place.put({ id: 'a', status: 'pending', count: 0, timeMs: null });
    const before = await place.nowMs();
    await place.run(24 * 60 * MINUTE);
    const [event] = await place.sent(1);
    const { event_type, data } = event as { event_type: string; data: unknown };
    deepEqual([event_type, data], ['ArchiveIngested', { archive_id: 'a' }]);
    const { count, timeMs } = await place.one('a');
    equal(count, 1);
    ok(Number(timeMs) >= before, 'the time of the last attempt is now');
    const numbers = await place.run(24 * 60 * MINUTE);
    deepEqual(numbers.retry_job_documents_requeued_total, { archives: 1 });
  });

  test('Backoff Test', async (place) => {
    const nowMs = await place.nowMs();
    await place.put({ id: 'a', status: 'pending', count: 2, timeMs: nowMs - 5 * MINUTE });
    // With a threshold below ten minutes: at the default, a document waits a day anyway.
    const skipped = await place.run(MINUTE);
    deepEqual(skipped.retry_job_documents_skipped_backoff_total, { archives: 1 });
    deepEqual(skipped.retry_job_documents_requeued_total, { archives: 0 });
    equal((await place.one('a')).count, 2);
    // Ten minutes later.
    await place.put({ id: 'a', timeMs: nowMs - 15 * MINUTE });
    await place.run(MINUTE);
    equal((await place.sent(1)).length, 1);
    equal((await place.one('a')).count, 3);
    const numbers = await place.run(MINUTE);
    deepEqual(numbers.retry_job_documents_requeued_total, { archives: 1 });
  });

  test('Max Retries Test', async (place) => {
    const timeMs = (await place.nowMs()) - 25 * 60 * MINUTE;
    await place.put({ id: 'a', status: 'pending', count: 3, timeMs });
    const numbers = await place.run(24 * 60 * MINUTE);
    equal((await place.one('a')).status, 'failed_max_retries');
    deepEqual(
      place.notices.map(({ kind }) => kind),
      ['document_failed'],
    );
    deepEqual(numbers.retry_job_documents_max_retries_exceeded_total, { archives: 1 });
    deepEqual(numbers.retry_job_failed_documents, { archives: 1 });
    const { jobs } = await place.subject.store.jobs({ states: ['dead'] }, { limit: 10 });
    deepEqual(
      jobs.map(({ handler, reason }) => [handler, reason]),
      [['documents.archives', 'max_attempts_exceeded']],
    );
  });
}

class Place {
  readonly subject: SweepUnderTest;
  readonly notices: Notice[] = [];

  constructor(subject: SweepUnderTest) {
    this.subject = subject;
  }

  put(document: Parameters<SweepUnderTest['put']>[0]): Promise<void> {
    return this.subject.put(document);
  }

  async nowMs(): Promise<number> {
    const { source, collection } = this.subject;
    return (await source.byIds(collection, [])).nowMs;
  }

  async one(id: string) {
    const { source, collection } = this.subject;
    const [document] = (await source.byIds(collection, [id])).documents;
    ok(document !== undefined, `document ${id} exists`);
    return document;
  }

  async run(thresholdMs: number) {
    const { store } = this.subject;
    const sweeps = [this.#sweep(thresholdMs)];
    const notify = (notice: Notice) => void this.notices.push(notice);
    const parts = { store, sweeps, notify, clock: systemClock, intervalMs: 15 * MINUTE };
    return (await runSweeps({ ...parts, actor: { name: 'test' } })).numbers;
  }

  /** Lets a worker send the events, and waits until they have arrived. */
  async sent(count: number): Promise<readonly unknown[]> {
    const { store, bus, handlers, received } = this.subject;
    const counter = sentCounter({ store, clock: systemClock, intervalMs: 15 * MINUTE });
    const send = documentHandler(this.#sweep(0), bus, { onSent: counter.add });
    const jobs = jobsOn(store, { ...handlers, 'documents.archives': send }, { log: 'off' });
    await jobs.start();
    try {
      await jobs.idle();
      return await received(count);
    } finally {
      await jobs.stop();
      await counter.written();
    }
  }

  #sweep(thresholdMs: number): Sweep {
    const { source, collection, destination } = this.subject;
    const { fields } = collection;
    return {
      name: 'archives',
      source,
      collection: { ...collection, fields: { ...fields, read: [fields.id] } },
      policy: definePolicy({
        id: 'documents.archives',
        ...{ maxAttempts: 3, baseDelayMs: 5 * MINUTE, maxDelayMs: 60 * MINUTE, multiplier: 2 },
        ...{ immediateFirstRetry: true, jitter: 'none' },
      }),
      ...{ thresholdMs, minimumAgeMs: 0, dependency: '' },
      event: {
        type: 'ArchiveIngested',
        bus: 'main',
        destination,
        data: { archive_id: `$${fields.id}` },
      },
    };
  }
}
