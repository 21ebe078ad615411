import { randomInt } from 'node:crypto';
import { memoryLedger } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import type { Command, ResultsOf, SettleCommand } from '@redrive/durable/store';
import { enqueueIn } from '@redrive/sqlite';
import { describe, expect, test } from 'vitest';
import { unfencedStore, withMethods } from '../../crash/observed-store.ts';
import { checkSeeds } from './check-seeds.ts';
import { Looks } from './looks.ts';
import { ownTransactions } from './own-transaction.ts';

const TIMEOUT = { timeout: 180_000 };

type Settlement = SettleCommand['settlement'];

/** Other settlements than the worker decided. */
function settling(change: (settlement: Settlement) => Settlement) {
  return (store: FullStore): FullStore =>
    withMethods(store, {
      async apply<const Cs extends readonly Command[]>(commands: Cs): Promise<ResultsOf<Cs>> {
        const changed = commands.map((command) =>
          command.kind === 'settle'
            ? { ...command, settlement: change(command.settlement) }
            : command,
        );
        // The same commands, so the same kinds of results.
        return (await store.apply(changed)) as unknown as ResultsOf<Cs>;
      },
    });
}

const notRefunded = settling((settlement) => {
  const { entries } = settlement.account;
  if (settlement.reason !== 'rate_limited' || entries.rate_limited === 0) return settlement;
  const charged = { rate_limited: entries.rate_limited - 1, failed: entries.failed + 1 };
  return { ...settlement, account: { ...settlement.account, entries: { ...entries, ...charged } } };
});

const neverDead = settling((settlement) =>
  settlement.reason === 'max_attempts_exceeded'
    ? { ...settlement, to: 'scheduled', dueInMs: 60_000, group: undefined }
    : settlement,
);

const hintIgnored = settling((settlement) =>
  settlement.to === 'scheduled' && settlement.reason === 'rate_limited'
    ? { ...settlement, dueInMs: 1 }
    : settlement,
);

/** Other jobs first, by chance. */
const randomOrder = (store: FullStore): FullStore =>
  withMethods(store, {
    async apply<const Cs extends readonly Command[]>(commands: Cs): Promise<ResultsOf<Cs>> {
      const results = await store.apply(commands);
      const changed = results.map((result) =>
        'jobs' in result && randomInt(2) === 0
          ? { ...result, jobs: result.jobs.toReversed() }
          : result,
      );
      return changed as unknown as ResultsOf<Cs>;
    },
  });

/** Says that it has stored a job, and has not. */
const losesJobs = (store: FullStore): FullStore => {
  let enqueued = 0;
  return withMethods(store, {
    async apply<const Cs extends readonly Command[]>(commands: Cs): Promise<ResultsOf<Cs>> {
      const [first] = commands;
      if (first?.kind === 'enqueue') enqueued += 1;
      if (first?.kind !== 'enqueue' || commands.length > 1 || enqueued % 3 > 0) {
        return store.apply(commands);
      }
      const results = [{ ok: true, id: first.job.id, outcome: 'created' }] as const;
      return results as unknown as ResultsOf<Cs>;
    },
  });
};

const sameToken = (store: FullStore): FullStore =>
  withMethods(store, {
    async apply<const Cs extends readonly Command[]>(commands: Cs): Promise<ResultsOf<Cs>> {
      const results = await store.apply(commands);
      const changed = results.map((result) =>
        'jobs' in result
          ? { ...result, jobs: result.jobs.map((job) => ({ ...job, token: 1 })) }
          : result,
      );
      return changed as unknown as ResultsOf<Cs>;
    },
  });

const lostRecord = (store: FullStore): FullStore =>
  withMethods(store, {
    auditBlocks: async (after, limit) =>
      (await store.auditBlocks(after, limit)).filter(({ seq }) => seq !== 9),
  });

const wrongCounts = (store: FullStore): FullStore =>
  withMethods(store, {
    async counts() {
      const counts = await store.counts();
      const groups = counts.groups.map((group) =>
        group.state === 'succeeded' ? { ...group, count: group.count + 1 } : group,
      );
      return { ...counts, groups };
    },
  });

const forgetfulLedger = (store: FullStore): FullStore =>
  withMethods(store, { ledger: () => memoryLedger() });

describe('planted bugs are found', () => {
  test.each([
    ['a charge that is not refunded', 1, notRefunded],
    // Its record says that the decision was to give up.
    ['a job that is never given up', 5, neverDead],
    ['a job that is lost', 2, losesJobs],
    ['a token that does not rise', 3, sameToken],
    ['a write with an old token', 3, unfencedStore],
    ['an effect that nobody remembers', 4, forgetfulLedger],
    ['a missing record', 5, lostRecord],
    ['a hint that is ignored', 6, hintIgnored],
    ['a counter that is wrong', 8, wrongCounts],
    ['an order that no seed decides about', 9, randomOrder],
  ] as const)('%s violates invariant %i', TIMEOUT, async (_, invariant, spoil) => {
    const { found } = await checkSeeds({ first: 1, seeds: 100, spoil, shorten: false });
    expect(found?.violation).toMatchObject({ invariant });
  });

  test('a job that is visible before the commit violates invariant 7', TIMEOUT, async () => {
    const looks = new Looks();
    const early = await ownTransactions((db, command) => {
      const result = enqueueIn(db, command);
      db.exec('COMMIT; BEGIN IMMEDIATE');
      return result;
    });
    await early.look(1, looks);
    await early.close();
    expect(looks.violations[0]).toMatchObject({ invariant: 7 });
  });

  test('the trace of a violation is of the shortest plan that has it', TIMEOUT, async () => {
    const { found } = await checkSeeds({ first: 1, seeds: 100, spoil: notRefunded });
    expect(found?.plan.steps.length).toBeLessThanOrEqual(10);
    expect(found?.trace.length).toBeLessThanOrEqual(100);
    expect(found?.trace.join('\n')).toContain('rate_limited');
  });
});
