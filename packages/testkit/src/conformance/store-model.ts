import fc from 'fast-check';
import type { StoreUnderTest, TestRunner } from './store/suite.ts';
import { type ClaimOrder, Pair } from './store-model/pair.ts';
import { steps } from './store-model/steps.ts';

export interface StoreModelOptions {
  /** How many runs, each on a store of its own. Default 200. */
  readonly runs?: number;
  /** Where the numbers begin: same seed, same runs. Default 1. A failure names its own. */
  readonly seed?: number;
  /** How many runs are one test. Default 10; fewer where a run takes long, so that a test stays within its time. */
  readonly runsPerTest?: number;
  /** Steps of one run, at most. Default 60. */
  readonly maxSteps?: number;
  /**
   * The longest time of one test's runs, with the search for the shortest list of steps after a failure. Default
   * 25,000. Runs that are cut off by it fail.
   */
  readonly timeLimitMs?: number;
  /**
   * `any`: which of several ready jobs a claim takes is not compared, only that each could be taken. For a store that may
   * begin its look behind a job for a moment. Default `exact`.
   */
  readonly claims?: ClaimOrder;
}

/**
 * Registers runs of random commands on a store and on the one in memory, side by side on one virtual clock: every answer
 * and everything that can be read must be the same, and after each run what must hold at every look is checked. A
 * failure shows its seed and the shortest list of steps that still fails.
 *
 * Where stores may differ, see `storeConformance`: limits of ticks, prunes and rescues are large here, so that it does
 * not matter which of several jobs with the same time is first.
 */
export function storeModelRuns(
  makeStore: () => Promise<StoreUnderTest>,
  { describe, it }: TestRunner,
  options: StoreModelOptions = {},
): void {
  const { runs = 200, runsPerTest = 10, seed = 1, maxSteps = 60, timeLimitMs = 25_000 } = options;
  describe('beside the store in memory', () => {
    for (let done = 0; done < runs; done += runsPerTest) {
      const numRuns = Math.min(runsPerTest, runs - done);
      it(`does the same in runs ${done + 1} to ${done + numRuns}`, async () => {
        const lists = fc.commands(steps, { maxCommands: maxSteps, size: 'max' });
        const property = fc.asyncProperty(lists, async (list) => {
          const subject = await makeStore();
          try {
            const pair = new Pair(subject, options.claims);
            await fc.asyncModelRun(() => ({ model: {}, real: pair }), list);
            await pair.compareAll();
          } finally {
            await subject.close?.();
          }
        });
        await fc.assert(property, {
          numRuns,
          seed: seed + done,
          interruptAfterTimeLimit: timeLimitMs,
          markInterruptAsFailure: true,
        });
      });
    }
  });
}
