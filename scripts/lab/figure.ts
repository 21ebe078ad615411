import { type RunResult, readScene, type Scene, simulate } from '@redrive/lab';

/** A row of `npm run lab -- figures`: a figure, the expected value, and whether it holds. */
export interface Figure {
  readonly experiment: string;
  readonly row: string;
  readonly expected: string;
  readonly measured: string;
  readonly holds: boolean;
}

/** An experiment: all its figures. `slow` ones take more than a few seconds. */
export interface Experiment {
  readonly name: string;
  readonly slow: boolean;
  readonly run: () => Figure[] | Promise<Figure[]>;
}

export function sceneOf(value: object): Scene {
  const { scene, problems } = readScene(value);
  if (scene === undefined) throw new Error(JSON.stringify(problems));
  return scene;
}

/** The results of the seeds 1 to `count`. */
export function runs(value: object, count: number): RunResult[] {
  const scene = sceneOf(value);
  return Array.from({ length: count }, (_, n) => simulate(scene, n + 1));
}

export function mean(values: readonly (number | undefined)[]): number {
  return values.reduce<number>((sum, value) => sum + (value ?? Infinity), 0) / values.length;
}

/** Within this share of the expected value. */
export function isWithin(measured: number, expected: number, share: number): boolean {
  return Math.abs(measured - expected) <= Math.abs(expected) * share;
}

export const FULL_JITTER = { backoff_type: 'exponential', jitter_type: 'full', jitter_amount: 1 };
export const FOUR_ATTEMPTS = { ...FULL_JITTER, max_attempts: 4, base_delay: 0.1, max_delay: 2 };
export const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
export const times = (factor: number) => `${factor.toFixed(2)}x`;
