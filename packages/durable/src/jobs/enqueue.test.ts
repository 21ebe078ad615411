import { isRedriveError } from '@redrive/core';
import { describe, expect, it } from 'vitest';
import { START_MS, workBench } from '../testing/work-bench.ts';
import type { EnqueueOptions } from './jobs.ts';

const bench = () => workBench({ run: (payload: unknown) => payload });

async function refusal(
  call: Promise<unknown>,
): Promise<{ code: string; message: string; details: Record<string, unknown> }> {
  const error = await call.then(
    () => new Error('it was accepted'),
    (thrown: unknown) => thrown,
  );
  if (!isRedriveError(error)) throw error;
  return error;
}

describe('a payload that JSON would change without an error is refused with the path', () => {
  class Point {
    x = 1;
  }
  it.each<[value: unknown, problem: string]>([
    [{ items: [0, 1, 2, { price: Number.NaN }] }, 'payload.items[3].price is NaN'],
    [Number.POSITIVE_INFINITY, 'payload is Infinity'],
    [JSON.parse('{"a":-1e400}'), 'payload.a is -Infinity'],
    [{ 'a b': new Map([[1, 2]]) }, 'payload["a b"] is a Map'],
    [new Set([1]), 'payload is a Set'],
    [[1, undefined, 3], 'payload[1] is undefined'],
    [new Array(2), 'payload[0] is undefined'],
    [[() => 1], 'payload[0] is a function'],
    [{ a: { b: () => 1 } }, 'payload.a.b is a function'],
    [{ a: Symbol('q') }, 'payload.a is a symbol'],
    [{ a: Object(Number.NaN) }, 'payload.a is NaN'],
    [[Symbol('x')], 'payload[0] is a symbol'],
    [{ n: 1n }, 'payload.n is a bigint'],
    [{ bytes: new Uint8Array([1, 2]) }, 'payload.bytes is an Uint8Array'],
    [new Float64Array(1), 'payload is a Float64Array'],
    [{ at: new Date(Number.NaN) }, 'payload.at is a Date'],
    [new Date(0), 'payload is a Date'],
    [{ order: { lines: [{ due: new Date(0) }] } }, 'payload.order.lines[0].due is a Date'],
    [{ error: new Error('x') }, 'payload.error is an Error'],
    [{ pattern: /x/ }, 'payload.pattern is a RegExp'],
    [{ headers: new Headers({ a: 'b' }) }, 'payload.headers is a Headers'],
    [
      { deep: new Map(), list: [new Point(), NaN, NaN, NaN] },
      'payload.deep is a Map; payload.list[1] is NaN; payload.list[2] is NaN; and more',
    ],
  ])('%o', async (value, problem) => {
    const { jobs } = bench();
    const one = await refusal(jobs.enqueue('run', value));
    expect(one).toMatchObject({ code: 'invalid_job' });
    expect(one.message).toContain(`payload must be JSON or bytes: ${problem}`);
    const many = await refusal(jobs.enqueueMany('run', [{}, value]));
    expect(many).toMatchObject({ code: 'invalid_job' });
    expect(many.message).toContain(problem);
  });

  it.each<[value: unknown, text: string]>([
    [{ at: new Date(0).toISOString(), none: undefined }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    [new Point(), '{"x":1}'],
    [Object.create(null, { a: { value: 1, enumerable: true } }), '{"a":1}'],
    [
      { b: Buffer.from('a'), url: new URL('http://x/') },
      '{"b":{"type":"Buffer","data":[97]},"url":"http://x/"}',
    ],
    [{ n: Object(1), zero: -0, big: 1e308 }, '{"n":1,"zero":0,"big":1e+308}'],
    [null, 'null'],
  ])('%o is stored as before', async (value, text) => {
    const { jobs, look } = bench();
    const { id } = await jobs.enqueue('run', value);
    expect((await look(id)).payload).toEqual({ kind: 'json', text });
  });
});

it('a Date is refused with the text to enqueue instead', async () => {
  const { jobs } = bench();
  expect((await refusal(jobs.enqueue('run', { at: new Date(0) }))).message).toBe(
    'Invalid job: payload must be JSON or bytes: payload.at is a Date (enqueue its toISOString()).',
  );
});

describe('an enqueued job', () => {
  it('has all that was asked for', async () => {
    const { jobs, look } = bench();
    const deadline = new Date(START_MS + 60_000);
    const { id, handler, outcome } = await jobs.enqueue(
      'run',
      { n: 1 },
      {
        queue: 'mail',
        tenant: 'acme',
        priority: 5,
        runAt: new Date(START_MS + 1_000),
        deadline,
        tags: ['a', 'b'],
        headers: { trace: 'x' },
        uniqueKey: 'u',
        limitKey: 'l',
        policy: 'p',
        idempotencyKey: 'i',
        correlationId: 'c',
        traceId: 't',
      },
    );
    expect([handler, outcome]).toEqual(['run', 'created']);
    expect(await look(id)).toMatchObject({
      id,
      sessionId: id,
      handler: 'run',
      queue: 'mail',
      tenant: 'acme',
      priority: 5,
      tags: ['a', 'b'],
      headers: { trace: 'x' },
      payload: { kind: 'json', text: '{"n":1}' },
      policyId: 'p',
      uniqueKey: 'u',
      limitKey: 'l',
      idempotencyKey: 'i',
      correlationId: 'c',
      traceId: 't',
      state: 'scheduled',
      dueAtMs: START_MS + 1_000,
      deadlineMs: deadline.getTime(),
      submittedAtMs: START_MS,
    });
  });

  it('has the defaults where nothing was asked for', async () => {
    const { jobs, look } = bench();
    const { id } = await jobs.enqueue('run', null);
    expect(id).toMatch(/^[0-9a-z]{20}$/);
    expect(await look(id)).toMatchObject({
      queue: 'default',
      tenant: '',
      priority: 0,
      tags: [],
      headers: {},
      state: 'ready',
      idempotencyKey: id,
    });
  });

  it('may come later', async () => {
    const { jobs, look } = bench();
    const { id } = await jobs.enqueue('run', null, { delayMs: 500 });
    expect(await look(id)).toMatchObject({ state: 'scheduled', dueAtMs: START_MS + 500 });
  });

  it('has an id that sorts by creation', async () => {
    const { jobs } = bench();
    const many = await jobs.enqueueMany('run', Array(100).fill(null));
    const ids = many.map(({ id }) => id);
    expect([...ids].sort()).toEqual(ids);
  });
});

describe('a payload', () => {
  it.each([
    ['null', null],
    ['a text', 'ä\u{1F600}'],
    ['an empty text', ''],
    ['a number', 0],
    ['nested data', { a: [1, { b: null }], 'c d': true }],
    ['nothing', undefined],
    ['bytes', Uint8Array.of(0, 255, 1)],
    ['a key called __proto__', JSON.parse('{"__proto__":{"admin":true},"constructor":1}')],
  ])('comes to the handler as it was: %s', async (_, payload) => {
    const seen: unknown[] = [];
    const { jobs, clock } = workBench({ run: (given: unknown) => void seen.push(given) });
    await jobs.start();
    await jobs.enqueue('run', payload);
    await clock.advance(10);
    expect(seen).toEqual([payload]);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('is a new value for every attempt', async () => {
    const seen: unknown[] = [];
    const { jobs, clock } = workBench({
      run: {
        run: (payload: { list: number[] }) => {
          seen.push([...payload.list]);
          payload.list.push(2);
          throw new Error('again');
        },
        policy: { maxAttempts: 2, backoff: 'immediate' },
      },
    });
    await jobs.start();
    await jobs.enqueue('run', { list: [1] });
    await clock.advance(100);
    expect(seen).toEqual([[1], [1]]);
  });

  it('of bytes is copied: the caller may go on with its own', async () => {
    const { jobs, look } = bench();
    const bytes = Uint8Array.of(1, 2, 3);
    const command = jobs.prepare('run', bytes);
    bytes[0] = 9;
    expect(command.job.payload).toEqual({ kind: 'bytes', bytes: Uint8Array.of(1, 2, 3) });
    const { id } = await jobs.enqueue('run', bytes);
    expect((await look(id)).payload).toEqual({ kind: 'bytes', bytes });
  });

  const circular: unknown[] = [];
  circular.push(circular);
  let deep: unknown = null;
  for (let depth = 0; depth < 100_000; depth++) deep = [deep];

  it.each([
    ['a function', () => {}, 'JSON has no function'],
    ['a symbol', Symbol('x'), 'JSON has no symbol'],
    ['a big integer', 1n, 'BigInt'],
    ['something circular', circular, 'circular'],
    ['something far too deep', deep, 'call stack'],
    [
      'something that throws',
      {
        toJSON: () => {
          throw 'no';
        },
      },
      'no',
    ],
  ])('is refused when it is %s', async (_, payload, why) => {
    const { jobs } = bench();
    const { code, message } = await refusal(jobs.enqueue('run', payload));
    expect(code).toBe('invalid_job');
    expect(message).toContain('payload must be JSON or bytes');
    expect(message).toContain(why);
  });

  it('of more than a mebibyte is refused, with size and limit', async () => {
    const { jobs } = bench();
    await jobs.enqueue('run', 'x'.repeat(1024 * 1024 - 2));
    const { code, message, details } = await refusal(jobs.enqueue('run', 'x'.repeat(1024 * 1024)));
    expect(code).toBe('payload_too_large');
    expect(message).toContain('1048578 bytes, more than the 1048576');
    expect(details).toEqual({ handler: 'run', bytes: 1_048_578, maxBytes: 1_048_576 });
  });

  it('is measured in bytes, not characters', async () => {
    const { jobs } = workBench({ run: () => {} }, { maxPayloadBytes: 10 });
    await jobs.enqueue('run', 'ääää');
    expect((await refusal(jobs.enqueue('run', 'äääää'))).code).toBe('payload_too_large');
    expect((await refusal(jobs.enqueue('run', new Uint8Array(11)))).code).toBe('payload_too_large');
  });
});

describe('options of an enqueue', () => {
  it('are refused with every problem at once', async () => {
    const { jobs } = bench();
    const wrong = {
      queue: '',
      tenant: 'x'.repeat(201),
      priority: 1.5,
      runAt: new Date('nonsense'),
      delayMs: -1,
      deadline: 'tomorrow',
      tags: ['', 'y'.repeat(101)],
      headers: { a: 1 },
      uniqueKey: 'z'.repeat(513),
      onConflict: 'ignore',
      limitKey: 7,
      policy: '',
      idempotencyKey: 'a\nb',
      correlationId: '\ud800',
      colour: 'red',
    };
    const { code, details } = await refusal(
      jobs.enqueue('run', 1n, wrong as unknown as EnqueueOptions),
    );
    expect(code).toBe('invalid_job');
    const problems = details.problems as { field: string }[];
    expect(problems.map(({ field }) => field).sort()).toEqual(
      [
        'colour',
        'correlationId',
        'deadline',
        'delayMs',
        'delayMs',
        'headers.a',
        'idempotencyKey',
        'limitKey',
        'onConflict',
        'payload',
        'policy',
        'priority',
        'queue',
        'runAt',
        'tags[0]',
        'tags[1]',
        'tenant',
        'uniqueKey',
      ].sort(),
    );
  });

  it.each<[string, unknown]>([
    ['33 tags', { tags: Array(33).fill('x') }],
    ['tags of another kind', { tags: [1] }],
    [
      '65 headers',
      { headers: Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`h${n}`, ''])) },
    ],
    ['headers of 16 KiB and more', { headers: { h: 'x'.repeat(16_384) } }],
    ['headers that are none', { headers: ['x'] }],
    ['a header without a name', { headers: { '': 'x' } }],
    ['something that is no object', 'fast'],
  ])('are refused: %s', async (_, options) => {
    const { jobs } = bench();
    expect((await refusal(jobs.enqueue('run', null, options as EnqueueOptions))).code).toBe(
      'invalid_job',
    );
  });

  it('with __proto__ among the headers are harmless', async () => {
    const { jobs, look } = bench();
    const headers = JSON.parse('{"__proto__":"x","constructor":"y"}');
    const { id } = await jobs.enqueue('run', null, { headers });
    expect(Object.entries((await look(id)).headers)).toEqual(Object.entries(headers));
  });

  it('can be changed afterwards without changing the job', () => {
    const { jobs } = bench();
    const options = { tags: ['a'], headers: { h: '1' } };
    const { job } = jobs.prepare('run', null, options);
    options.tags.push('b');
    options.headers.h = '2';
    expect(job).toMatchObject({ tags: ['a'], headers: { h: '1' } });
  });

  it.each(['nobody', '__proto__', 'constructor', 'toString'])(
    'know no handler called %s',
    async (name) => {
      const { jobs } = bench();
      const { code, message } = await refusal(jobs.enqueue(name as 'run', null));
      expect(code).toBe('unknown_handler');
      expect(message).toContain('(known: run)');
    },
  );
});

describe('a unique key', () => {
  it('is had by one unfinished job', async () => {
    const { jobs } = bench();
    const first = await jobs.enqueue('run', 1, { uniqueKey: 'k' });
    expect(await jobs.enqueue('run', 2, { uniqueKey: 'k' })).toEqual({
      ...first,
      outcome: 'existing',
    });
    expect(await jobs.enqueue('run', 3, { uniqueKey: 'k', onConflict: 'replace' })).toEqual({
      ...first,
      outcome: 'replaced',
    });
    const { code, details } = await refusal(
      jobs.enqueue('run', 4, { uniqueKey: 'k', onConflict: 'refuse' }),
    );
    expect([code, details]).toEqual(['unique_conflict', { id: first.id, uniqueKey: 'k' }]);
  });
});

describe('many jobs', () => {
  it('are stored in one commit', async () => {
    const { jobs, store } = bench();
    const many = await jobs.enqueueMany('run', [1, 2, 3], { queue: 'q' });
    expect(many.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'created']);
    expect(await store.auditBlocks(0, 10)).toHaveLength(1);
    expect((await store.counts()).groups).toEqual([
      { queue: 'q', handler: 'run', state: 'ready', count: 3 },
    ]);
  });

  it('may be none', async () => {
    const { jobs, store } = bench();
    expect(await jobs.enqueueMany('run', [])).toEqual([]);
    expect(await store.auditBlocks(0, 10)).toEqual([]);
  });

  it('are all refused when one is wrong', async () => {
    const { jobs, store } = bench();
    expect((await refusal(jobs.enqueueMany('run', [1, 2n]))).code).toBe('invalid_job');
    expect((await refusal(jobs.enqueueMany('run', [1, 'x'.repeat(2 ** 21)]))).code).toBe(
      'payload_too_large',
    );
    expect((await store.counts()).groups).toEqual([]);
  });

  it('cannot share a key that is one job’s', async () => {
    const { jobs, store } = bench();
    for (const payloads of [[1, 2], [1], []]) {
      const { code, message } = await refusal(
        // @ts-expect-error: these options belong to one job.
        jobs.enqueueMany('run', payloads, { uniqueKey: 'u', idempotencyKey: 'i' }),
      );
      expect(code).toBe('invalid_job');
      expect(message).toBe(
        'Invalid jobs: uniqueKey belongs to one job: return it from a function, (payload, index) => ({ uniqueKey }); ' +
          'idempotencyKey belongs to one job: return it from a function, (payload, index) => ({ idempotencyKey }).',
      );
    }
    expect((await store.counts()).groups).toEqual([]);
  });

  it('have options of their own where a function returns them', async () => {
    const { jobs, look } = workBench({ mail: (_: { name: string; language: string }) => {} });
    const users = [
      { name: 'ada', language: 'en' },
      { name: 'bob', language: 'de' },
      { name: 'ada', language: 'en' },
    ];
    const many = await jobs.enqueueMany('mail', users, ({ name, language }, index) => ({
      uniqueKey: `welcome ${name}`,
      idempotencyKey: `${name}-${index}`,
      queue: language,
      headers: { index: String(index) },
    }));
    expect(many.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'existing']);
    expect(many[2]?.id).toBe(many[0]?.id);
    const [ada, bob] = await Promise.all(many.map(({ id }) => look(id)));
    expect(ada).toMatchObject({ uniqueKey: 'welcome ada', idempotencyKey: 'ada-0', queue: 'en' });
    expect(bob).toMatchObject({ queue: 'de', headers: { index: '1' } });
  });

  it('have the defaults where the function returns nothing', async () => {
    const { jobs, look } = bench();
    const [one] = await jobs.enqueueMany('run', [1], () => undefined);
    expect(await look(one?.id ?? '')).toMatchObject({ queue: 'default' });
  });

  it('are all refused when the options of one are wrong, which the message names', async () => {
    const { jobs, store } = bench();
    const wrong = (options: unknown) =>
      refusal(jobs.enqueueMany('run', [1, 2n], (_, n) => (n === 1 ? (options as object) : {})));
    expect((await wrong({ uniqueKey: '', delay: 5 })).message).toMatch(
      /^Invalid job \(payloads\[1\]\): delay is unknown \(did you mean delayMs\?\); payload must be JSON or bytes: .*; uniqueKey/,
    );
    expect((await wrong(Promise.resolve({}))).message).toContain(
      'Invalid job (payloads[1]): it must be an object, not a promise',
    );
    expect((await wrong({ onConflict: 'refuse' })).message).toContain(
      'onConflict cannot be refuse, because enqueueMany stores all jobs or none',
    );
    expect((await store.counts()).groups).toEqual([]);
  });

  it('are at most 10,000 at a time', async () => {
    const { jobs } = bench();
    const large = Array(70).fill(new Uint8Array(1024 * 1024));
    expect(await refusal(jobs.enqueueMany('run', large))).toMatchObject({
      code: 'payload_too_large',
      details: { bytes: 70 * 1024 * 1024, maxBytes: 64 * 1024 * 1024, jobs: 70 },
    });
    const { code, message } = await refusal(jobs.enqueueMany('run', Array(10_001).fill(0)));
    expect([code, message]).toEqual([
      'invalid_job',
      'enqueueMany takes a list of at most 10000 payloads, not 10001',
    ]);
    // @ts-expect-error: plain JavaScript may give anything.
    expect((await refusal(jobs.enqueueMany('run', 'abc'))).code).toBe('invalid_job');
  });
});

describe('prepare', () => {
  it('checks like enqueue, and stores nothing', async () => {
    const { jobs, store } = bench();
    const command = jobs.prepare('run', { n: 1 }, { delayMs: 5 });
    expect(command).toMatchObject({
      kind: 'enqueue',
      due: { inMs: 5 },
      onConflict: 'existing',
      job: { handler: 'run', payload: { text: '{"n":1}' } },
      actor: { name: 'app:w1' },
    });
    expect(() => jobs.prepare('run', 1n)).toThrow('payload must be JSON');
    expect((await store.counts()).groups).toEqual([]);
    await store.apply([command]);
    expect(await jobs.job(command.job.id)).toMatchObject({ state: 'scheduled' });
  });
});
