import { deepEqual, equal } from 'node:assert/strict';
import { jobDocument, recordsOf } from '@redrive/durable';
import { verifyAudit } from '@redrive/durable/audit';
import { deadLetterOf } from '@redrive/durable/dead-letters';
import type { JobOrigin } from '@redrive/durable/store';
import { enqueueOf } from './commands.ts';
import { makeBench } from './ladder.ts';
import type { FullStoreSuite } from './suite.ts';

const ORIGIN: JobOrigin = { rung: 'event', bus: 'main', source: 'chunking' };
const HANDLER = 'text.json_parsed';
const TWICE = { maxAttempts: 2, backoff: 'immediate' } as const;

/** An event is a job with an origin: its attempts, decisions, records and dead letter name its rung and its source. */
export function originTests({ test }: FullStoreSuite): void {
  test('an event that fails is decided, recorded and dead on the rung of its origin', async (subject) => {
    const bench = makeBench(subject, {
      [HANDLER]: { run: () => Promise.reject(new Error('no messages found')), policy: TWICE },
    });
    const with_ = { handler: HANDLER, queue: 'chunking', origin: ORIGIN };
    await subject.store.apply([enqueueOf('chunking-a-b', with_)]);
    await bench.start();
    await bench.pass(1_000);
    const job = await bench.look('chunking-a-b');
    deepEqual([job.state, job.origin], ['dead', ORIGIN]);

    const letter = deadLetterOf(job);
    equal(letter.service_name, 'chunking');
    deepEqual([letter.redrive.origin.rung, letter.redrive.origin.bus], ['event', 'main']);
    deepEqual(
      letter.redrive.attempts.map(({ rung }) => rung),
      ['event', 'event'],
    );
    deepEqual(
      job.attempts.kept.map(({ input }) => input?.rung),
      ['event', 'event'],
    );
    const document = jobDocument(job);
    deepEqual(document.origin, ORIGIN);
    deepEqual(
      document.attempts.map(({ rung }) => rung),
      ['event', 'event'],
    );
    for (const record of recordsOf(job)) {
      const { rung, bus, source } = record.session?.context ?? {};
      deepEqual({ rung, bus, source }, ORIGIN);
      if (record.kind === 'attempt_ended') equal(record.input.rung, 'event');
    }
    await bench.stop();
    const reader = await subject.store.readAudit();
    try {
      const { problems, decisions } = await verifyAudit(reader);
      deepEqual([problems, decisions], [[], 2]);
    } finally {
      await reader.close();
    }
  });

  test('an event that succeeds has its rung in its records', async (subject) => {
    const bench = makeBench(subject, { [HANDLER]: async () => 'done' });
    await subject.store.apply([enqueueOf('chunking-c', { handler: HANDLER, origin: ORIGIN })]);
    await bench.start();
    const job = await bench.look('chunking-c');
    equal(job.state, 'succeeded');
    const ended = recordsOf(job).find((record) => record.kind === 'attempt_ended');
    equal(ended?.input.rung, 'event');
    await bench.stop();
  });

  test('jobs with and without an origin in one commit keep their own', async ({ store }) => {
    const other = { ...ORIGIN, source: 'embedding' };
    await store.apply([
      enqueueOf('a', { origin: ORIGIN }),
      enqueueOf('b'),
      enqueueOf('c', { origin: other }),
      enqueueOf('d', { origin: other }),
      enqueueOf('e'),
    ]);
    const found = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => store.job(id)));
    deepEqual(
      found.map((job) => job?.origin?.source),
      ['chunking', undefined, 'embedding', 'embedding', undefined],
    );
  });
}
