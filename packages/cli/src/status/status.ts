import { type ControlOverview, controlOverview } from '@redrive/durable';
import { type Counts, JOB_STATES } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { type CountsByState, countStates, countText } from '../store/job-counts.ts';
import { withStore } from '../store/with-store.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { formatAge, formatTime } from '../terminal/times.ts';
import { controlDocument, controlLines } from './control-lines.ts';
import { pauseDocument, pauseLines } from './pauses.ts';

/** What `status` knows about a store. */
interface Status {
  readonly store: string;
  readonly counts: Counts;
  readonly control: ControlOverview;
}

/** Rows that anybody reads; `--json` has all that there are. */
const MAX_ROWS = 50;

/** `redrive status` */
export const runStatus: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const status = await withStore(invocation, async (store): Promise<Status> => {
    const [counts, control] = await Promise.all([store.counts(), controlOverview(store)]);
    return { store: store.name, counts, control };
  });
  if (options.json) printJson(io, statusJson(status));
  else printLines(io, statusLines(io.screen, status));
  return EXIT.ok;
};

function statusJson({ store, counts, control }: Status) {
  const { nowMs, bounded, oldestReadyAtMs } = counts;
  return {
    store,
    time: new Date(nowMs).toISOString(),
    states: countStates(counts),
    bounded,
    oldest_ready_at: oldestReadyAtMs === undefined ? null : new Date(oldestReadyAtMs).toISOString(),
    handlers: handlersOf(counts),
    paused: control.pauses.map(pauseDocument),
    ...controlDocument(control),
  };
}

/** One entry per queue and handler, by name. */
function handlersOf(counts: Counts) {
  const keys = new Map(counts.groups.map((group) => [`${group.queue}\0${group.handler}`, group]));
  return [...keys.values()]
    .map(({ queue, handler }) => ({
      queue,
      handler,
      states: countStates(counts, (group) => group.queue === queue && group.handler === handler),
    }))
    .sort((a, b) => compare(a.queue, b.queue) || compare(a.handler, b.handler));
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

function statusLines(screen: Screen, { store, counts, control }: Status): string[] {
  const { nowMs, bounded, oldestReadyAtMs } = counts;
  return [
    `${screen.paint('bold', printable(store))}  ${screen.paint('dim', formatTime(nowMs))}`,
    '',
    ...countLines(screen, counts),
    ...(bounded ? ['Counting stopped at a limit: there are more than the numbers say.'] : []),
    ...(oldestReadyAtMs === undefined
      ? []
      : ['', `The oldest ready job was submitted ${formatAge(oldestReadyAtMs, nowMs)}.`]),
    ...pauseLines(screen, control.pauses, nowMs),
    ...controlLines(screen, control),
  ];
}

/** A row for each queue and handler, and the sum of all. */
function countLines(screen: Screen, counts: Counts): string[] {
  const rows = handlersOf(counts);
  if (rows.length === 0) return ['There are no jobs yet.'];
  const all = countStates(counts);
  const shown = JOB_STATES.filter((state) => state !== 'purged' || all.purged > 0);
  const columns: readonly Column[] = [
    { title: 'queue', colour: 'cyan' },
    { title: 'handler', colour: 'cyan' },
    ...shown.map((title): Column => ({ title, align: 'right' })),
  ];
  const cells = (states: CountsByState) =>
    shown.map((state) => countText(states[state], counts.bounded));
  const first = rows.slice(0, MAX_ROWS);
  return [
    ...tableLines(screen, columns, [
      ...first.map(({ queue, handler, states }) => [queue, handler, ...cells(states)]),
      ...(rows.length === 1 ? [] : [['all', '', ...cells(all)]]),
    ]),
    ...(rows.length > MAX_ROWS ? [`and ${rows.length - MAX_ROWS} more; --json has all`] : []),
  ];
}
