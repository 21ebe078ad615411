import { type Config, type DeclaredLoad, declaredLoads } from '@redrive/config';
import type { RunLimits, Scene } from '@redrive/lab';
import { runSeeds } from '../lab/run-seeds.ts';
import type { Io } from '../terminal/io.ts';

/** A declared load in a stall: the stability rule, and when a simulation recovers. */
export interface Stall {
  readonly dependency: string;
  readonly rule: string;
  readonly demand: number;
  readonly stable: boolean;
  /** `null`: not within `WATCHED_MS`, or not known. */
  readonly recovers_after_ms: number | null;
  /** The load is too high for a simulation: it ended early, and the recovery is not known. */
  readonly cut: boolean;
}

export const WATCHED_MS = 540_000;
const STALL_FROM_MS = 30_000;
const STALL_MS = 10_000;
/** The goodput of the last moment needs ten seconds more. */
const ARRIVALS_MS = STALL_FROM_MS + STALL_MS + WATCHED_MS + 11_000;
const SEEDS = 5;

/**
 * Runs every declared load through a stall of ten seconds, until it is stopped. A load of 0 has nothing to simulate.
 *
 * @param limits of each run; default: those of the lab.
 */
export async function simulateLoads(
  io: Pick<Io, 'clock'>,
  config: Config,
  stopped: AbortSignal,
  limits?: RunLimits,
): Promise<Stall[]> {
  const stalls: Stall[] = [];
  for (const load of declaredLoads(config)) {
    const { dependency, demand, sum, utilisation } = load;
    let recovery: Pick<Stall, 'recovers_after_ms' | 'cut'> = { recovers_after_ms: 0, cut: false };
    if (utilisation > 0) {
      const summary = await runSeeds(io, sceneOf(config, load), SEEDS, { stopped, limits });
      const isCut = summary.cut > 0;
      const afterMs = summary.figures.goodputAfterMs.median;
      recovery = { recovers_after_ms: isCut ? null : afterMs, cut: isCut };
    }
    // A load that was stopped in the middle has no result.
    if (stopped.aborted) return stalls;
    const rounded = Number(demand.toFixed(2));
    stalls.push({ dependency, rule: sum, demand: rounded, stable: demand < 1, ...recovery });
  }
  return stalls;
}

/** A server that also executes expired calls: what the stability rule is about. */
function sceneOf(
  config: Config,
  { dependency, utilisation, capacity, layers }: DeclaredLoad,
): Scene {
  const budgets = Object(config.sections.budgets);
  const { ratio = 0.2, floor_per_second = 10, burst = 100 } = Object(budgets[dependency]);
  const hasBudget = layers.some(({ policy }) => policy.dependency === dependency);
  return {
    name: dependency,
    description: '',
    arrivals: {
      kind: 'rate',
      perSecond: utilisation * capacity,
      forMs: ARRIVALS_MS,
      spacing: 'random',
    },
    afterMs: 0,
    dependency: {
      capacityPerSecond: capacity,
      latency: { kind: 'fixed', ms: 0 },
      expired: 'executed',
      errors: [],
      outages: {
        kind: 'listed',
        outages: [{ fromMs: STALL_FROM_MS, untilMs: STALL_FROM_MS + STALL_MS, kind: 'stalls' }],
      },
      others: undefined,
      row: undefined,
    },
    callers: {
      kind: 'calls',
      processes: 1,
      concurrency: Infinity,
      layers: layers.map(({ policy }) => policy),
      storedLayers: layers.findLastIndex(({ stored }) => stored) + 1,
      budget: hasBudget
        ? { scope: 'fleet', ratio, floorPerSecond: floor_per_second, burst }
        : undefined,
      breaker: 'fleet',
      carries: { deadline: true, allowance: true },
    },
  };
}
