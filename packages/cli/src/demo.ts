import type { RunCommand } from './command/command-spec.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { stageOn } from './tour/stage.ts';
import { runTour } from './tour/tour.ts';

/** The tour of `npm start`. It prints as it goes. */
export const runDemo: RunCommand = async ({ io }) => {
  await runTour(stageOn(io.screen, io.stdout));
  return EXIT.ok;
};
