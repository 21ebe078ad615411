import type { WorkerStatus } from '@redrive/durable';
import { ageCell, type Cell, type Column } from '../terminal/table.ts';
import { isoTime, spanText } from '../terminal/times.ts';

/** As JSON prints it. */
export function workerJson(worker: WorkerStatus) {
  return {
    name: worker.name,
    state: worker.state,
    host: worker.host,
    pid: worker.pid,
    version: worker.version,
    since: isoTime(worker.sinceMs),
    last_seen_at: isoTime(worker.seenAtMs),
    handlers: worker.handlers,
    more_handlers: worker.moreHandlers,
    queues: worker.queues ?? null,
    more_queues: worker.moreQueues,
    concurrency: worker.concurrency,
    running: worker.running,
  };
}

/** Two reports are missing: a report is due every 10 seconds. */
const SILENT_AFTER_MS = 25_000;

/** Its state; `silent for 39 s` if it should work, but does not report. */
export function workerStateText(
  { state, seenAtMs }: Pick<WorkerStatus, 'state' | 'seenAtMs'>,
  nowMs: number,
): string {
  const silentMs = nowMs - seenAtMs;
  return state === 'working' && silentMs > SILENT_AFTER_MS
    ? `silent for ${spanText(silentMs)}`
    : state;
}

export const WORKER_COLUMNS: readonly Column[] = [
  { title: 'name', colour: 'cyan' },
  { title: 'state', colour: 'yellow' },
  { title: 'running', align: 'right' },
  { title: 'since' },
  { title: 'last seen' },
  { title: 'host' },
  { title: 'pid', align: 'right' },
  { title: 'version' },
  { title: 'handlers' },
  { title: 'queues', optional: true },
];

export function workerRow(worker: WorkerStatus, nowMs: number): Cell[] {
  const { name, running, concurrency, sinceMs, seenAtMs, host, pid, version } = worker;
  return [
    name,
    { shown: workerStateText(worker, nowMs), exact: worker.state },
    `${running} of ${concurrency}`,
    ageCell(sinceMs, nowMs),
    ageCell(seenAtMs, nowMs),
    host,
    String(pid),
    version,
    namesText(worker.handlers, worker.moreHandlers),
    namesText(worker.queues ?? [], worker.moreQueues),
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
