import type { Experiment } from './figure.ts';
import { HALF_HOUR } from './half-hour.ts';
import { JITTER } from './jitter.ts';
import { LEARNED_SCHEDULE } from './learned-schedule.ts';
import { FAILURE_SHARES, FLEETS, LAYERS } from './shares-and-fleets.ts';
import { STABILITY, STALL } from './stability.ts';

/** In the order of `npm run lab -- figures` and of docs/explanation/lab.md. */
export const EXPERIMENTS: readonly Experiment[] = [
  JITTER,
  FAILURE_SHARES,
  FLEETS,
  LAYERS,
  STABILITY,
  STALL,
  HALF_HOUR,
  LEARNED_SCHEDULE,
];
