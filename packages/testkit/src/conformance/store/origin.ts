import { deepEqual, equal } from 'node:assert/strict';
import { claimAttempt, openAccount, settleAttempt } from '@redrive/core/stored';
import { jobDocument, recordsOf } from '@redrive/durable';
import { verifyAudit } from '@redrive/durable/audit';
import { deadLetterOf } from '@redrive/durable/dead-letters';
import type { JobAttempt, JobOrigin } from '@redrive/durable/store';
import { ACTOR, type EnqueueWith, enqueue, enqueueOf, find, stateOf } from './commands.ts';
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

/** An account after one failed attempt. */
const ONE_FAILED = settleAttempt(claimAttempt(openAccount()), 'failed', 0);

const NO_JSON: JobAttempt = {
  generation: 1,
  attempt: 1,
  startedAtMs: Date.UTC(2026, 0, 1),
  durationMs: 0,
  delayBeforeMs: 0,
  entry: 'failed',
  errorClass: 'final',
  error: { type: 'SyntaxError', message: 'Unexpected end of JSON input' },
  action: 'give-up',
  reason: 'invalid_message',
  worker: 'test',
  policyHash: 'none',
  maxAttempts: 8,
};

const BURIED: EnqueueWith = {
  handler: HANDLER,
  queue: 'chunking',
  origin: ORIGIN,
  payload: { kind: 'bytes', bytes: Uint8Array.of(0x7b, 0xff) },
  account: ONE_FAILED,
  attempts: { kept: [NO_JSON], omitted: 0 },
  errorClass: 'final',
  uniqueKey: 'u-1',
  dead: { reason: 'invalid_message' },
};

/** A message that cannot become a job is a dead letter from the start. */
export function buriedTests({ test }: FullStoreSuite): void {
  test('a job that is enqueued as dead is a dead letter with its attempts and one record', async ({
    store,
    clock,
  }) => {
    const result = await enqueue(store, 'chunking-1', BURIED);
    deepEqual(result, { ok: true, id: 'chunking-1', outcome: 'created' });
    const job = await find(store, 'chunking-1');
    deepEqual(
      [job.state, job.reason, job.errorClass, job.revision, job.token, job.retryCount],
      ['dead', 'invalid_message', 'final', 1, 0, 0],
    );
    deepEqual([job.finishedAtMs, job.submittedAtMs], [clock.now(), clock.now()]);
    deepEqual([job.payload, job.origin], [BURIED.payload, ORIGIN]);
    const letter = deadLetterOf(job);
    deepEqual(
      [letter.attempt_count, letter.error_type, letter.abandoned_reason, letter.service_name],
      [1, 'SyntaxError', 'non_retryable', 'chunking'],
    );
    const records = (await store.auditBlocks(0, 10)).flatMap(({ body }) => JSON.parse(body));
    equal(records.length, 1);
    deepEqual(records[0].slice(0, 5), ['chunking-1', 1, 'enqueue', null, 'dead']);
  });

  test('is listed, counted and grouped, and runs after a requeue', async (subject) => {
    const { store } = subject;
    const seen: unknown[] = [];
    const bench = makeBench(subject, {
      [HANDLER]: async (payload: unknown) => void seen.push(payload),
    });
    await enqueue(store, 'chunking-1', BURIED);
    const { groups } = await store.deadGroups({}, { limit: 10 });
    deepEqual(
      groups.map(({ pattern, count }) => [pattern, count]),
      [['SyntaxError: Unexpected end of JSON input', 1]],
    );
    const page = await store.deadLetters({ reason: 'invalid_message' }, { limit: 10 });
    deepEqual(
      page.jobs.map(({ id }) => id),
      ['chunking-1'],
    );
    const payload = { kind: 'json', text: '{"mended":true}' } as const;
    const requeue = { kind: 'act', act: 'requeue', id: 'chunking-1', actor: ACTOR } as const;
    const [requeued] = await store.apply([{ ...requeue, payload }]);
    equal(requeued.ok, true);
    await bench.start();
    const job = await bench.look('chunking-1');
    deepEqual([job.state, seen], ['succeeded', [{ mended: true }]]);
    await bench.stop();
    const reader = await store.readAudit();
    try {
      deepEqual((await verifyAudit(reader)).problems, []);
    } finally {
      await reader.close();
    }
  });

  test('commits with jobs, duplicates and each other, in one block', async ({ store }) => {
    await enqueue(store, 'there');
    const results = await store.apply([
      enqueueOf('a', { uniqueKey: 'u-1' }),
      enqueueOf('dead-1', BURIED),
      enqueueOf('there', BURIED),
      enqueueOf('b'),
      enqueueOf('dead-1', BURIED),
      enqueueOf('dead-2', BURIED),
    ]);
    deepEqual(
      results.map((result) => (result.ok ? result.outcome : result.refusal)),
      ['created', 'created', 'duplicate_id', 'created', 'duplicate_id', 'created'],
    );
    const states = await Promise.all(
      ['a', 'dead-1', 'there', 'b', 'dead-2'].map((id) => stateOf(store, id)),
    );
    deepEqual(states, ['ready', 'dead', 'ready', 'ready', 'dead']);
    equal((await store.auditBlocks(0, 10)).length, 2);
    deepEqual(await store.countDead({}, 10), { count: 2, bounded: false });
  });
}
