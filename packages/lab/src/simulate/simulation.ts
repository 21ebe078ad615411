import type { ResolvedPolicy } from '@redrive/core';
import { Draws } from '../chance/draws.ts';
import { samplerOf } from '../chance/spread.ts';
import { type Arrivals, arrivalsEndMs, type Scene } from '../scene/scene.ts';
import { callLayers } from './call-layers.ts';
import { type CallRun, CallSession } from './call-session.ts';
import { STREAMS } from './dependency.ts';
import { JobFleet } from './job-fleet.ts';
import type { RunResult } from './result.ts';
import { Row } from './row.ts';
import { World } from './world.ts';

/** A run that reaches one of them is cut, and says so. */
export interface RunLimits {
  /** Of all layers. */
  readonly attempts: number;
  /** Waits, turns of parked jobs, refusals of breakers: a run can take for ever without attempts. */
  readonly events: number;
  /** Sessions that have arrived and not ended: they are the memory of a run. */
  readonly openSessions: number;
}

const LIMITS: RunLimits = {
  attempts: 10_000_000,
  events: 100_000_000,
  openSessions: 1_000_000,
};
/** Events between two looks at the limits. */
const SLICE = 10_000;

/** One run of a scene, in steps, so that its caller can show progress and stop it. */
export interface Simulation {
  /** Attempts so far. */
  readonly attempts: number;
  /** Share of the simulated time that has passed, 0 to 1. */
  readonly progress: number;
  /** Handles up to `events` events. `false`: the run is over. */
  step(events: number): boolean;
  /** The result so far, or of the whole run. */
  result(): RunResult;
}

/** Begins a run. The same scene and seed always have the same result. */
export function startSimulation(
  scene: Scene,
  seed: number,
  limits: RunLimits = LIMITS,
): Simulation {
  const lastArrivalMs = arrivalsEndMs(scene.arrivals);
  const horizonMs = lastArrivalMs + scene.afterMs;
  const world = new World(scene, seed, horizonMs);
  const { heap, clock, tally, dependency } = world;
  const arrive = arrivalOf(world);
  const arrivals = arrivalTimes(scene.arrivals, seed);
  const arrival = { wake: () => next(true) };
  let isCut = false;
  let events = 0;

  function next(hasArrived: boolean): void {
    const { value: atMs } = arrivals.next();
    if (atMs !== undefined) heap.add(atMs, arrival, 0);
    if (!hasArrived) return;
    tally.arrived(clock.nowMs);
    arrive();
  }

  function slice(most: number): boolean {
    for (let n = 0; n < most; n += 1) {
      const atMs = heap.nextAtMs;
      if (atMs > horizonMs) return false;
      clock.nowMs = atMs;
      heap.fire();
    }
    return true;
  }

  next(false);
  return {
    get attempts() {
      return tally.attempts;
    },
    get progress() {
      return horizonMs === 0 ? 1 : clock.nowMs / horizonMs;
    },
    step(most) {
      for (let left = most; left > 0; left -= SLICE) {
        if (!slice(Math.min(left, SLICE))) return false;
        events += Math.min(left, SLICE);
        isCut =
          tally.attempts >= limits.attempts ||
          events >= limits.events ||
          tally.open > limits.openSessions;
        if (isCut) return false;
      }
      return true;
    },
    result() {
      if (!isCut) dependency.catchUp(horizonMs);
      const { calls, succeeded } = dependency.othersAfter;
      return {
        ...tally.result(lastOutageEndMs(world, horizonMs), isCut),
        attemptsWhileDown: dependency.callsWhileDown,
        othersSucceeded: calls === 0 ? undefined : succeeded / calls,
      };
    },
  };
}

/** Runs a scene to its end. */
export function simulate(scene: Scene, seed: number): RunResult {
  const simulation = startSimulation(scene, seed);
  while (simulation.step(1_000_000));
  return simulation.result();
}

function arrivalOf(world: World): () => void {
  const { callers, dependency } = world.scene;
  if (callers.kind === 'jobs') {
    // The scene was checked: jobs have one layer.
    const fleet = new JobFleet(world, callers.layers[0] as ResolvedPolicy);
    return () => fleet.submit();
  }
  const layers = callLayers(world);
  const row = dependency.row && new Row(world, dependency.row.network);
  const run: CallRun = { world, layers, row };
  const [outermost] = layers;
  return () => {
    if (outermost !== undefined) new CallSession(run, outermost).begin();
  };
}

/** An outage that outlasts the run has no end to measure from. */
function lastOutageEndMs({ dependency }: World, horizonMs: number): number | undefined {
  return dependency.outages.findLast(({ untilMs }) => untilMs <= horizonMs)?.untilMs;
}

/** The times of arrivals, one after the other. */
function* arrivalTimes(arrivals: Arrivals, seed: number): Generator<number, void, void> {
  if (arrivals.kind === 'times') yield* arrivals.timesMs;
  else if (arrivals.kind === 'at_once') {
    for (let n = 0; n < arrivals.count; n += 1) yield 0;
  } else {
    const { perSecond, forMs, spacing } = arrivals;
    const gapMs = 1_000 / perSecond;
    const draws = new Draws(seed, STREAMS.arrivals);
    const random = samplerOf({ kind: 'exponential', meanMs: gapMs });
    const even = (n: number) => n * gapMs;
    let atMs = 0;
    for (let n = 1; ; n += 1) {
      atMs = spacing === 'even' ? even(n) : atMs + random(draws.next());
      if (atMs > forMs) return;
      yield atMs;
    }
  }
}
