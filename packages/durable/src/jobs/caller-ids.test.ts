import { isRedriveError } from '@redrive/core';
import { describe, expect, it } from 'vitest';
import { jobIdOf } from '../job/caller-id.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';
import type { EnqueueOptions } from './jobs.ts';

const HOUR_MS = 3_600_000;

function bench() {
  const ran: unknown[] = [];
  const handlers = {
    report: (payload: unknown) => ran.push(payload),
    invoice: (payload: unknown) => ran.push(payload),
  };
  const made = workBench(handlers);
  let isStarted = false;
  const drain = async () => {
    if (!isStarted) await made.jobs.start();
    isStarted = true;
    await made.clock.advance(1_000);
  };
  return { ...made, ran, drain };
}

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

describe('an id of the caller', () => {
  it('is never run again as long as the job is kept', async () => {
    const { jobs, ran, drain } = bench();
    const first = await jobs.enqueue('report', { day: 1 }, { id: 'report:1' });
    expect(first).toEqual({ id: 'id::report:1', handler: 'report', outcome: 'created' });
    for (let n = 0; n < 3; n += 1) {
      await drain();
      const again = await jobs.enqueue('report', { day: 1 }, { id: 'report:1' });
      expect(again).toEqual({ ...first, outcome: 'existing' });
    }
    expect(ran).toEqual([{ day: 1 }]);
  });

  it('is for one handler and one payload', async () => {
    const { jobs, ran, drain } = bench();
    await jobs.enqueue('report', { day: 1, of: 'sales' }, { id: 'r' });
    expect(
      await refusal(jobs.enqueue('report', { day: 2, of: 'sales' }, { id: 'r' })),
    ).toMatchObject({
      code: 'idempotency_conflict',
      message:
        'The job id::r was enqueued with another handler or payload: one id is for one piece of work',
      details: { id: 'id::r' },
    });
    await drain();
    const other = refusal(jobs.enqueue('invoice', { day: 1, of: 'sales' }, { id: 'r' }));
    expect((await other).code).toBe('idempotency_conflict');
    // The order of members does not matter, nor do other options.
    const same = await jobs.enqueue('report', { of: 'sales', day: 1 }, { id: 'r', priority: 5 });
    expect(same.outcome).toBe('existing');
    await drain();
    expect(ran).toHaveLength(1);
  });

  it('compares bytes, texts without canonical JSON, and no payload', async () => {
    const { jobs } = bench();
    const payloads = [
      [new Uint8Array([1]), new Uint8Array([2])],
      [2 ** 60, 2 ** 61],
      [undefined, null],
      ['', undefined],
    ];
    for (const [n, [one, other]] of payloads.entries()) {
      await jobs.enqueue('report', one, { id: `${n}` });
      const again = await jobs.enqueue('report', one, { id: `${n}` });
      expect(again.outcome).toBe('existing');
      const { code } = await refusal(jobs.enqueue('report', other, { id: `${n}` }));
      expect(code).toBe('idempotency_conflict');
    }
  });

  it('is of its tenant, whatever the names', async () => {
    const { jobs } = bench();
    const pairs = [
      ['x', ''],
      ['x', 'acme'],
      ['acme:x', ''],
      [':x', 'acme'],
      ['x', 'acme:'],
      ['x', 'acme%3A'],
      ['x', 'acme%'],
      ['x', 'Acme'],
    ] as const;
    const ids = new Set<string>();
    for (const [n, [id, tenant]] of pairs.entries()) {
      const job = await jobs.enqueue('report', n, { id, tenant });
      expect(job).toMatchObject({ id: jobIdOf(id, tenant), outcome: 'created' });
      ids.add(job.id);
    }
    expect(ids.size).toBe(pairs.length);
  });

  it('is apart from the ids of events and schedules', async () => {
    const { jobs } = bench();
    expect(() =>
      jobs.schedule('id::nightly', { handler: 'report', payload: 1, everyMs: 1_000 }),
    ).toThrow('name must not begin with id:, which is for ids of callers');
    // What a source or a schedule of this name would make.
    const job = await jobs.enqueue('report', 1, { id: 'chunking-17' });
    expect(job.id).toBe('id::chunking-17');
  });

  it('is the default of the idempotency key', async () => {
    const { jobs, look } = bench();
    const { id } = await jobs.enqueue('report', 1, { id: 'r', tenant: 'acme' });
    expect(await look(id)).toMatchObject({ sessionId: 'id:acme:r', idempotencyKey: 'id:acme:r' });
  });

  it('can be given to each job of many', async () => {
    const { jobs, ran, drain } = bench();
    await jobs.enqueue('report', 2, { id: 'day-2' });
    await drain();
    const many = await jobs.enqueueMany('report', [1, 2, 3, 1], (day) => ({ id: `day-${day}` }));
    expect(many.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['id::day-1', 'created'],
      ['id::day-2', 'existing'],
      ['id::day-3', 'created'],
      ['id::day-1', 'existing'],
    ]);
    await drain();
    expect(ran).toEqual([2, 1, 3]);
    const { code, message } = await refusal(
      jobs.enqueueMany('report', [4, 5], (day) => ({ id: day === 5 ? 'day-1' : 'day-4' })),
    );
    expect(code).toBe('idempotency_conflict');
    expect(message).toContain(
      'one id is for one piece of work. 1 other jobs of the call are stored',
    );
  });

  it.each<[options: unknown, problem: string]>([
    [{ id: '' }, 'id must not be empty'],
    [{ id: 7 }, 'id must be a text, not a value of type number'],
    [{ id: 'a\nb' }, 'id must not have control characters'],
    [{ id: 'a'.repeat(201) }, 'id must have at most 200 characters, not 201'],
    [{ id: 'a'.repeat(200), tenant: ':'.repeat(200) }, 'id and tenant together may have 512'],
    [{ id: 'a', onConflict: 'replace' }, 'onConflict cannot be replace together with id'],
  ])('cannot be %j', async (options, problem) => {
    const { jobs } = bench();
    const error = await refusal(jobs.enqueue('report', 1, options as EnqueueOptions));
    expect(error.code).toBe('invalid_job');
    expect(error.message).toContain(problem);
  });
});

describe('a unique key for a time', () => {
  const unique = { key: 'refresh:berlin', forMs: HOUR_MS };

  it('lets one of three enqueues in one slot run', async () => {
    const { jobs, ran, drain, clock } = bench();
    const first = await jobs.enqueue('report', 1, { unique });
    for (const n of [2, 3]) {
      await drain();
      await clock.advance(HOUR_MS / 4);
      expect(await jobs.enqueue('report', n, { unique })).toEqual({
        ...first,
        outcome: 'existing',
      });
    }
    await drain();
    expect(ran).toEqual([1]);
    await clock.advance(START_MS + HOUR_MS - clock.now());
    expect((await jobs.enqueue('report', 4, { unique })).outcome).toBe('created');
  });

  it('is refused where that is wanted, also after the job', async () => {
    const { jobs, drain } = bench();
    const { id } = await jobs.enqueue('report', 1, { unique });
    await drain();
    expect(
      await refusal(jobs.enqueue('report', 2, { unique, onConflict: 'refuse' })),
    ).toMatchObject({
      code: 'unique_conflict',
      message: `The job ${id} has the unique key refresh:berlin`,
      details: { id, uniqueKey: 'refresh:berlin' },
    });
  });

  it('can be given to each job of many', async () => {
    const { jobs, ran, drain } = bench();
    const cities = ['berlin', 'paris', 'berlin'];
    const options = (city: unknown) => ({ unique: { key: `${city}`, forMs: HOUR_MS } });
    await jobs.enqueueMany('report', cities, options);
    await drain();
    const again = await jobs.enqueueMany('report', cities, options);
    expect(again.map(({ outcome }) => outcome)).toEqual(['existing', 'existing', 'existing']);
    await drain();
    expect(ran).toEqual(['berlin', 'paris']);
  });

  it.each<[options: unknown, problem: string]>([
    [{ unique: 'k' }, 'unique must be an object, { key, forMs }'],
    [{ unique: { forMs: 1 } }, 'unique.key must be a text'],
    [{ unique: { key: '', forMs: 1 } }, 'unique.key must not be empty'],
    [{ unique: { key: 'k' } }, 'unique.forMs must be a number from 1 to 31622400000'],
    [{ unique: { key: 'k', forMs: 0 } }, 'unique.forMs must be a number from 1'],
    [{ unique: { key: 'k', forMs: Infinity } }, 'unique.forMs must be a number from 1'],
    [{ unique: { key: 'k', forMs: Number.NaN } }, 'unique.forMs must be a number from 1'],
    [{ unique: { key: 'k', forMs: 1, form: 2 } }, 'unique.form is unknown'],
    [{ unique, uniqueKey: 'k' }, 'unique cannot be given together with uniqueKey'],
  ])('cannot be %j', async (options, problem) => {
    const { jobs } = bench();
    const error = await refusal(jobs.enqueue('report', 1, options as EnqueueOptions));
    expect(error.code).toBe('invalid_job');
    expect(error.message).toContain(problem);
  });

  it('belongs to one job', async () => {
    const { jobs } = bench();
    const { message } = await refusal(
      // @ts-expect-error: these options belong to one job.
      jobs.enqueueMany('report', [1], { unique, id: 'a' }),
    );
    expect(message).toContain('id belongs to one job: return it from a function');
    expect(message).toContain('unique belongs to one job');
  });
});
