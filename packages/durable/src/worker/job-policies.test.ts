import { definePolicy } from '@redrive/core';
import { hashPolicy } from '@redrive/core/records';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { replayJob } from '../audit/replay.ts';
import { verifyAudit } from '../audit/verify.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';
import { storedPolicy, versionOf } from './policy-versions.ts';

const failing = () => Promise.reject(new Error('down'));
const policy = { maxAttempts: 5, baseDelayMs: 1_000, jitter: 'none' } as const;

describe('a policy of one job', () => {
  it('limits its attempts alone, and leaves the rest of the policy', async () => {
    const { jobs, clock, look } = workBench({ run: { run: failing, policy } });
    await jobs.start();
    const two = await jobs.enqueue('run', null, { maxAttempts: 2 });
    const five = await jobs.enqueue('run', null);
    await clock.advance(60_000);
    const limited = await look(two.id);
    expect(limited).toMatchObject({
      ...{ state: 'dead', reason: 'max_attempts_exceeded', maxAttempts: 2 },
      account: { entries: { failed: 2 } },
    });
    expect(limited.attempts.kept[0]).toMatchObject({ delayMs: 1_000, maxAttempts: 2 });
    expect((await look(five.id)).account.entries.failed).toBe(5);
  });

  it('may have more attempts than the policy, and follows a reload of it', async () => {
    const known = new Map([['p', { ...policy, maxAttempts: 1 }]]);
    const { jobs, clock, look } = workBench(
      { run: { run: failing, policy: 'p' } },
      { policies: (id) => known.get(id) },
    );
    await jobs.start();
    const { id } = await jobs.enqueue('run', null, { policy: 'p', maxAttempts: 3 });
    await clock.advance(500);
    known.set('p', { ...policy, maxAttempts: 1, baseDelayMs: 4_000 } as never);
    await clock.advance(60_000);
    const { attempts } = await look(id);
    expect(attempts.kept.map(({ delayMs }) => delayMs)).toEqual([1_000, 8_000, undefined]);
  });

  it("may be written out: it has core's defaults, and its hash in every record", async () => {
    const { jobs, clock, look, store } = workBench({ run: { run: failing, policy } });
    await jobs.start();
    const own = { baseDelayMs: 2_000, jitter: 'none', backoff: 'fixed' } as const;
    const { id } = await jobs.enqueue('run', null, { policy: own });
    await clock.advance(60_000);
    const job = await look(id);
    const hash = hashPolicy(definePolicy(own));
    expect(job.account.entries.failed).toBe(3);
    expect(job.attempts.kept.map(({ policyHash }) => policyHash)).toEqual([hash, hash, hash]);
    expect(job.attempts.kept[0]).toMatchObject({ delayMs: 2_000 });
    expect(await store.policy(hash)).toMatchObject({ policy: { maxAttempts: 3 } });
    const [block] = await store.auditBlocks(0, 1);
    expect(block?.body).toContain(`"ownPolicy":"${hash}"`);
  });

  it('costs one stored policy per different one, not per job', async () => {
    const { jobs, clock, store } = workBench({ run: { run: failing, policy } });
    await jobs.start();
    await jobs.enqueueMany('run', Array.from({ length: 300 }), (_, index) =>
      index % 3 === 0 ? { policy: { maxAttempts: 1 } } : { maxAttempts: 1 + (index % 3) },
    );
    await clock.advance(60_000);
    // That of the handler, the one that is written out, and two with another number of attempts.
    expect(await store.countPolicies(100)).toBe(4);
  });

  it('is the one that the log verifies and replays', async () => {
    const { jobs, clock, store } = workBench({ run: { run: failing, policy } });
    await jobs.start();
    const two = await jobs.enqueue('run', null, { maxAttempts: 2 });
    const own = await jobs.enqueue('run', null, {
      policy: { delaysMs: [5, 7], backoff: 'schedule' },
    });
    await clock.advance(60_000);
    await jobs.stop();
    while ((await store.seal()) !== undefined);
    const reader = await store.readAudit();
    expect((await verifyAudit(reader)).problems).toEqual([]);
    await reader.close();
    for (const [id, attempts] of [
      [two.id, 2],
      [own.id, 3],
    ] as const) {
      const replay = await replayJob(store, id);
      expect(replay?.same).toBe(true);
      const decided = replay?.steps.flatMap(({ decision }) => decision ?? []) ?? [];
      expect(decided).toHaveLength(attempts);
    }
  });

  it.each([
    ['a wrong field', { policy: { maxAttempts: 0 } }, /policy: maxAttempts must be/],
    ['an unknown field', { policy: { retries: 3 } }, /policy: retries is unknown/],
    [
      'a function',
      { policy: { classify: () => undefined } },
      /policy: classify cannot have functions/,
    ],
    [
      'a contradiction',
      { policy: { baseDelayMs: 9, maxDelayMs: 1 } },
      /policy: maxDelayMs must be/,
    ],
    [
      'a long one',
      { policy: { retryableExceptions: ['x'.repeat(4_000)] } },
      /4000 characters as JSON/,
    ],
    ['a list', { policy: [] }, /policy must be a text, not a value of type object/],
    ['a map', { policy: new Map() }, /policy must be a text/],
    ['no attempts', { maxAttempts: 0 }, /maxAttempts must be a whole number from 1/],
  ])('is refused at the enqueue: %s', async (_, options, message) => {
    const { jobs } = workBench({ run: failing });
    await expect(jobs.enqueue('run', null, options as never)).rejects.toMatchObject({
      code: 'invalid_job',
      message: expect.stringMatching(message),
    });
  });

  it('may be one that definePolicy has made, and keeps an amount of jitter that is a default', async () => {
    const { jobs, look } = workBench({ run: failing });
    const given = definePolicy({ maxAttempts: 4, jitter: 'full', jitterAmount: 0.1 });
    const { id } = await jobs.enqueue('run', null, { policy: given, maxAttempts: 6 });
    expect((await look(id)).ownPolicy).toEqual({
      maxAttempts: 6,
      jitter: 'full',
      jitterAmount: 0.1,
    });
  });

  it.each([
    ['run', { maxAttempts: 1 }, 'dead'],
    ['run', { policy: { maxAttempts: 1 } }, 'dead'],
    ['run', {}, 'succeeded'],
    // The rescue by a worker without the handler waits a minute for one that has it.
    ['other', { maxAttempts: 1 }, 'dead'],
    ['other', { policy: { maxAttempts: 1 } }, 'dead'],
    ['other', {}, 'ready'],
  ])(
    'is the one by which a worker with the handler %s judges a lost lease: %j',
    async (known, options, state) => {
      const clock = virtualClock({ startMs: START_MS });
      const store = memoryStore({ clock });
      const { jobs } = workBench({ run: () => {} }, { store }, clock);
      const { id } = await jobs.enqueue('run', 1, options);
      const claimed = versionOf(definePolicy({ ...policy, jitter: 'full' }));
      await store.registerPolicies([storedPolicy(claimed)]);
      const lane = { handler: 'run', limit: 1, policyHash: claimed.hash, limitPerKey: 1 };
      const claim = { worker: 'gone', leaseMs: 30_000, lanes: [lane], limit: 1, ahead: 0 } as const;
      await store.apply([{ kind: 'claim', ...claim, alone: true }]);
      const next = workBench({ [known]: () => {} }, { store }, clock);
      await next.jobs.start();
      await clock.advance(100_000);
      const job = await next.look(id);
      expect(job.state).toBe(state);
      const [lost] = job.attempts.kept;
      expect(lost).toMatchObject({
        entry: 'lease_lost',
        maxAttempts: state === 'dead' ? 1 : expect.any(Number),
      });
      expect(await store.policy(lost?.policyHash ?? '')).toMatchObject({
        policy: { maxAttempts: lost?.maxAttempts },
      });
    },
  );
});
