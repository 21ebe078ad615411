import { RedriveError } from '@redrive/core';
import { expect, it } from 'vitest';
import { forceBreaker, resetBreaker } from '../control/breakers.ts';
import { engageKill, pauseWork } from '../control/kill-switches.ts';
import { holdPark } from '../control/park-acts.ts';
import { releaseKill } from '../control/release-kill.ts';
import { gateKey } from '../control/rules/documents.ts';
import { updateControl } from '../control/update-control.ts';
import { deadLetterOf } from '../dead-letter/envelope.ts';
import { HOUR, MINUTE, sweepBench } from '../testing/sweep-bench.ts';
import type { Sweep } from './sweep.ts';
import { emptyReport, sweepDocuments } from './sweep-documents.ts';

const DAY = 24 * HOUR;
const LEASE = 61_000;
const actor = { name: 'cli:eve@host' };

/** Replaces a verb of the source once: the real one runs, and then the process "dies". */
function dieAfter(sweep: Sweep, verb: 'find' | 'claim' | 'settle' | 'fail', nth = 1): void {
  const { source } = sweep;
  const real = source[verb].bind(source) as (...args: unknown[]) => Promise<unknown>;
  let calls = 0;
  Object.assign(source, {
    [verb]: async (...args: unknown[]) => {
      const answer = await real(...args);
      calls += 1;
      if (calls === nth) throw new Error('killed');
      return answer;
    },
  });
}

const STEPS: readonly [string, (bench: Bench) => void][] = [
  ['1 find', ({ sweep }) => dieAfter(sweep, 'find', 4)],
  ['2 decide', (bench) => failAt(bench, 'controls', 'before')],
  ['3 claim', ({ sweep }) => dieAfter(sweep, 'claim')],
  ['4 enqueue', (bench) => failAt(bench, 'apply', 'after')],
];
function failAt({ store }: Bench, call: 'controls' | 'apply', when: 'before' | 'after'): void {
  store.fault = { calls: [call], when };
}
type Bench = Awaited<ReturnType<typeof sweepBench>>;

it.each(STEPS)(
  'a crash after step %s costs no document, no attempt and no second event',
  async (_, crash) => {
    const bench = await sweepBench();
    bench.put('a', { count: 1, agoMs: DAY + HOUR, title: 'A' });
    crash(bench);
    await expect(bench.run()).rejects.toThrow();
    bench.store.fault = undefined;
    const event = (bench.get('a').retry_sweep as { event: string } | undefined)?.event;
    await bench.clock.advance(LEASE);
    await bench.run();
    expect(bench.get('a')).toMatchObject({ attemptCount: 1, retry_sweep: { sent: false } });
    await bench.jobs.start();
    await bench.clock.advance(1_000);
    const sent = await bench.sent();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.json.retry_sweep).toEqual({ attempt: 2 });
    // The event of the first claim, where there was one.
    expect(sent[0]?.id).toBe(event ?? (bench.get('a').retry_sweep as { event: string }).event);
    expect(bench.get('a')).toMatchObject({
      attemptCount: 2,
      status: 'pending',
      retry_sweep: { sent: true, attempt: 2 },
    });
    expect((await bench.run()).claimed).toBe(0);
  },
);

it('a crash between the confirmation and the count sends the event once more, with its bytes, and counts it once', async () => {
  const bench = await sweepBench();
  bench.put('a', { count: 1, agoMs: DAY + HOUR });
  await bench.run();
  const published: unknown[] = [];
  const publish = bench.bus.publish.bind(bench.bus);
  bench.bus.publish = (messages) => {
    published.push(...messages);
    return publish(messages);
  };
  const settle = bench.sweep.source.settle.bind(bench.sweep.source);
  bench.sweep.source.settle = () => Promise.reject(new Error('killed'));
  await bench.jobs.start();
  await bench.clock.advance(10);
  bench.sweep.source.settle = settle;
  await bench.clock.advance(HOUR);
  expect(published).toHaveLength(2);
  expect(published[1]).toEqual(published[0]);
  expect(bench.get('a')).toMatchObject({ attemptCount: 2, retry_sweep: { sent: true } });
});

it('a crash after the count sends the event no second time', async () => {
  const bench = await sweepBench();
  bench.put('a', { count: 1, agoMs: DAY + HOUR });
  await bench.run();
  dieAfter(bench.sweep, 'settle');
  await bench.jobs.start();
  await bench.clock.advance(HOUR);
  expect(await bench.sent()).toHaveLength(1);
  expect(bench.get('a')).toMatchObject({ attemptCount: 2, retry_sweep: { sent: true } });
  expect((await bench.store.counts()).groups).toMatchObject([{ state: 'succeeded', count: 1 }]);
});

it('a confirmed event whose document could not be counted is counted by the next sweep, and not sent again', async () => {
  const bench = await sweepBench();
  bench.put('a', { count: 1, agoMs: DAY + HOUR });
  await bench.run();
  const settle = bench.sweep.source.settle.bind(bench.sweep.source);
  bench.sweep.source.settle = () =>
    Promise.reject(new RedriveError('documents_unavailable', 'The database is away'));
  await bench.jobs.start();
  await bench.clock.advance(LEASE);
  expect(bench.get('a')).toMatchObject({ attemptCount: 1, retry_sweep: { sent: false } });
  bench.sweep.source.settle = settle;
  expect(await bench.run()).toMatchObject({ claimed: 0, finished: 1 });
  expect(await bench.sent()).toHaveLength(1);
  expect(bench.get('a')).toMatchObject({
    attemptCount: 2,
    lastAttemptTime: new Date(bench.clock.now()),
    retry_sweep: { sent: true },
  });
});

it.each([0, 3])(
  'a claim with count %i whose job is missing is sent under the same id, and counted then',
  async (count) => {
    const bench = await sweepBench();
    const lastAttemptTime = new Date(bench.clock.now() - 25 * HOUR);
    const retry_sweep = { event: 'e1', sent: false, at: lastAttemptTime, attempt: count + 1 };
    bench.put('a', { count, lastAttemptTime, retry_sweep });
    expect(await bench.send()).toMatchObject({ finished: 1, claimed: 1, maxRetriesExceeded: 0 });
    const sent = await bench.sent();
    expect(sent.map(({ id, json }) => [id, json.retry_sweep])).toEqual([
      ['e1', { attempt: count + 1 }],
    ]);
    expect(bench.get('a')).toMatchObject({
      attemptCount: count + 1,
      status: 'pending',
      retry_sweep: { event: 'e1', sent: true },
    });
    expect(await bench.run()).toMatchObject({ claimed: 0, maxRetriesExceeded: 0 });
  },
);

it.each([
  ['unfinished', 'left alone', { state: 'ready', sent: false, event: 'same', count: 1 }],
  ['dead', 'left for people', { state: 'dead', sent: false, event: 'same', count: 1 }],
  ['cancelled', 'claimed anew', { state: 'cancelled', sent: false, event: 'other', count: 1 }],
  ['purged', 'claimed anew', { state: 'purged', sent: false, event: 'other', count: 1 }],
] as const)(
  'a document whose job is %s is %s, and nothing is counted',
  async (state, _, wanted) => {
    const bench = await sweepBench();
    bench.put('a', { count: 1, agoMs: DAY + HOUR });
    await bench.run();
    const { event: id } = bench.get('a').retry_sweep as { event: string };
    if (state === 'dead') {
      const away = {
        name: 'away',
        publish: async () => [{ published: false, reason: 'refused', message: 'no' }],
      };
      Object.assign(bench.bus, away);
      await bench.jobs.start();
      await bench.clock.advance(1_000);
    }
    if (state === 'cancelled') await bench.jobs.cancel(id);
    if (state === 'purged')
      await bench.store.apply([
        { kind: 'act', act: 'cancel', id, actor },
        { kind: 'act', act: 'purge', id, actor },
      ]);
    await bench.clock.advance(3 * DAY);
    await bench.run();
    const { attemptCount, retry_sweep, status } = bench.get('a');
    const { event, sent } = retry_sweep as { event: string; sent: boolean };
    expect({
      ...{ state: (await bench.look(id)).state, sent, count: attemptCount },
      event: event === id ? 'same' : 'other',
    }).toEqual(wanted);
    expect(status).toBe('pending');
  },
);

it('sends the event of a stuck document, with its fields, and counts the attempt once', async () => {
  const bench = await sweepBench();
  bench.put('a', { title: 'A' });
  const report = await bench.run();
  expect(report).toMatchObject({
    claimed: 1,
    skippedBackoff: 0,
    maxRetriesExceeded: 0,
    sample: ['a'],
  });
  await bench.jobs.start();
  await bench.clock.advance(1_000);
  const [sent] = await bench.sent();
  expect(sent?.json).toEqual({
    event_type: 'ArchiveIngested',
    event_id: sent?.id,
    timestamp: new Date(bench.clock.now() - 1_000).toISOString(),
    data: { archive_id: 'a', title: 'A' },
    retry_sweep: { attempt: 1 },
  });
  expect(bench.get('a')).toMatchObject({ attemptCount: 1, status: 'pending' });
  const job = await bench.look(sent?.id ?? '');
  expect(job).toMatchObject({
    state: 'succeeded',
    handler: 'documents.archives',
    sessionId: 'documents.archives/a',
    origin: { rung: 'document', bus: 'main', source: 'archives' },
  });
});

it('waits for the back-off: 10 minutes after the second attempt, due at equality', async () => {
  const bench = await sweepBench({ thresholdMs: MINUTE });
  bench.put('a', { count: 2, agoMs: 5 * MINUTE });
  expect(await bench.run()).toMatchObject({ claimed: 0, skippedBackoff: 1 });
  await bench.clock.advance(5 * MINUTE - 1);
  expect(await bench.run()).toMatchObject({ claimed: 0, skippedBackoff: 1 });
  await bench.clock.advance(1);
  expect(await bench.send()).toMatchObject({ claimed: 1, skippedBackoff: 0 });
  expect(bench.get('a')).toMatchObject({ attemptCount: 3 });
});

it('needs both: stuck and past the back-off', async () => {
  const bench = await sweepBench();
  bench.put('young', { count: 2, agoMs: 23 * HOUR });
  bench.put('old', { count: 2, agoMs: 25 * HOUR });
  bench.put('done', { count: 2, agoMs: 25 * HOUR, status: 'processed' });
  expect(await bench.run()).toMatchObject({ claimed: 1, sample: ['old'] });
});

it('a document at its limit is failed, logged at ERROR and a dead letter with its attempts', async () => {
  const bench = await sweepBench();
  bench.put('a', { count: 3, agoMs: 25 * HOUR, lastError: 'corrupt file' });
  bench.put('running', { count: 3, agoMs: HOUR });
  expect(await bench.run()).toMatchObject({ claimed: 0, maxRetriesExceeded: 1 });
  expect(bench.get('a')).toMatchObject({
    status: 'failed_max_retries',
    attemptCount: 3,
    retry_sweep: { sent: true },
  });
  expect(bench.get('running')).toMatchObject({ status: 'pending', attemptCount: 3 });
  const lastAttemptTime = (bench.get('a').lastAttemptTime as Date).toISOString();
  expect(bench.sweepNotices).toEqual([
    {
      kind: 'document_failed',
      collection: 'archives',
      document: 'a',
      attemptCount: 3,
      lastAttemptTime,
      error: 'corrupt file',
    },
  ]);
  const { jobs: dead } = await bench.store.jobs({ states: ['dead'] }, { limit: 10 });
  expect(dead).toHaveLength(1);
  expect(deadLetterOf(await bench.look(dead[0]?.id ?? ''))).toMatchObject({
    attempt_count: 3,
    abandoned_reason: 'max_attempts_exceeded',
    last_error: 'DocumentError: corrupt file',
    service_name: 'archives',
  });
  expect((await bench.run()).maxRetriesExceeded).toBe(0);
});

it.each([
  ['its mark', (bench: Bench) => dieAfter(bench.sweep, 'fail')],
  ['its dead letter', (bench: Bench) => failAt(bench, 'apply', 'after')],
] as const)('a crash after %s at the limit is made good by the next sweep', async (_, crash) => {
  const bench = await sweepBench();
  bench.put('a', { count: 3, agoMs: 25 * HOUR });
  crash(bench);
  await expect(bench.run()).rejects.toThrow();
  bench.store.fault = undefined;
  expect(bench.get('a')).toMatchObject({
    status: 'failed_max_retries',
    retry_sweep: { sent: false },
  });
  await bench.clock.advance(LEASE);
  expect((await bench.run()).finished).toBe(1);
  expect(bench.get('a')).toMatchObject({
    status: 'failed_max_retries',
    attemptCount: 3,
    retry_sweep: { sent: true },
  });
  const { jobs: dead } = await bench.store.jobs({ states: ['dead'] }, { limit: 10 });
  expect(dead).toHaveLength(1);
});

it('a requeued dead document is pending again, and its event is sent', async () => {
  const bench = await sweepBench();
  bench.put('a', { count: 3, agoMs: 25 * HOUR, title: 'A' });
  await bench.run();
  const { jobs: dead } = await bench.store.jobs({ states: ['dead'] }, { limit: 10 });
  const id = dead[0]?.id ?? '';
  await bench.jobs.start();
  await bench.clock.advance(HOUR);
  expect(await bench.jobs.retry(id)).toBe(true);
  await bench.clock.advance(1_000);
  expect(await bench.look(id)).toMatchObject({ state: 'succeeded' });
  expect((await bench.sent()).map((sent) => sent.id)).toEqual([id]);
  expect(bench.get('a')).toMatchObject({
    status: 'pending',
    attemptCount: 1,
    retry_sweep: { event: id, sent: true },
  });
  expect(await bench.run()).toMatchObject({ claimed: 0 });
});

it('a dead document that is gone or repaired is cancelled by its requeue', async () => {
  const bench = await sweepBench();
  bench.put('a', { count: 3, agoMs: 25 * HOUR });
  await bench.run();
  const { jobs: dead } = await bench.store.jobs({ states: ['dead'] }, { limit: 10 });
  const id = dead[0]?.id ?? '';
  bench.put('a', { status: 'processed' });
  await bench.jobs.start();
  await bench.jobs.retry(id);
  await bench.clock.advance(1_000);
  expect(await bench.look(id)).toMatchObject({ state: 'cancelled' });
  expect([bench.get('a').status, await bench.sent()]).toEqual(['processed', []]);
});

it('a sending job that dies is a dead letter; requeued, it sends and counts', async () => {
  const bench = await sweepBench();
  bench.put('a');
  await bench.run();
  const publish = bench.bus.publish.bind(bench.bus);
  bench.bus.publish = async () => [{ published: false, reason: 'refused', message: 'too large' }];
  await bench.jobs.start();
  await bench.clock.advance(1_000);
  const { jobs: dead } = await bench.store.jobs({ states: ['dead'] }, { limit: 10 });
  const id = dead[0]?.id ?? '';
  bench.bus.publish = publish;
  await bench.jobs.retry(id);
  await bench.clock.advance(1_000);
  expect(await bench.look(id)).toMatchObject({ state: 'succeeded' });
  expect(bench.get('a')).toMatchObject({ attemptCount: 1, retry_sweep: { sent: true } });
});

it('a sending job whose queue does not exist yet waits for it', async () => {
  const bench = await sweepBench({
    event: { type: 'X', bus: 'main', destination: 'late', data: {} },
  });
  bench.put('a');
  await bench.run();
  await bench.jobs.start();
  await bench.clock.advance(HOUR);
  await bench.bus.declare({ name: 'late' });
  await bench.clock.advance(2 * MINUTE);
  expect((await bench.store.counts()).groups).toMatchObject([{ state: 'succeeded', count: 1 }]);
  expect(bench.get('a')).toMatchObject({ attemptCount: 1 });
});

it('a refused enqueue puts the claim back', async () => {
  const bench = await sweepBench();
  bench.put('a', { count: 1, agoMs: DAY + HOUR });
  const before = bench.get('a');
  const { apply } = bench.store;
  bench.store.apply = () => Promise.reject(new RedriveError('store_forbidden', 'no rights'));
  await expect(bench.run()).rejects.toThrow('no rights');
  bench.store.apply = apply;
  const retry_sweep = { firstStuckAt: new Date(bench.clock.now()) };
  expect(bench.get('a')).toEqual({ ...before, retry_sweep });
  expect(await bench.run()).toMatchObject({ claimed: 1 });
});

it('claims the next page while the events of a page are stored', async () => {
  const bench = await sweepBench();
  for (let n = 0; n < 1_200; n += 1) bench.put(`d${n}`, { count: 1, agoMs: DAY + n + 1 });
  const { claim } = bench.sweep.source;
  const apply = bench.store.apply.bind(bench.store);
  const secondClaim = Promise.withResolvers<void>();
  let claims = 0;
  bench.sweep.source.claim = (collection, documents) => {
    claims += 1;
    if (claims === 2) secondClaim.resolve();
    return claim.call(bench.documents, collection, documents);
  };
  Object.assign(bench.store, {
    apply: async (commands: Parameters<typeof apply>[0]) => {
      if (claims > 0) await secondClaim.promise;
      return apply(commands);
    },
  });
  expect(await bench.run()).toMatchObject({ claimed: 1_200, next: undefined });
});

it('a refused enqueue puts the claims of the next page back, too', async () => {
  const bench = await sweepBench();
  for (let n = 0; n < 1_200; n += 1) bench.put(`d${n}`, { count: 1, agoMs: DAY + n + 1 });
  const { apply } = bench.store;
  bench.store.apply = () => Promise.reject(new RedriveError('store_forbidden', 'no rights'));
  const report = emptyReport();
  const { parts, sweep } = bench;
  await expect(sweepDocuments(parts, sweep, {}, report)).rejects.toThrow('no rights');
  bench.store.apply = apply;
  const claimed = Array.from({ length: 1_200 }, (_, n) => bench.get(`d${n}`)).filter(
    ({ retry_sweep: mark }) => (mark as { readonly event?: string } | undefined)?.event,
  );
  expect([claimed.length, report.next]).toEqual([0, undefined]);
  expect(await bench.run()).toMatchObject({ claimed: 1_200, finished: 0 });
});

it('without an answer of the store the claim stays, and the next sweep goes on with its event', async () => {
  const bench = await sweepBench();
  bench.put('a');
  bench.store.fault = { calls: ['apply'], when: 'before' };
  await expect(bench.run()).rejects.toMatchObject({ code: 'store_unavailable' });
  bench.store.fault = undefined;
  const { event } = bench.get('a').retry_sweep as { event: string };
  expect(await bench.run()).toMatchObject({ claimed: 0, finished: 0 });
  await bench.clock.advance(LEASE);
  expect(await bench.run()).toMatchObject({ claimed: 1, finished: 1 });
  expect(await bench.look(event)).toMatchObject({ state: 'ready' });
});

it('5,000 documents that finish while they are swept: 0 sent', async () => {
  const bench = await sweepBench();
  const finish = (id: string) => bench.put(id, { status: 'processed' });
  for (let n = 0; n < 5_000; n += 1) bench.put(`d${n}`, { count: 1, agoMs: DAY + n + 1 });
  const { find } = bench.sweep.source;
  // Every second one between its find and its claim.
  bench.sweep.source.find = async (collection, request) => {
    const page = await find.call(bench.documents, collection, request);
    for (const { id } of page.documents.filter((_, at) => at % 2 === 0)) finish(id);
    return page;
  };
  expect(await bench.run()).toMatchObject({ claimed: 2_500, changed: 2_500 });
  // The others while their jobs wait for a worker.
  await bench.clock.advance(MINUTE + 1);
  for (let n = 0; n < 5_000; n += 1) finish(`d${n}`);
  await bench.jobs.start();
  await bench.clock.advance(MINUTE);
  expect(await bench.sent()).toEqual([]);
  const { groups } = await bench.store.counts();
  expect(groups).toMatchObject([{ state: 'cancelled', count: 2_500 }]);
});

it('a claim whose document is done before its event is dropped', async () => {
  const bench = await sweepBench();
  bench.put('a');
  dieAfter(bench.sweep, 'claim');
  await expect(bench.run()).rejects.toThrow('killed');
  bench.put('a', { status: 'processed' });
  await bench.clock.advance(LEASE);
  await bench.run();
  expect(bench.get('a')).toMatchObject({
    status: 'processed',
    retry_sweep: undefined,
  });
  expect(bench.get('a').attemptCount).toBeUndefined();
  expect((await bench.store.counts()).groups).toEqual([]);
});

it('a job that waited for more than a minute looks at its document before it publishes', async () => {
  const bench = await sweepBench();
  for (const id of ['done', 'open', 'gone']) bench.put(id);
  await bench.run();
  await bench.clock.advance(MINUTE + 1);
  bench.put('done', { status: 'processed' });
  bench.put('gone', { status: 'failed_max_retries' });
  await bench.documents.remove(bench.sweep.collection, ['gone'], { archive: false });
  await bench.jobs.start();
  await bench.clock.advance(1_000);
  expect((await bench.sent()).map(({ json }) => json.data)).toEqual([
    { archive_id: 'open', title: null },
  ]);
  const { jobs } = await bench.store.jobs({ states: ['cancelled'] }, { limit: 10 });
  expect(jobs).toHaveLength(2);
});

it('two sweepers send each document once', async () => {
  const bench = await sweepBench();
  for (let n = 0; n < 700; n += 1) bench.put(`d${n}`, { count: 1, agoMs: DAY + n + 1 });
  const reports = await Promise.all([bench.run(), bench.run(), bench.run()]);
  expect(reports.reduce((sum, { claimed }) => sum + claimed, 0)).toBe(700);
  const { jobs } = await bench.store.jobs({}, { limit: 1_000 });
  expect(new Set(jobs.map(({ sessionId }) => sessionId)).size).toBe(700);
  expect(jobs).toHaveLength(700);
});

const dependency = 'parser';
const GATE = { dependency, credential: '', tenant: '' };
it.each([
  [
    'a kill switch',
    (b: Bench) => engageKill(b.store, { scope: 'handler', name: 'documents.archives', actor }),
    'the kill switch handler:documents.archives, by cli:eve@host',
  ],
  [
    'a kill switch over everything',
    (b: Bench) => engageKill(b.store, { scope: 'all', actor }),
    'the kill switch all, by cli:eve@host',
  ],
  [
    'a pause',
    (b: Bench) => pauseWork(b.store, { scope: 'handler', name: 'documents.archives', actor }),
    'a pause of handler:documents.archives, by cli:eve@host',
  ],
  [
    'an open breaker',
    (b: Bench) => forceBreaker(b.store, { dependency, state: 'open', actor }),
    'the breaker of parser is open',
  ],
  [
    'a closed gate',
    (b: Bench) =>
      updateControl(b.store, {
        of: 'gate',
        key: gateKey(GATE),
        next: (_, nowMs) => ({ ...GATE, untilMs: nowMs + HOUR, sinceMs: nowMs, cut: false }),
      }),
    'the gate parser is closed until 2026-01-29T13:00:00.000Z',
  ],
  [
    'a hold',
    (b: Bench) => holdPark(b.store, { cause: 'breaker:parser', actor }),
    'breaker:parser is held by cli:eve@host',
  ],
] as const)('%s over the handler or the dependency stops claims', async (_, stop, why) => {
  const bench = await sweepBench({ dependency });
  bench.put('a', { count: 1, agoMs: DAY + HOUR });
  const before = bench.get('a');
  await stop(bench);
  expect(await bench.run()).toMatchObject({ claimed: 0, stopped: why });
  const retry_sweep = { firstStuckAt: new Date(bench.clock.now()) };
  expect(bench.get('a')).toEqual({ ...before, retry_sweep });
  expect(bench.sweepNotices).toEqual([{ kind: 'sweep_stopped', collection: 'archives', why }]);
});

it('sweeps again when the dependency is back', async () => {
  const bench = await sweepBench({ dependency });
  bench.put('a');
  await forceBreaker(bench.store, { dependency, state: 'open', actor });
  expect((await bench.run()).claimed).toBe(0);
  await resetBreaker(bench.store, { dependency, actor });
  expect((await bench.run()).claimed).toBe(1);
});

it('documents with a bad count, time or id are skipped, counted and never changed', async () => {
  const bench = await sweepBench();
  const old = DAY + HOUR;
  bench.put('half', { count: 1.5, agoMs: old });
  bench.put('text', { count: '2', agoMs: old });
  bench.put('below', { count: -1, agoMs: old });
  bench.put('ahead', { count: 1, agoMs: -2 * MINUTE });
  bench.put('no time', { count: 1, lastAttemptTime: 'yesterday' });
  bench.put('x'.repeat(513), { count: 1, agoMs: old });
  bench.put('good', { count: 1, agoMs: old });
  const before = bench.get('text');
  expect(await bench.run()).toMatchObject({ claimed: 1, invalid: 6, sample: ['good'] });
  expect(bench.get('text')).toEqual(before);
  const invalid = bench.sweepNotices.filter(({ kind }) => kind === 'document_invalid');
  expect(invalid).toHaveLength(6);
});

it('an event above 1 MiB is a dead letter', async () => {
  const bench = await sweepBench();
  bench.put('a', { title: 'x'.repeat(1_048_576) });
  expect(await bench.run()).toMatchObject({ claimed: 0, tooLarge: 1 });
  const { jobs } = await bench.store.jobs({ states: ['dead'] }, { limit: 10 });
  expect(jobs).toMatchObject([{ reason: 'message_too_large' }]);
});

it('with a limit, pages come from both ends of the set in turn', async () => {
  const bench = await sweepBench();
  for (let n = 0; n < 1_500; n += 1) {
    bench.put(`d${String(n).padStart(4, '0')}`, { count: 1, agoMs: DAY + (1_500 - n) * MINUTE });
  }
  const { claimed, sample } = await bench.run({ limit: 600 });
  expect([claimed, sample[0]]).toEqual([600, 'd0000']);
  const { jobs } = await bench.store.jobs({}, { limit: 1_000 });
  const ids = jobs.map(({ sessionId }) => sessionId.slice(-4)).sort();
  expect([ids[0], ids[499], ids[500], ids.at(-1)]).toEqual(['0000', '0499', '1400', '1499']);
});

it('ends at its time limit, and goes on behind its cursor', async () => {
  const bench = await sweepBench();
  for (let n = 0; n < 1_200; n += 1) bench.put(`d${n}`, { count: 1, agoMs: DAY + n + 1 });
  const { find } = bench.sweep.source;
  bench.sweep.source.find = async (collection, request) => {
    if (request.set === 'due') await bench.clock.advance(400);
    return find.call(bench.documents, collection, request);
  };
  const first = await bench.run({ timeLimitMs: 500 });
  expect(first).toMatchObject({ claimed: 1_000 });
  const then = await bench.run({ after: first.next });
  expect(then).toMatchObject({ claimed: 200, next: undefined });
});

it('takes one page of due documents although its other work took all of its time', async () => {
  const bench = await sweepBench();
  for (let n = 0; n < 600; n += 1) bench.put(`d${n}`, { count: 1, agoMs: DAY + n + 1 });
  const { find } = bench.sweep.source;
  bench.sweep.source.find = async (collection, request) => {
    if (request.set === 'unsent') await bench.clock.advance(600);
    return find.call(bench.documents, collection, request);
  };
  const first = await bench.run({ timeLimitMs: 500 });
  expect(first).toMatchObject({ claimed: 500 });
  expect(await bench.run({ timeLimitMs: 500, after: first.next })).toMatchObject({ claimed: 100 });
  bench.put('late', { count: 1, agoMs: DAY + 1 });
  expect(await bench.run({ timeLimitMs: 0 })).toMatchObject({ claimed: 0 });
});

it('leaves documents alone that are younger than the minimum age', async () => {
  const collection = (await sweepBench()).sweep.collection;
  const fields = { ...collection.fields, created: 'insertedAt' };
  const bench = await sweepBench({ minimumAgeMs: MINUTE, collection: { ...collection, fields } });
  const inserted = (agoMs: number) => ({ insertedAt: new Date(bench.clock.now() - agoMs) });
  bench.put('new', inserted(1_000));
  bench.put('old', inserted(2 * MINUTE));
  expect(await bench.run()).toMatchObject({ claimed: 1, skippedYoung: 1, sample: ['old'] });
});

it('waits longer where less than half of the documents were done since', async () => {
  const bench = await sweepBench({ thresholdMs: MINUTE });
  bench.put('a', { count: 2, agoMs: 15 * MINUTE });
  expect(await bench.run({ share: 0.25 })).toMatchObject({ skippedBackoff: 1 });
  await bench.clock.advance(30 * MINUTE);
  expect(await bench.run({ share: 0.25 })).toMatchObject({ claimed: 1 });
});

it('a dry run counts and changes nothing', async () => {
  const bench = await sweepBench();
  bench.put('a');
  bench.put('b', { count: 3, agoMs: DAY + 1 });
  expect(await bench.run({ dryRun: true })).toMatchObject({ claimed: 1, maxRetriesExceeded: 1 });
  expect([bench.get('a').retry_sweep, bench.get('b').status]).toEqual([undefined, 'pending']);
  expect((await bench.store.counts()).groups).toEqual([]);
});

it('gives newer documents a higher priority, whatever their database keeps times as', async () => {
  const bench = await sweepBench({ priority: { field: 'rank', first: 'newest' } });
  const nowMs = bench.clock.now();
  for (const [id, rank] of [
    ['now', new Date(nowMs)],
    ['an hour old', new Date(nowMs - HOUR).toISOString()],
    ['a day old', nowMs - DAY],
    ['a year old', new Date(nowMs - 365 * DAY)],
    ['none', undefined],
    ['odd', 'yesterday'],
  ] as const)
    bench.put(id, { rank });
  await bench.run();
  const { jobs } = await bench.store.jobs({}, { limit: 10 });
  const byId = Object.fromEntries(jobs.map((job) => [job.sessionId.split('/')[1], job.priority]));
  expect(byId).toEqual({
    ...{ now: 1_000, 'an hour old': 999, 'a day old': 976, 'a year old': -1_000 },
    ...{ none: 0, odd: 0 },
  });
});

it('gives documents with a higher number a higher priority', async () => {
  const bench = await sweepBench({ priority: { field: 'rank', first: 'highest' } });
  for (const [id, rank] of [
    ['low', 1],
    ['high', 7],
    ['most', 5_000],
    ['none', undefined],
  ] as const)
    bench.put(id, { rank });
  await bench.run();
  const { jobs } = await bench.store.jobs({}, { limit: 10 });
  const byId = Object.fromEntries(jobs.map((job) => [job.sessionId.split('/')[1], job.priority]));
  expect(byId).toEqual({ low: 1, high: 7, most: 1_000, none: 0 });
});

it('a kill switch that is engaged during a sweep stops its next page, and claims that were not sent', async () => {
  const bench = await sweepBench();
  for (let n = 0; n < 600; n += 1) bench.put(`d${n}`, { count: 1, agoMs: DAY + n + 1 });
  const kill = { scope: 'handler', name: 'documents.archives', actor } as const;
  const { claim } = bench.sweep.source;
  bench.sweep.source.claim = async (...args) => {
    const answers = await claim.apply(bench.documents, args);
    await engageKill(bench.store, kill);
    return answers;
  };
  expect(await bench.run()).toMatchObject({
    claimed: 500,
    stopped: 'the kill switch handler:documents.archives, by cli:eve@host',
  });
  bench.sweep.source.claim = claim;
  // The documents of the next page are stuck all the same.
  expect(bench.get('d0').retry_sweep).toEqual({ firstStuckAt: new Date(bench.clock.now()) });
  await bench.clock.advance(LEASE);
  expect(await bench.run()).toMatchObject({ claimed: 0, finished: 0 });
  await releaseKill(bench.store, kill);
  expect(await bench.run()).toMatchObject({ claimed: 100, unsent: 500 });
});

it('a count of a thousand million attempts is as quick as one of three', async () => {
  const bench = await sweepBench();
  bench.put('a', { count: 1e9, agoMs: DAY + 1 });
  expect(await bench.run()).toMatchObject({ maxRetriesExceeded: 1 });
  const { jobs } = await bench.store.jobs({ states: ['dead'] }, { limit: 1 });
  expect(deadLetterOf(await bench.look(jobs[0]?.id ?? '')).attempt_count).toBe(1e9);
});

it('the last error is sanitised and bounded in the audit log, the dead letter and the ERROR line', async () => {
  const bench = await sweepBench();
  const lastError = `password=hunter2secret ${'x'.repeat(100_000)}`;
  bench.put('sent', { count: 1, agoMs: DAY + HOUR, lastError });
  bench.put('dead', { count: 3, agoMs: DAY + HOUR, lastError });
  await bench.run();
  const blocks = await bench.store.auditBlocks(0, 100);
  const texts = [JSON.stringify(blocks), JSON.stringify(bench.sweepNotices)];
  expect(texts.map((text) => text.includes('hunter2secret'))).toEqual([false, false]);
  expect(texts.map((text) => text.includes('x'.repeat(10_000)))).toEqual([false, false]);
});

it('a mark without an event is invalid: no job, and the document is not changed', async () => {
  const bench = await sweepBench();
  const at = new Date(bench.clock.now() - HOUR);
  for (const id of ['a', 'b']) bench.put(id, { count: 1, retry_sweep: { sent: false, at } });
  const before = bench.get('a');
  expect(await bench.run()).toMatchObject({ invalid: 2, finished: 0, claimed: 0 });
  expect(bench.get('a')).toEqual(before);
  expect(bench.sweepNotices).toMatchObject([
    { kind: 'document_invalid', document: 'a', problem: 'The mark is not one of a sweep' },
    { kind: 'document_invalid', document: 'b' },
  ]);
});

it('an invalid document is counted once, also if its claim was not sent', async () => {
  const bench = await sweepBench();
  const at = new Date(bench.clock.now() - HOUR);
  bench.put('a', { count: 1, agoMs: -HOUR, retry_sweep: { event: 'e1', sent: false, at } });
  expect(await bench.run()).toMatchObject({ invalid: 1 });
  expect(bench.sweepNotices).toHaveLength(1);
});

it('with a limit, each waiting document is counted once', async () => {
  const bench = await sweepBench({ thresholdMs: MINUTE });
  for (let n = 0; n < 2_000; n += 1) bench.put(`d${n}`, { count: 2, agoMs: 5 * MINUTE + n });
  expect(await bench.run({ limit: 10 })).toMatchObject({ claimed: 0, skippedBackoff: 2_000 });
});

it('a dry run writes no policy into the store', async () => {
  const bench = await sweepBench();
  bench.put('a');
  bench.store.fault = { calls: ['registerPolicies'], when: 'before' };
  expect(await bench.run({ dryRun: true })).toMatchObject({ claimed: 1 });
});

it('a time beyond the calendar is invalid', async () => {
  const bench = await sweepBench();
  bench.put('a', { count: 3 });
  const { source } = bench.sweep;
  const find = source.find.bind(source);
  Object.assign(source, {
    find: async (...args: Parameters<typeof find>) => {
      const page = await find(...args);
      return {
        ...page,
        documents: page.documents.map((one) => ({ ...one, timeMs: -8.64e15 - 1 })),
      };
    },
  });
  expect(await bench.run()).toMatchObject({ invalid: 1, maxRetriesExceeded: 0 });
});
