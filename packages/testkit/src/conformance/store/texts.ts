import { deepEqual, equal } from 'node:assert/strict';
import type { JobAttempt } from '@redrive/durable/store';
import { act, claimedIds, enqueue, find, lane, leased } from './commands.ts';
import { same } from './plain.ts';
import { settled, settlementFor } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

const ODD: Readonly<Record<string, string>> = {
  empty: '',
  blanks: ' \t ',
  quotes: `'"\`\\'' --; DROP TABLE jobs; /* $1 ? :a @b %s`,
  'line ends': 'a\nb\r\nc\u2028d\u2029',
  controls: '\u0001\u0007\u0008\u000b\u001b[31m\u007f\u0085',
  emoji: '👩‍👩‍👧‍👦 🏳️‍🌈 😀',
  accents: 'é e\u0301 ß İ ﬀ',
  'right to left': 'שלום \u202e gnirts',
  'beyond the plane': '\u{10000}\u{10ffff}\ufffd\uffff\ue000',
  json: '{"__proto__":{"a":1},"constructor":null}',
  numbers: '0123e5',
  long: 'x'.repeat(2_000),
};

export function textTests({ test }: StoreSuite): void {
  for (const [name, text] of Object.entries(ODD)) {
    test(`are read as they were written: ${name}`, async ({ store }) => {
      const id = `job ${text}`;
      const spec = {
        handler: `h${text}`,
        queue: `q${text}`,
        tenant: text,
        tags: [text, `${text}2`],
        headers: { [`k${text}`]: text },
        payload: { kind: 'json', text: JSON.stringify({ [text]: text }) },
        sessionId: `s${text}`,
        policyId: text,
        uniqueKey: text,
        limitKey: text,
        correlationId: text,
        traceId: text,
        idempotencyKey: `i${text}`,
      } as const;
      await enqueue(store, id, { ...spec, actor: { name: `a${text}`, why: text } });
      const lanes = [lane(spec.handler, { policyHash: text })];
      deepEqual(await claimedIds(store, { lanes, queues: [spec.queue], worker: text }), [id]);
      const job = await find(store, id);
      same({ ...job, ...spec }, job);
      deepEqual([job.lease?.worker, job.lease?.policyHash], [text, text]);
      deepEqual(await store.heartbeat([job], 60_000), ['held']);
      for (const filter of [
        { tenant: text },
        { tag: text },
        { handler: spec.handler },
        { queue: spec.queue },
        { sessionId: spec.sessionId },
      ]) {
        equal((await store.jobs(filter, { limit: 2 })).jobs[0]?.id, id, JSON.stringify(filter));
      }
      const attempt: JobAttempt = { ...ATTEMPT, error: { type: text, message: text } };
      const end = settlementFor({ ...job, state: 'leased', lease: LEASE }, 'dead', {
        attempts: { kept: [attempt], omitted: 0 },
        detail: JSON.stringify({ note: text }),
      });
      await settled(store, end);
      same((await find(store, id)).attempts.kept, [attempt]);
      deepEqual(await act(store, 'requeue', id), { ok: true, state: 'ready' });
    });
  }

  test('keeps a payload of 1 MiB and a result of 1 MiB', async ({ store }) => {
    const text = JSON.stringify('ü'.repeat(512 * 1_024));
    const job = await leased(store, 'job-1', { payload: { kind: 'json', text } });
    same(job.payload, { kind: 'json', text });
    await settled(store, settlementFor(job, 'succeeded', { result: text }));
    equal((await find(store, 'job-1')).result, text);
  });

  test('keeps bytes of every value', async ({ store }) => {
    const every = Uint8Array.from({ length: 65_536 }, (_, n) => (n >> 8) ^ n);
    for (const [id, bytes] of [
      ['every', every],
      ['none', new Uint8Array(0)],
      ['part', every.subarray(10, 20)],
    ] as const) {
      const job = await leased(store, id, { payload: { kind: 'bytes', bytes } });
      same(job.payload, { kind: 'bytes', bytes: Uint8Array.from(bytes) });
      same((await find(store, id)).payload, job.payload);
    }
  });

  test('keeps JSON as it was written', async ({ store }) => {
    const texts = [
      'null',
      '"x"',
      '0',
      '-0',
      '1.50',
      '[ ]',
      '{"a":1,"a":2}',
      '12345678901234567890',
    ];
    for (const text of texts) {
      const job = await leased(store, `job ${text}`, { payload: { kind: 'json', text } });
      same(job.payload, { kind: 'json', text });
      await settled(store, settlementFor(job, 'succeeded', { result: text }));
      equal((await find(store, job.id)).result, text);
    }
  });

  test('keeps names apart that look alike', async ({ store }) => {
    const tenants = ['a', 'A', 'a ', 'á', 'a\u0301', 'ａ'];
    for (const tenant of tenants) await enqueue(store, `of ${tenant}`, { tenant });
    for (const tenant of tenants) {
      const { jobs } = await store.jobs({ tenant }, { limit: 10 });
      deepEqual(
        jobs.map(({ id }) => id),
        [`of ${tenant}`],
      );
    }
  });
}

const LEASE = { worker: 'w', sinceMs: 0, untilMs: 0, policyHash: 'p', alone: false };

const ATTEMPT: JobAttempt = {
  generation: 1,
  attempt: 1,
  startedAtMs: 0,
  durationMs: 0,
  delayBeforeMs: 0,
  entry: 'failed',
  action: 'give-up',
  reason: 'final_error',
  worker: 'w',
  policyHash: 'p',
  maxAttempts: 3,
};
