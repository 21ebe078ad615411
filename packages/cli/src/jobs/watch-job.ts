import { systemClock } from '@redrive/core';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { inWords, itemsOf, placeOf } from '../action/run-action.ts';
import type { RunSugar } from '../action/sugar.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJsonLine, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatTime } from '../terminal/times.ts';
import { untilStopped } from '../terminal/until-stopped.ts';
import { barText } from './bar-text.ts';
import { paintState } from './job-lines.ts';

type Item = AnswerOf<typeof ACTIONS.jobs.watch>;

/** Follows a job until it has finished. A stream ends after 15 minutes, and the next one continues. */
export const runJobWatch: RunSugar = async (sugar, invocation) => {
  const { io, options } = invocation;
  const clock = io.clock ?? systemClock;
  const place = await inWords(sugar, () => placeOf(sugar.action, sugar, invocation));
  let last: Item | undefined;
  try {
    return await untilStopped(io, async (signal) => {
      while (!signal.aborted) {
        for await (const item of itemsOf<Item>(sugar, place, { signal })) {
          const isSame = JSON.stringify(item) === JSON.stringify(last);
          last = item;
          if (isSame) continue;
          if (options.json) printJsonLine(io, item);
          else printLines(io, [watchLine(io.screen, item, clock.now())]);
        }
        if (last?.finished) return last.state === 'succeeded' ? EXIT.ok : EXIT.failed;
      }
      return EXIT.interrupted;
    });
  } finally {
    await place.close();
  }
};

/** `12:00:05  running, attempt 2 on w1  ████░░░░░░  40 %, page 4 of 10` */
export function watchLine(screen: Screen, item: Item, nowMs: number): string {
  const { state, attempts_made: attempt, worker, progress, reason, last_error: error } = item;
  const time = formatTime(nowMs);
  if (state === 'leased') {
    const who = `attempt ${attempt} on ${printable(worker ?? 'a worker')}`;
    const how = progress === null ? 'no progress reported' : barText(screen, progress, nowMs);
    return `${time}  ${paintState(screen, state, 'running')}, ${who}  ${printable(how)}`;
  }
  const why = state === 'succeeded' || reason === null ? '' : ` (${reason})`;
  const what = state === 'succeeded' || error === null ? '' : `: ${error.message}`;
  return `${time}  ${paintState(screen, state)}${printable(`${why}${what}`)}`;
}
