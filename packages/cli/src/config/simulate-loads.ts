import { type Config, type DeclaredLoad, declaredLoads } from '@redrive/config';
import { type Scene, SummaryOfRuns, simulate } from '@redrive/lab';

/** A declared load in a stall: the stability rule, and when a simulation recovers. */
export interface Stall {
  readonly dependency: string;
  readonly rule: string;
  readonly demand: number;
  readonly stable: boolean;
  /** `null`: not within `WATCHED_MS`. */
  readonly recovers_after_ms: number | null;
}

export const WATCHED_MS = 540_000;
const STALL_FROM_MS = 30_000;
const STALL_MS = 10_000;
/** The goodput of the last moment needs ten seconds more. */
const ARRIVALS_MS = STALL_FROM_MS + STALL_MS + WATCHED_MS + 11_000;
const SEEDS = 5;

/** Runs every declared load through a stall of ten seconds. A load of 0 has nothing to simulate. */
export function simulateLoads(config: Config): Stall[] {
  return declaredLoads(config).map((load) => {
    const { dependency, demand, sum } = load;
    return {
      dependency,
      rule: sum,
      demand: Number(demand.toFixed(2)),
      stable: demand < 1,
      recovers_after_ms: load.utilisation > 0 ? recoversAfterMs(sceneOf(config, load)) : 0,
    };
  });
}

function recoversAfterMs(scene: Scene): number | null {
  const runs = new SummaryOfRuns();
  for (let seed = 1; seed <= SEEDS; seed += 1) runs.add(simulate(scene, seed));
  return runs.get().figures.goodputAfterMs.median;
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
