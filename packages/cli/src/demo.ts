import type { Output } from './program.ts';
import { stageOn } from './tour/stage.ts';
import { runTour } from './tour/tour.ts';

/** The tour of `npm start`. It prints as it goes. */
export function runDemo({ stdout }: Pick<Output, 'stdout'>): Promise<void> {
  return runTour(stageOn(process.stdout, stdout));
}
