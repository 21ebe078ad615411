import { describe, expect, it } from 'vitest';
import {
  type AttemptAccount,
  chargedAttempts,
  claimAttempt,
  isRunning,
  nextGeneration,
  openAccount,
  settleAttempt,
  viewOf,
} from './account.ts';
import type { AttemptEntry } from './decision.ts';

const entries: AttemptEntry[] = [
  'succeeded',
  'failed',
  'rate_limited',
  'interrupted',
  'blocked',
  'cancelled',
  'lease_lost',
  'process_lost',
];
const DEPTH = 6;

/** What an account must say, counted beside it. */
interface History {
  readonly generation: number;
  readonly executions: number;
  /** Of the present generation. */
  readonly settled: number;
  readonly charged: number;
  readonly free: number;
}

const nothingYet = { settled: 0, charged: 0, free: 0 };

function withEntry(history: History, entry: AttemptEntry): History {
  const { settled, charged, free } = history;
  const isCharged = entry === 'failed' || entry === 'lease_lost';
  return {
    ...history,
    settled: settled + 1,
    charged: isCharged ? charged + 1 : charged,
    free: entry === 'rate_limited' ? free + 1 : free,
  };
}

describe('the attempt account', () => {
  it('adds up at every look, in every history of six steps', () => {
    let looks = 0;
    const look = (account: AttemptAccount, history: History, running: 0 | 1): void => {
      looks++;
      const problem =
        (account.claims !== sumOf(account) + running && 'the sum is off') ||
        (account.claims !== history.settled + running && 'claims are off') ||
        (isRunning(account) !== (running === 1) && 'running or not is off') ||
        (chargedAttempts(account) !== history.charged + running && 'charged attempts are off') ||
        (account.generation !== history.generation && 'the generation is off') ||
        (account.executions !== history.executions && 'executions are off') ||
        (account.freeWaits !== history.free && 'free waits are off') ||
        (account.freeWaitMs !== 10 * history.free && 'the time of free waits is off');
      if (problem) expect.fail(`${problem}: ${JSON.stringify({ account, history })}`);
    };

    // A step is an attempt from its claim to its end, or a requeue.
    const explore = (account: AttemptAccount, history: History, depth: number): void => {
      look(account, history, 0);
      if (depth === DEPTH) return;
      const { generation, executions } = history;
      const requeued = { ...nothingYet, generation: generation + 1, executions };
      explore(nextGeneration(account), requeued, depth + 1);
      const claimed = claimAttempt(account);
      const running = { ...history, executions: executions + 1 };
      look(claimed, running, 1);
      for (const entry of entries) {
        explore(settleAttempt(claimed, entry, 10), withEntry(running, entry), depth + 1);
      }
    };

    explore(openAccount(), { ...nothingYet, generation: 1, executions: 0 }, 0);
    expect(looks).toBeGreaterThan(8 ** DEPTH);
  });

  it('counts lost leases as cleared once an attempt has run to an end, well or badly', () => {
    const after = (...entries: AttemptEntry[]): number =>
      entries.reduce(
        (account, entry) => settleAttempt(claimAttempt(account), entry, 0),
        openAccount(),
      ).clearedLosses;
    expect(after('process_lost', 'lease_lost')).toBe(0);
    for (const entry of ['succeeded', 'failed', 'rate_limited'] as const) {
      expect(after('process_lost', 'lease_lost', entry, 'process_lost')).toBe(2);
      expect(after('process_lost', entry, 'process_lost', entry)).toBe(2);
    }
    // These say nothing about the item: it was interrupted, or did not start.
    for (const entry of ['interrupted', 'blocked'] as const) {
      expect(after('process_lost', entry)).toBe(0);
    }
  });

  it('never gives two attempts the same execution number, over all generations', () => {
    const seen: number[] = [];
    let account = openAccount();
    for (let generation = 0; generation < 5; generation++) {
      for (const entry of entries) {
        account = claimAttempt(account);
        seen.push(account.executions);
        account = settleAttempt(account, entry, 0);
      }
      account = nextGeneration(account);
    }
    expect(seen).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
  });

  it('starts over with a new generation, but for the counter of the generator', () => {
    const used = settleAttempt(claimAttempt(openAccount()), 'rate_limited', 5_000);
    expect(nextGeneration(used)).toEqual({ ...openAccount(), generation: 2, executions: 1 });
  });

  it('remembers the last wait, and how much of it was free', () => {
    const free = settleAttempt(claimAttempt(openAccount()), 'rate_limited', 5_000);
    const failed = settleAttempt(claimAttempt(free), 'failed', 1_000);
    expect(viewOf(claimAttempt(failed))).toEqual({
      charged: 2,
      freeWaits: 1,
      freeWaitMs: 5_000,
      lastDelayMs: 1_000,
    });
  });

  it('knows since when it waits free of charge: since it was first parked, or charged and parked', () => {
    const settle = (
      account: AttemptAccount,
      entry: AttemptEntry,
      parkedAtMs?: number,
    ): AttemptAccount => settleAttempt(claimAttempt(account), entry, 0, parkedAtMs);
    const parked = settle(openAccount(), 'blocked', 100);
    const again = settle(parked, 'blocked', 200);
    const charged = settle(again, 'failed', 300);
    expect([parked, again, charged].map(({ unchargedSinceMs }) => unchargedSinceMs)).toEqual([
      100, 100, 300,
    ]);
    expect(settle(charged, 'interrupted').unchargedSinceMs).toBe(300);
    expect(settle(charged, 'failed').unchargedSinceMs).toBe(0);
    expect(nextGeneration(charged).unchargedSinceMs).toBe(0);
  });

  it('keeps its last wait where no wait of its own follows, and counts a free wait all the same', () => {
    const waited = settleAttempt(claimAttempt(openAccount()), 'failed', 40);
    const settled = settleAttempt(claimAttempt(waited), 'rate_limited', undefined);
    expect(settled).toMatchObject({ lastDelayMs: 40, freeWaits: 1, freeWaitMs: 0 });
  });

  it('changes no account that somebody holds', () => {
    const account = Object.freeze({
      ...openAccount(),
      entries: Object.freeze(openAccount().entries),
    });
    const claimed = Object.freeze(claimAttempt(account));
    settleAttempt(claimed, 'failed', 10);
    nextGeneration(claimed);
    expect(account).toEqual(openAccount());
    expect(claimed.entries).toEqual(openAccount().entries);
  });
});

function sumOf({ entries }: AttemptAccount): number {
  let sum = 0;
  for (const entry in entries) sum += entries[entry as AttemptEntry];
  return sum;
}
