import { definePolicy, type ResolvedPolicy } from '@redrive/core';
import { hashPolicy, toAuditV1 } from '@redrive/core/records';
import { describe, expect, it } from 'vitest';
import { deadLetterOf } from '../dead-letter/envelope.ts';
import { jobDocument } from '../documents/job-document.ts';
import { recordsOf, sessionDocument } from '../documents/records-of.ts';
import { RUNS_DEFAULT } from '../handler/runs-default.ts';
import { workBench } from '../testing/work-bench.ts';

const failing = () => Promise.reject(new Error('down'));

function policies(initial: Record<string, ResolvedPolicy>) {
  const known = new Map(Object.entries(initial));
  return Object.assign((id: string) => known.get(id), { known });
}

const slow = definePolicy({
  id: 'p',
  maxAttempts: 5,
  baseDelayMs: 60_000,
  maxDelayMs: 60_000,
  jitter: 'none',
});
const quick = definePolicy({ id: 'p', maxAttempts: 5, baseDelayMs: 1_000, jitter: 'none' });

describe('unclassified: final', () => {
  it('is obeyed by the job worker: a plain Error runs once', async () => {
    const policy = { unclassified: 'final', maxAttempts: 8, baseDelayMs: 1 } as const;
    const { jobs, clock, look } = workBench({ run: { run: failing, policy } });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(60_000);
    expect(await look(id)).toMatchObject({
      state: 'dead',
      reason: 'final_error',
      account: { entries: { failed: 1 } },
    });
  });
});

describe('the answer of `policies`', () => {
  const p = { baseDelayMs: 1, jitter: 'none' } as const;

  it('goes through definePolicy: maxAttempts: 2 alone is a policy with two attempts', async () => {
    const { jobs, clock, look, store } = workBench(
      { run: { run: failing, policy: 'p' } },
      { policies: (id) => ({ id, maxAttempts: 2, ...p }) },
    );
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(60_000);
    const job = await look(id);
    expect(job).toMatchObject({
      state: 'dead',
      reason: 'max_attempts_exceeded',
      account: { entries: { failed: 2 } },
    });
    const [first, second] = job.attempts.kept;
    expect(first?.policyHash).toBe(second?.policyHash);
    expect(await store.policy(first?.policyHash ?? '')).toMatchObject({ id: 'p' });
  });

  it('is named as it was asked for where it has no id', async () => {
    const { jobs, clock, look, store } = workBench(
      { run: { run: failing, policy: 'p' } },
      { policies: () => ({ maxAttempts: 1 }) },
    );
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    const hash = (await look(id)).attempts.kept[0]?.policyHash ?? '';
    expect(await store.policy(hash)).toMatchObject({ id: 'p' });
  });

  it.each<[string, () => unknown, RegExp]>([
    [
      'throws',
      () => {
        throw new Error('no file');
      },
      /no file/,
    ],
    ['is a wrong policy', () => ({ maxAttempts: 0 }), /maxAttempts must be/],
    ['has unknown fields', () => ({ retries: 3 }), /retries is unknown/],
    ['is a text', () => 'p', /must answer with a policy or undefined, not with a string/],
    ['is a number', () => 7, /not with a number/],
    ['is a list', () => [], /not with a Array/],
    ['is a promise', () => Promise.reject(new Error('late')), /not with a Promise/],
  ])('that %s is a notice, and the last good one stays in force', async (_, bad, message) => {
    let answer: () => unknown = () => ({ maxAttempts: 3, ...p });
    const { jobs, clock, look, noticesOf } = workBench(
      { run: { run: failing, policy: 'p' } },
      { policies: () => answer() as ResolvedPolicy }, // As plain JavaScript would.
    );
    await jobs.start();
    answer = bad;
    const { id } = await jobs.enqueue('run', null);
    await jobs.enqueue('run', null);
    await clock.advance(60_000);
    expect(await look(id)).toMatchObject({ state: 'dead', account: { entries: { failed: 3 } } });
    expect(noticesOf('invalid_policy')).toEqual([
      {
        kind: 'invalid_policy',
        policy: 'p',
        error: expect.objectContaining({ message: expect.stringMatching(message) }),
      },
    ]);
    expect(noticesOf('unknown_policy')).toEqual([]);
    // It is mended: the next claim goes by it, and a second mistake is told again.
    answer = () => ({ maxAttempts: 1 });
    const next = await jobs.enqueue('run', null);
    await clock.advance(60_000);
    expect((await look(next.id)).account.entries.failed).toBe(1);
    answer = bad;
    await jobs.enqueue('run', null);
    await clock.advance(60_000);
    expect(noticesOf('invalid_policy')).toHaveLength(2);
  });

  it('that was never good leaves the default in force', async () => {
    const { jobs, clock, look, noticesOf } = workBench(
      { run: failing },
      { policies: () => ({ maxAttempts: -1 }) },
    );
    await jobs.start();
    const { id } = await jobs.enqueue('run', null, { policy: 'p' });
    await clock.advance(0);
    expect((await look(id)).attempts.kept[0]?.policyHash).toBe(hashPolicy(RUNS_DEFAULT));
    expect(noticesOf('invalid_policy').map(({ policy }) => policy)).toEqual(['runs.default', 'p']);
  });

  it('is refused where a handler names it and it was never good', () => {
    const make = () =>
      workBench({ run: { run: failing, policy: 'p' } }, { policies: () => ({ maxAttempts: -1 }) });
    expect(make).toThrow(/run: Invalid policy: maxAttempts must be/);
  });
});

describe('the policy of a job', () => {
  it('is runs.default where neither job nor handler names one', async () => {
    const { jobs, clock, look } = workBench({ run: failing });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    expect((await look(id)).attempts.kept[0]).toMatchObject({
      policyHash: hashPolicy(RUNS_DEFAULT),
      maxAttempts: 8,
      delayMs: 60_000,
    });
  });

  it('is the configured runs.default where there is one', async () => {
    const own = definePolicy({
      id: 'runs.default',
      maxAttempts: 2,
      baseDelayMs: 5,
      jitter: 'none',
    });
    const { jobs, clock, look } = workBench(
      { run: failing },
      { policies: policies({ 'runs.default': own }) },
    );
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(100);
    expect(await look(id)).toMatchObject({ state: 'dead', account: { entries: { failed: 2 } } });
  });

  it('that the job names goes before the handler’s, and the attempt says so', async () => {
    const { jobs, clock, look, store } = workBench(
      { run: { run: failing, policy: { maxAttempts: 1 } } },
      { policies: policies({ p: quick }) },
    );
    await jobs.start();
    const { id } = await jobs.enqueue('run', null, { policy: 'p' });
    await clock.advance(0);
    const job = await look(id);
    expect(job.state).toBe('scheduled');
    expect(job.attempts.kept[0]).toMatchObject({ policyHash: hashPolicy(quick), maxAttempts: 5 });
    expect(await store.policy(hashPolicy(quick))).toMatchObject({ id: 'p' });
  });

  it('has its id in sessions, records, documents and the dead letter, and the hash beside it', async () => {
    const own = definePolicy({ id: 'mail.quick', maxAttempts: 1 });
    const { jobs, clock, look } = workBench(
      { run: { run: failing, policy: 'mail.quick' } },
      { policies: policies({ 'mail.quick': own }) },
    );
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    const job = await look(id);
    const hash = hashPolicy(own);
    expect(sessionDocument(job)).toMatchObject({
      policy_id: 'mail.quick',
      redrive: { policy_hash: hash },
    });
    expect(recordsOf(job).map(({ session }) => session)).toEqual(
      [1, 2, 3].map(() => expect.objectContaining({ policyId: 'mail.quick', policyHash: hash })),
    );
    expect(recordsOf(job).flatMap((record) => toAuditV1(record) ?? [])[0]).toMatchObject({
      redrive: { policy_id: 'mail.quick', policy_hash: hash },
    });
    expect(jobDocument(job).attempts).toMatchObject([
      { policy_id: 'mail.quick', policy_hash: hash },
    ]);
    expect(deadLetterOf(job).redrive.policy).toEqual({ id: 'mail.quick', hash, max_attempts: 1 });
  });

  it('that nobody knows is reported once, and the handler’s is used', async () => {
    const { jobs, clock, look, noticesOf } = workBench({ run: failing });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null, { policy: 'gone' });
    await jobs.enqueue('run', null, { policy: 'gone' });
    await clock.advance(10 * 60_000);
    expect(noticesOf('unknown_policy')).toEqual([
      { kind: 'unknown_policy', policy: 'gone', handler: 'run' },
    ]);
    expect((await look(id)).attempts.kept[0]?.policyHash).toBe(hashPolicy(RUNS_DEFAULT));
  });

  it('is made known to the store before anything refers to it', async () => {
    const { jobs, clock, store, look } = workBench({ run: { run: failing, policy: quick } });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    const hash = (await look(id)).attempts.kept[0]?.policyHash ?? '';
    const stored = await store.policy(hash);
    expect(stored).toMatchObject({ hash, id: 'p', policy: { maxAttempts: 5, baseDelayMs: 1_000 } });
  });

  it('a reload reaches what waits, with its next claim', async () => {
    const lookUp = policies({ p: slow });
    const { jobs, clock, look } = workBench(
      { run: { run: failing, policy: 'p' } },
      { policies: lookUp },
    );
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    lookUp.known.set('p', quick);
    await clock.advance(60_000);
    const [first, second] = (await look(id)).attempts.kept;
    expect([first?.delayMs, second?.delayMs]).toEqual([60_000, 2_000]);
    expect([first?.policyHash, second?.policyHash]).toEqual([hashPolicy(slow), hashPolicy(quick)]);
  });

  it('that is taken away goes on as it was', async () => {
    const lookUp = policies({ p: quick });
    const { jobs, clock, look, noticesOf } = workBench(
      { run: { run: failing, policy: 'p' } },
      { policies: lookUp },
    );
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    lookUp.known.delete('p');
    await clock.advance(1_000);
    expect((await look(id)).attempts.kept[1]?.policyHash).toBe(hashPolicy(quick));
    expect(noticesOf('unknown_policy')).toHaveLength(1);
  });

  it('that allows fewer attempts than are used starts no other one', async () => {
    const lookUp = policies({ p: quick });
    let calls = 0;
    const { jobs, clock, look } = workBench(
      {
        run: {
          run: () => {
            calls += 1;
            return failing();
          },
          policy: 'p',
        },
      },
      { policies: lookUp },
    );
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(1_000);
    expect(calls).toBe(2);
    lookUp.known.set('p', definePolicy({ ...quick, maxAttempts: 2 }));
    await clock.advance(10_000);
    expect(calls).toBe(2);
    const job = await look(id);
    expect(job).toMatchObject({ state: 'dead', reason: 'max_attempts_exceeded' });
    expect(job.account.entries).toMatchObject({ failed: 2, blocked: 1 });
  });

  it('that is switched off allows one attempt', async () => {
    const { jobs, clock, look } = workBench({ run: { run: failing, policy: { enabled: false } } });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    expect(await look(id)).toMatchObject({ state: 'dead', reason: 'policy_disabled' });
  });

  it('can judge what is returned', async () => {
    const { jobs, clock, look } = workBench({
      run: {
        run: () => ({ status: 503 }),
        policy: {
          maxAttempts: 1,
          classifyResult: (value) =>
            (value as { status: number }).status === 503
              ? { errorClass: 'retryable', effect: 'none' }
              : undefined,
        },
      },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    expect(await look(id)).toMatchObject({ state: 'dead', errorClass: 'retryable' });
  });

  it('frees what a failed value holds, and an effect that it does not name is unknown', async () => {
    let discarded = 0;
    const discard = () => {
      discarded += 1;
      throw new Error('broken');
    };
    const classifyResult = () => ({ errorClass: 'retryable', discard }) as const;
    const { jobs, clock, look } = workBench({
      run: { run: () => 'busy', policy: { maxAttempts: 2, baseDelayMs: 1, classifyResult } },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(100);
    const job = await look(id);
    expect(job.attempts.kept.map(({ input }) => input?.outcome)).toMatchObject([
      { effect: 'unknown' },
      { effect: 'unknown' },
    ]);
    expect(discarded).toBe(2);
  });

  it('that judges with an error has nothing against a value', async () => {
    const { jobs, clock, look } = workBench({
      run: {
        run: () => 'fine',
        policy: {
          classifyResult: () => {
            throw new Error('broken');
          },
        },
      },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    expect((await look(id)).state).toBe('succeeded');
  });
});
