import type { RunCommand } from '../command/command-spec.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { stageOn } from './stage.ts';
import { runTour } from './tour.ts';

/** `redrive demo`: retries in process. It prints as it goes. */
export const runTourCommand: RunCommand = async ({ io }) => {
  await runTour(stageOn(io.screen, io.stdout));
  return EXIT.ok;
};
