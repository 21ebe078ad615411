import type { WorkerStatus } from '@redrive/durable';
import { isoTime } from '../terminal/iso-time.ts';
import type { Column } from '../terminal/table.ts';
import { formatAge } from '../terminal/times.ts';

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

export const WORKER_COLUMNS: readonly Column[] = [
  { title: 'name', colour: 'cyan' },
  { title: 'state', colour: 'yellow' },
  { title: 'running', align: 'right' },
  { title: 'since' },
  { title: 'last seen' },
  { title: 'handlers', shrinks: true },
  { title: 'queues', shrinks: true, optional: true },
  { title: 'host' },
  { title: 'pid', align: 'right' },
  { title: 'version' },
];

export function workerRow(worker: WorkerStatus, nowMs: number): string[] {
  const { name, state, running, concurrency, sinceMs, seenAtMs, host, pid, version } = worker;
  return [
    name,
    state,
    `${running} of ${concurrency}`,
    formatAge(sinceMs, nowMs),
    formatAge(seenAtMs, nowMs),
    namesText(worker.handlers, worker.moreHandlers),
    namesText(worker.queues ?? [], worker.moreQueues),
    host,
    String(pid),
    version,
  ];
}

/** Longer lists are for `--json`. */
const SHOWN_NAMES = 20;

/** `mail, sync, and 3 more` */
function namesText(names: readonly string[], omitted: number): string {
  const shown = names.slice(0, SHOWN_NAMES);
  const more = names.length - shown.length + omitted;
  return [...shown, ...(more === 0 ? [] : [`and ${more.toLocaleString('en')} more`])].join(', ');
}
