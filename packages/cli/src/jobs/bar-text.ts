import { progressText } from '@redrive/durable/store';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import type { Screen } from '../terminal/screen.ts';
import { spanText } from '../terminal/times.ts';

const WIDTH = 20;
/** A progress that changed less long ago moves. */
const STILL_MS = 30_000;

type Progress = NonNullable<AnswerOf<typeof ACTIONS.jobs.watch>['progress']>;

/** A bar, the percentage and the note; if it has been the same for a while, for how long. */
export function barText({ unicode }: Pick<Screen, 'unicode'>, progress: Progress, nowMs: number) {
  const { fraction, note, since } = progress;
  const full = Math.floor(fraction * WIDTH);
  const [done, left] = unicode ? ['█', '░'] : ['#', '.'];
  const bar = done.repeat(full) + left.repeat(WIDTH - full);
  const stillMs = nowMs - Date.parse(since);
  const still = stillMs < STILL_MS ? '' : `, the same for ${spanText(stillMs)}`;
  return `${bar}  ${progressText({ fraction, note: note ?? undefined })}${still}`;
}
