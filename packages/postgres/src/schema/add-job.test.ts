import { canonicalJson } from '@redrive/core/idempotency';
import type { FullStore, Job, Jobs } from '@redrive/durable';
import { jobsOn } from '@redrive/durable';
import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';

const server = testServer(NO_SYNC);

let schema: string;
let store: FullStore;
let client: Client;
const handlers = { mail: async (_: unknown) => {} };
let jobs: Jobs<typeof handlers>;

beforeAll(async () => {
  schema = server.newSchema();
  store = await openMade(server.url, { schema, onWarning: () => {} }, { audit: true });
  jobs = jobsOn(store, handlers);
  client = new Client({ connectionString: server.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await store.close();
});

type Options = Readonly<Record<string, unknown>>;

/** As a program in another language calls it. */
async function addJob(payload: unknown, options: unknown = {}, handler: string | null = 'mail') {
  const text = payload === undefined ? null : JSON.stringify(payload);
  const { rows } = await client.query<{ id: string; outcome: string }>(
    `select * from ${schema}.add_job($1::text, $2::text::jsonb, $3::text::jsonb)`,
    [handler, text, JSON.stringify(options)],
  );
  return rows[0] ?? { id: '', outcome: '' };
}

/** The message of an error, or what a call resolves to. */
const messageOf = async (call: () => unknown): Promise<unknown> => {
  try {
    return await call();
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
};

/** Options of TypeScript: times are dates. */
const dated = (options: Options): object => ({
  ...options,
  ...(typeof options.runAt === 'string' && { runAt: new Date(options.runAt) }),
  ...(typeof options.deadline === 'string' && { deadline: new Date(options.deadline) }),
});

// Wrong ones too, as plain JavaScript may pass them.
const jobsRefuse = (payload: unknown, options: Options) =>
  messageOf(() => void jobs.prepare('mail', payload, dated(options)));

const long = (length: number): string => 'x'.repeat(length);

describe('add_job refuses a job with the words of jobs.enqueue', () => {
  it.each<[string, Options]>([
    ['an unknown option', { color: 'red' }],
    ['an unknown option that is near a known one', { prio: 1, dleayMs: 3, Unique_key: 'k' }],
    ['a priority out of range', { priority: 1001 }],
    ['a priority that is a text', { priority: '3' }],
    ['a fractional priority', { priority: 1.5 }],
    ['a negative delay', { delayMs: -1e-7 }],
    ['a delay beyond all bounds', { delayMs: 1e30 }],
    ['tags that are no list', { tags: 3 }],
    ['tags of several types', { tags: ['a', 3] }],
    ['an empty tag', { tags: ['a', ''] }],
    ['a long tag', { tags: long(101) }],
    ['attempts beyond all bounds', { maxAttempts: 1_000_000_001 }],
    ['no attempts', { maxAttempts: 0 }],
    ['a policy that is a list', { policy: ['a'] }],
    ['many tags', { tags: Array.from({ length: 33 }, String) }],
    ['an odd conflict', { onConflict: 'ignore' }],
    ['an empty queue', { queue: '' }],
    ['a queue that is a number', { queue: 7 }],
    ['a long queue', { queue: long(201) }],
    ['a long queue of characters that count twice', { queue: '🐘'.repeat(101) }],
    ['a tenant with a control character', { tenant: 'a\u0001b' }],
    ['a tenant with a later control character', { tenant: 'a\u0085b' }],
    ['an empty id', { id: '' }],
    ['an id that is too long with its tenant', { id: long(150), tenant: ':'.repeat(150) }],
    ['an id that replaces', { id: 'a', onConflict: 'replace', uniqueKey: 'k' }],
    ['a long unique key', { uniqueKey: long(513) }],
    ['a unique key that is a list', { uniqueKey: ['k'] }],
    ['unique as a text', { unique: 'k' }],
    ['unique without a time', { unique: { key: 'k' } }],
    ['unique without a key', { unique: { forMs: 1 } }],
    ['unique with an unknown member', { unique: { key: 'k', forMs: 1, per: 'day' } }],
    ['unique for too long', { unique: { key: 'k', forMs: 1e12 } }],
    ['unique twice', { unique: { key: 'k', forMs: 5 }, uniqueKey: 'k' }],
    [
      'empty keys',
      { limitKey: '', policy: '', idempotencyKey: '', correlationId: '', traceId: '' },
    ],
    ['a time that is none', { runAt: 'tomorrow' }],
    ['a deadline that is none', { deadline: '2026-13-01T00:00:00Z' }],
    ['a time and a delay', { runAt: '2026-01-01T00:00:00.000Z', delayMs: 0 }],
    ['headers that are a list', { headers: ['a'] }],
    ['headers that are no texts', { headers: { traceparent: 3 } }],
    ['an empty header name', { headers: { traceparent: long(16_385) } }],
    [
      'many headers',
      { headers: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [i, ''])) },
    ],
    ['several problems', { queue: '', tags: [''], delayMs: 'x', nothing: 1 }],
  ])('%s', async (_, options) => {
    const refusal = await jobsRefuse({}, options);
    expect(refusal).toMatch(/^Invalid job: /);
    expect(await messageOf(() => addJob({}, options))).toBe(refusal);
  });

  it('a number halfway between two doubles', async () => {
    const options = { priority: 37371029273204860 };
    const refusal = await jobsRefuse(null, options);
    expect(refusal).toContain('not 37371029273204860.');
    expect(await messageOf(() => addJob(null, options))).toBe(refusal);
  });

  it('any options', async () => {
    const value = fc.oneof(
      fc.constantFrom(null, true, '', 'a', 'k\u0007', 0, -1, 3.5, 1e21, [], ['t'], {}),
      fc.string({ maxLength: 8 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    const names =
      'queue tenant priority delayMs tags uniqueKey unique onConflict limitKey policy maxAttempts idempotencyKey correlationId traceId colour'.split(
        ' ',
      );
    const options = fc.record(Object.fromEntries(names.map((name) => [name, value])), {
      requiredKeys: [],
    });
    await fc.assert(
      fc.asyncProperty(options, async (given) => {
        if (JSON.stringify(given).includes('\\u0000')) return;
        // SQL refuses a policy that is written out: see below.
        fc.pre(
          Array.isArray(given.policy) || typeof given.policy !== 'object' || given.policy === null,
        );
        const refusal = await jobsRefuse(null, given);
        if (refusal === undefined)
          expect(await addJob(null, given)).toMatchObject({ outcome: expect.any(String) });
        else expect(await messageOf(() => addJob(null, given))).toBe(refusal);
      }),
      { numRuns: 300 },
    );
  });

  it('options that are no object, and headers with secrets', async () => {
    expect(await messageOf(() => addJob(1, 'x'))).toBe(
      'Invalid job: it must be an object, not the string "x".',
    );
    expect(await messageOf(() => addJob(1, { headers: { cookie: 'a' } }))).toBe(
      'Invalid job: headers.cookie cannot be given to add_job, which cannot mask the secrets in it: put it into the payload, or use jobs.enqueue.',
    );
    expect(await messageOf(() => addJob(1, { policy: { maxAttempts: 2 } }))).toBe(
      'Invalid job: policy cannot be written out for add_job, which cannot check it: give its name and maxAttempts, or use jobs.enqueue.',
    );
  });

  it('a handler without a name', async () => {
    expect(await messageOf(() => addJob(1, {}, ''))).toBe(
      'Invalid job: handler must not be empty.',
    );
    expect(await messageOf(() => addJob(1, {}, null))).toMatch(
      /^Invalid job: handler must be a text/,
    );
  });

  it('a payload that is too large', async () => {
    const payload = long(2 ** 20);
    const refusal = await jobsRefuse(payload, {});
    expect(refusal).toMatch(/^The payload of a job for mail has at least 1048578 bytes/);
    const words = String(refusal).replace(', or raise maxPayloadBytes', '');
    expect(await messageOf(() => addJob(payload))).toBe(words);
  });

  it.each(['9007199254740993', '-1e400', '{"a": [12345678901234567890]}'])(
    'a payload with a number that JavaScript would round: %s',
    async (payload) => {
      const call = client.query(`select ${schema}.add_job('mail', $1)`, [payload]);
      await expect(call).rejects.toMatchObject({
        code: '22023',
        detail: 'invalid_job',
        message: expect.stringMatching(
          /^Invalid job: payload must be JSON or bytes: the number \S+ would become \S+; pass large integers as strings\.$/,
        ),
      });
    },
  );
});

/** The digest of another payload depends on the order of its members. */
function isCanonical(payload: unknown): boolean {
  try {
    return canonicalJson(payload) !== '';
  } catch {
    return false;
  }
}

describe('a job of add_job', () => {
  /** What depends on the time, the place and the author. */
  const comparable = (job: Job | undefined) => {
    const { submittedAtMs, generationAtMs, dueAtMs, deadlineMs, auditBlock, ...rest } = job as Job;
    const { payload } = rest;
    const read = payload?.kind === 'json' && payload.text !== '' ? JSON.parse(payload.text) : null;
    return {
      ...rest,
      payload: read,
      dueInMs: dueAtMs === undefined ? undefined : Math.round((dueAtMs - submittedAtMs) / 60_000),
      hasDeadline: deadlineMs !== undefined,
    };
  };
  const recordOf = async (job: Job | undefined): Promise<unknown> => {
    const [block] = await store.auditBlocks((job?.auditBlock ?? 0) - 1, 1);
    const [record] = JSON.parse(block?.body ?? '') as unknown[][];
    const detail = JSON.stringify(record?.at(-1)).replace(/"by":"[^"]*"/, '"by":"…"');
    return { writer: block?.writer, record: record?.slice(1, 5), detail };
  };

  it.each<[string, unknown, Options]>([
    ['without options', { a: 1 }, {}],
    ['without a payload', undefined, {}],
    [
      'with all options',
      [1, 'ü"\\\n'],
      {
        queue: 'q"',
        tenant: 'ten%ant:',
        priority: -7,
        delayMs: 120_000.5,
        deadline: '2999-01-01T00:00:00.000Z',
        tags: ['a', 'b"c', '{'],
        uniqueKey: 'KEY',
        onConflict: 'refuse',
        limitKey: 'l',
        policy: 'p',
        maxAttempts: 5,
        idempotencyKey: 'i',
        correlationId: 'c',
        traceId: 't',
        headers: { traceparent: '00-1' },
      },
    ],
    ['at a time', 'x', { runAt: '2998-01-01T00:00:00.000Z', tags: 'one' }],
    [
      'with an id',
      { b: [1, 2.5, 1e-7, 123456.789e-9, -0.0], a: { '\u{1f418}': 1, '\uffee': 2, ä: 'ß' } },
      { id: 'ID', tenant: 'a:b' },
    ],
  ])('is stored and recorded as one of jobs.enqueue: %s', async (name, payload, options) => {
    const of = (which: string): Options => ({
      ...options,
      // Two jobs: each has ids and keys of its own.
      ...(typeof options.id === 'string' && { id: `${which}-${name}` }),
      ...(typeof options.uniqueKey === 'string' && { uniqueKey: which }),
    });
    const mine = await addJob(payload, of('sq'));
    const command = jobs.prepare('mail', payload, dated(of('js')));
    await store.apply([command]);
    const [sql, js] = await Promise.all([store.job(mine.id), store.job(command.job.id)]);
    const unnamed = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value)
          .replaceAll(mine.id, 'ID')
          .replaceAll(command.job.id, 'ID')
          .replace('"uniqueKey":"sq"', '"uniqueKey":"js"'),
      );
    expect(unnamed(comparable(sql))).toEqual(unnamed(comparable(js)));
    const [record, other] = [await recordOf(sql), await recordOf(js)];
    expect({ ...(record as object), writer: '' }).toEqual({ ...(other as object), writer: '' });
    expect(record).toMatchObject({ writer: 'leaf' });
  });

  it('with an id is the same enqueue as one of jobs.enqueue with the same payload', async () => {
    let n = 0;
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (payload) => {
        if (JSON.stringify(payload).includes('\\u0000') || !isCanonical(payload)) return;
        const id = `same-${n++}`;
        await store.apply([jobs.prepare('mail', payload, { id })]);
        const again = await messageOf(() => addJob(payload, { id }));
        expect(again, JSON.stringify(payload)).toEqual({ id: `id::${id}`, outcome: 'existing' });
      }),
      { numRuns: 200 },
    );
    const other = await messageOf(() => addJob('other', { id: 'same-0' }));
    const refusal = await messageOf(() => jobs.enqueue('mail', 'other', { id: 'same-0' }));
    expect(other).toBe(refusal);
    expect(other).toMatch(/was enqueued with another handler or payload/);
  });

  it('conflicts of a unique key are those of jobs.enqueue', async () => {
    const first = await addJob(1, { uniqueKey: 'u' });
    expect(await addJob(2, { uniqueKey: 'u' })).toEqual({ id: first.id, outcome: 'existing' });
    expect(await addJob(2, { uniqueKey: 'u', onConflict: 'replace' })).toEqual({
      id: first.id,
      outcome: 'replaced',
    });
    const refuse = { uniqueKey: 'u', onConflict: 'refuse' } as const;
    const refused = await messageOf(() => addJob(2, refuse));
    expect(refused).toBe(`The unfinished job ${first.id} has the unique key u`);
    expect(refused).toBe(await messageOf(() => jobs.enqueue('mail', undefined, refuse)));
    const window = { unique: { key: 'w', forMs: 60_000.5 } };
    const held = await addJob(1, window);
    expect(await addJob(1, window)).toEqual({ id: held.id, outcome: 'existing' });
  });

  it('exists if and only if the transaction commits, and is found by a worker', async () => {
    await client.query('begin');
    const gone = await addJob({ n: 1 });
    await client.query('rollback');
    expect(await store.job(gone.id)).toBeUndefined();
    const seen: unknown[] = [];
    const worker = jobsOn(store, { trigger: async (payload: unknown) => void seen.push(payload) });
    await client.query(`create table ${schema}_orders (id bigint);
      create function ${schema}_mail() returns trigger language plpgsql as $$
      begin
        perform ${schema}.add_job('trigger', jsonb_build_object('order', new.id), '{"queue": "mails"}');
        return new;
      end $$;
      create trigger mail after insert on ${schema}_orders for each row execute function ${schema}_mail()`);
    await client.query(`insert into ${schema}_orders select generate_series(1, 3)`);
    store.committed();
    const ids = (await store.jobs({ handler: 'trigger' }, { limit: 9 })).jobs.map(({ id }) => id);
    expect(ids).toHaveLength(3);
    expect(ids[0]).toMatch(/^[0-9a-z]{20}$/);
    await worker.start();
    for (const id of ids) await worker.wait(id);
    await worker.stop();
    expect(seen).toEqual(expect.arrayContaining([{ order: 1 }, { order: 2 }, { order: 3 }]));
  });

  it('has an id of the time at which it was made, as jobs.enqueue makes them', async () => {
    const before = Date.parse('2026-01-01');
    const { id } = await addJob(1);
    const at = Number.parseInt(id.slice(0, 9), 36);
    expect(at).toBeGreaterThan(before);
    expect((await store.job(id))?.submittedAtMs).toBeGreaterThanOrEqual(at);
    expect(jobs.prepare('mail', 1).job.id).toHaveLength(id.length);
  });
});
