import type { JobState } from '@redrive/durable';
import type { Colour, Screen } from '../terminal/screen.ts';

const COLOURS: Readonly<Record<JobState, Colour>> = {
  scheduled: 'yellow',
  ready: 'blue',
  parked: 'magenta',
  leased: 'cyan',
  succeeded: 'green',
  dead: 'red',
  cancelled: 'dim',
  purged: 'dim',
};

/** A state, or a text about it, in the colour that it has everywhere. */
export function paintState(
  screen: Pick<Screen, 'paint'>,
  state: JobState,
  text: string = state,
): string {
  return screen.paint(COLOURS[state], text);
}
