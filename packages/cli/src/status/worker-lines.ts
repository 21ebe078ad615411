import { missingWorkers, type Status } from '@redrive/durable/store';
import { countStates } from '../store/job-counts.ts';
import type { Screen } from '../terminal/screen.ts';
import { columns, tableLines } from '../terminal/table.ts';
import { formatAge } from '../terminal/times.ts';
import { workerStateText } from '../workers/worker-view.ts';

const COLUMNS = columns(
  'worker:cyan | running:right | last report | :optional,yellow | handlers:shrinks',
);

/** Rows of the table; `redrive workers list` has all. */
const MAX_ROWS = 10;

/** Workers that are alive, and ready jobs that none of them takes. */
export function workerLines(screen: Screen, status: Status): string[] {
  const { counts } = status;
  const { workers, bounded } = status.live;
  const { scheduled, ready, parked, leased } = countStates(counts);
  if (workers.length === 0) {
    if (scheduled + ready + parked + leased === 0) return [];
    const command = screen.paint('cyan', 'redrive start');
    return [
      '',
      `No worker is running. To start one: ${command},`,
      'or jobsOn(…).start() in your application.',
    ];
  }
  const rows = workers.slice(0, MAX_ROWS).map((worker) => {
    const { name, running, concurrency, seenAtMs, handlers, moreHandlers } = worker;
    const state = workerStateText(worker, counts.nowMs);
    return [
      name,
      `${running} of ${concurrency}`,
      formatAge(seenAtMs, counts.nowMs),
      state === 'working' ? '' : state,
      handlers.join(', ') + (moreHandlers > 0 ? ` and ${moreHandlers} more` : ''),
    ];
  });
  const rest = workers.length - rows.length;
  const more = `and ${rest}${bounded ? '+' : ''} more: redrive workers list`;
  const missing = missingWorkers(status).map(({ handler }) => handler);
  return [
    '',
    ...tableLines(screen, COLUMNS, rows),
    ...(rest > 0 ? [more] : []),
    ...(missing.length === 0
      ? []
      : [`No worker has ${missing.join(', ')}: start one with its module or command.`]),
  ];
}
