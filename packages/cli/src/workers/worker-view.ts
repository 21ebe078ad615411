import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { listOf } from '../action/renderer.ts';
import { ageCell, type Cell, columns } from '../terminal/table.ts';
import { spanText } from '../terminal/times.ts';

type Workers = AnswerOf<typeof ACTIONS.workers.list>;
type Worker = Workers['workers'][number];

/** Two reports are missing: a report is due every 10 seconds. */
const SILENT_AFTER_MS = 25_000;

/** Its state; `silent for 39 s` if it should work, but does not report. */
export function workerStateText(
  { state, last_seen_at: at }: Pick<Worker, 'state' | 'last_seen_at'>,
  nowMs: number,
): string {
  const silentMs = nowMs - Date.parse(at ?? '');
  return state === 'working' && silentMs > SILENT_AFTER_MS
    ? `silent for ${spanText(silentMs)}`
    : state;
}

const WORKER_COLUMNS = columns(
  'name:cyan | state:yellow | running:right | since | last seen | host | pid:right | version | handlers | queues:optional',
);

function workerRow(worker: Worker, nowMs: number): Cell[] {
  const { name, running, concurrency, since, last_seen_at, host, pid, version } = worker;
  return [
    name,
    { shown: workerStateText(worker, nowMs), exact: worker.state },
    `${running} of ${concurrency}`,
    ageCell(since, nowMs),
    ageCell(last_seen_at, nowMs),
    host,
    String(pid),
    version,
    namesText(worker.handlers, worker.more_handlers),
    namesText(worker.queues ?? [], worker.more_queues),
  ];
}

/** Longer lists are for `--json`. */
const SHOWN_LENGTH = 60;

/** `mail, sync, and 3 more`: names are left out, never cut. */
function namesText(names: readonly string[], omitted: number): string {
  let text = names[0] ?? '';
  let shown = Math.min(1, names.length);
  for (const name of names.slice(1)) {
    if (text.length + name.length + 2 > SHOWN_LENGTH) break;
    text += `, ${name}`;
    shown += 1;
  }
  const more = names.length - shown + omitted;
  return more === 0 ? text : `${text}, and ${more.toLocaleString('en')} more`;
}

const HOW_TO_START =
  'Start one with "redrive start", or with jobsOn(…).start() in your application.';

const AS_OF = '"running" is the number at the last report; a worker reports every 10 s.';

export const WORKER_LIST = listOf<Workers, Worker>(({ answer, nowMs }) => ({
  name: 'workers',
  columns: WORKER_COLUMNS,
  row: (worker) => workerRow(worker, nowMs),
  none: answer.only_gone
    ? `No worker is alive. "redrive workers list --all" also lists workers that are gone. ${HOW_TO_START}`
    : `No worker is alive. ${HOW_TO_START}`,
  below: answer.workers.length === 0 ? [] : ['', AS_OF],
}));

/** In the place of the time of a probe. */
export const NO_PROBE = 'none: no worker';

/** Ends a sentence that says that jobs are released. */
export function onceThereIsAWorker(hasWorker: boolean): string {
  return hasWorker ? '' : ', once a worker that has their handler is alive: none is now';
}
