import { systemClock } from '@redrive/core';
import {
  type RunLimits,
  type Scene,
  type SceneSummary,
  SummaryOfRuns,
  startSimulation,
} from '@redrive/lab';
import type { Io } from '../terminal/io.ts';
import { pause } from '../terminal/until-stopped.ts';

/** Between two of them the process can take a signal. */
const EVENTS_PER_TURN = 100_000;

export interface RunOptions {
  readonly stopped: AbortSignal;
  /** Default: those of the lab. */
  readonly limits?: RunLimits | undefined;
  /** Gets the attempts so far and the share of all seeds that has passed, 0 to 1. */
  readonly onProgress?: (attempts: number, share: number) => void;
}

/** Runs a scene with the seeds 1 to `seeds`, until it is stopped. */
export async function runSeeds(
  { clock = systemClock }: Pick<Io, 'clock'>,
  scene: Scene,
  seeds: number,
  { stopped, limits, onProgress }: RunOptions,
): Promise<SceneSummary> {
  const runs = new SummaryOfRuns();
  let attempts = 0;
  for (let seed = 1; seed <= seeds && !stopped.aborted; seed += 1) {
    const simulation = startSimulation(scene, seed, limits);
    while (!stopped.aborted && simulation.step(EVENTS_PER_TURN)) {
      onProgress?.(attempts + simulation.attempts, (seed - 1 + simulation.progress) / seeds);
      await pause(clock, 0, stopped);
    }
    // A run that was stopped in the middle would distort the median; the first one is better than nothing.
    if (!stopped.aborted || seed === 1) runs.add(simulation.result());
    attempts += simulation.attempts;
    await pause(clock, 0, stopped);
  }
  return runs.get();
}
