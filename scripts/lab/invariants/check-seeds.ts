import type { FullStore } from '@redrive/durable';
import { type Invariant, Looks, type Violation } from './looks.ts';
import { ownTransactions } from './own-transaction.ts';
import { type Plan, planOf } from './plan.ts';
import { runPlan } from './run-plan.ts';

/** Every so many seeds are run twice. */
const TWICE_EVERY = 5;
/** Plans that are tried to find a shorter one with the same violation. */
const MOST_TRIES = 200;

export interface SeedOptions {
  readonly first: number;
  readonly seeds: number;
  /** Plants a bug in the store of every seed. Default: none. */
  readonly spoil?: (store: FullStore) => FullStore;
  /** Whether a shorter plan with the same violation is looked for. Default `true`. */
  readonly shorten?: boolean;
  readonly onSeed?: (seed: number) => void;
}

export interface SeedReport {
  /** Looks that held, by invariant. */
  readonly held: readonly number[];
  /** The first seed with a violation, and the shortest plan that still has it. */
  readonly found?: {
    readonly seed: number;
    readonly violation: Violation;
    readonly plan: Plan;
    readonly trace: readonly string[];
  };
}

/** Runs a random plan per seed until one violates an invariant. */
export async function checkSeeds(options: SeedOptions): Promise<SeedReport> {
  const { first, seeds, spoil, shorten = true, onSeed } = options;
  const all = new Looks();
  const transactions = await ownTransactions();
  try {
    for (let seed = first; seed < first + seeds; seed += 1) {
      const plan = planOf(seed);
      const looks = await lookAtSeed(plan, spoil).catch((cause: unknown) => {
        throw new Error(`seed ${seed} ends with an error`, { cause });
      });
      await transactions.look(seed, looks);
      all.add(looks);
      const [violation] = looks.violations;
      if (violation !== undefined) {
        const { invariant } = violation;
        const shown = shorten ? await shortest(plan, invariant, spoil) : { plan, trace: [] };
        return { held: all.held, found: { seed, violation, ...shown } };
      }
      onSeed?.(seed);
    }
  } finally {
    await transactions.close();
  }
  return { held: all.held };
}

async function lookAtSeed(plan: Plan, spoil: SeedOptions['spoil']): Promise<Looks> {
  const { looks, trace } = await runPlan(plan, spoil);
  if (plan.seed % TWICE_EVERY !== 0) return looks;
  const again = await runPlan(plan, spoil);
  const differs = trace.findIndex((line, at) => line !== again.trace[at]);
  const isSame = differs === -1 && trace.length === again.trace.length;
  looks.hold(9, isSame, () => `line ${differs + 1}: ${trace[differs]} and ${again.trace[differs]}`);
  return looks;
}

/** Leaves out steps and failures as long as the same invariant is violated: halves first, then single ones. */
async function shortest(plan: Plan, invariant: Invariant, spoil: SeedOptions['spoil']) {
  let best = { plan, trace: (await runPlan(plan, spoil)).trace };
  let tries = 0;
  for (const part of ['steps', 'failures'] as const) {
    for (let size = Math.ceil(plan[part].length / 2); size >= 1; size = Math.floor(size / 2)) {
      for (let at = 0; at < best.plan[part].length && tries < MOST_TRIES; tries += 1) {
        const rest = best.plan[part].filter((_, index) => index < at || index >= at + size);
        const shorter = { ...best.plan, [part]: rest };
        const looks = await lookAtSeed(shorter, spoil);
        if (looks.violations.some((other) => other.invariant === invariant)) {
          best = { plan: shorter, trace: (await runPlan(shorter, spoil)).trace };
        } else at += size;
      }
    }
  }
  return best;
}
