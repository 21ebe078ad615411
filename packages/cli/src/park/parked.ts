import { commandText } from '@redrive/core/fields';
import { counted } from '@redrive/durable/store';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { listOf, type Shown, textOf } from '../action/renderer.ts';
import { probeCell } from '../breaker/breaker-lines.ts';
import { note, printText } from '../terminal/io.ts';
import { rateText } from '../terminal/parse-rate.ts';
import { printable } from '../terminal/printable.ts';
import { ageCell, type Cell, columns, countCell } from '../terminal/table.ts';
import { formatAge } from '../terminal/times.ts';
import { onceThereIsAWorker } from '../workers/worker-view.ts';

type Causes = AnswerOf<typeof ACTIONS.park.list>;
type Park = Causes['causes'][number];
type Released = AnswerOf<typeof ACTIONS.park.release>;
type Held = AnswerOf<typeof ACTIONS.park.hold>;

export const PARK_RELEASE = textOf<Released | Held>((shown) => {
  const { io, answer } = shown;
  if ('held' in answer) return printHold({ ...shown, answer });
  printText(io, releaseText(answer));
  const hint = stillThere(answer);
  if (hint !== undefined) note(io, printable(hint));
});

function releaseText({ cause, released, more, pace, dry_run: dry, has_worker }: Released): string {
  if (pace !== null) {
    const verb = dry ? 'would be' : 'are';
    return `The jobs under ${cause} ${verb} released at a growing pace, beginning with ${rateText(pace)}${onceThereIsAWorker(has_worker)}.`;
  }
  const verb = dry ? 'would be' : released === 1 ? 'is' : 'are';
  return `${counted(released, 'job')} under ${cause} ${verb} ready.${more ? ' There are more.' : ''}`;
}

/** Where the cause is still there, releasing alone does not help. */
function stillThere({ waits_for, dependency }: Released): string | undefined {
  switch (waits_for) {
    case 'breaker':
      return `The breaker of ${dependency} is still open and will park them again. To let them run: ${commandText`redrive breakers force-closed --for 10m ${dependency ?? ''}`}`;
    case 'gate':
      return `The gate of ${dependency} is still closed and will park them again. To let them run: ${commandText`redrive gates release ${dependency ?? ''}`}`;
    default:
      return undefined;
  }
}

export const PARK_HOLD = textOf<Held>(printHold);

function printHold({ io, answer, invocation: { options } }: Shown<Held>): void {
  const { cause, held_by, changed, dry_run: dry } = answer;
  const ends = options.end === true || options.holdOnly === true;
  const now = ends ? 'are no longer held' : 'are held';
  const would = ends ? 'would no longer be held' : 'would be held';
  const already = ends ? 'were not held' : `were held already, by ${held_by ?? 'somebody'}`;
  printText(io, `Jobs parked under ${cause} ${dry ? would : changed ? now : already}.`);
  if (!dry && !ends) note(io, `To end the hold: ${commandText`redrive park release ${cause}`}`);
}

const PARK_COLUMNS = columns(
  'cause:cyan | since | jobs:right | next probe | waits for:yellow,shrinks',
);

const NONE =
  'No job is parked. Jobs are parked when the breaker of their dependency is open, its gate is closed, or a kill switch was released with --pace.';

export const PARK_LIST = listOf<Causes, Park>(({ nowMs }) => ({
  name: 'causes',
  columns: PARK_COLUMNS,
  none: NONE,
  row: (park) => [
    park.cause,
    ageCell(park.since, nowMs),
    countCell(park.count, park.bounded),
    park.waits_for === 'breaker' ? probeCell(park, nowMs, 'none: forced') : '',
    waitCell(park, nowMs),
  ],
}));

function waitCell(park: Park, nowMs: number): Cell {
  const { dependency, held_by, held_why, pace, until } = park;
  if (held_by !== null) return `held by ${held_by}${held_why === null ? '' : `: ${held_why}`}`;
  switch (park.waits_for) {
    case 'breaker':
      return `the breaker of ${dependency} to close`;
    case 'gate':
      return {
        shown: `the gate to open ${formatAge(Date.parse(until ?? ''), nowMs)}`,
        exact: `the gate to open at ${until}`,
      };
    case 'kill':
      return 'the kill switch to be released';
    case 'time':
      return 'each for its own time';
    case 'nothing':
      if (!park.has_worker) return 'a worker: none that has their handler is alive';
      return pace === null ? 'being released' : `being released, ${rateText(pace)} now`;
  }
}
