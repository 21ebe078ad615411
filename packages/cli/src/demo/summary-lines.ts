import { maskUrls } from '@redrive/config';
import { commandText } from '@redrive/core/fields';
import type { Store } from '@redrive/durable';
import type { NamedBreaker } from '@redrive/durable/control';
import { type Counts, countStates } from '@redrive/durable/store';
import { printable } from '../terminal/printable.ts';
import type { Colour, Screen } from '../terminal/screen.ts';
import { columns, tableLines } from '../terminal/table.ts';
import { DEMO_HANDLERS, MISSING_FILE } from './demo-handlers.ts';

const COLUMNS = columns(
  'handler:cyan | wait:right,yellow | parked:right,magenta | run:right | done:right,green | dead:right,red | what it shows:shrinks,dim',
);

/** The jobs of each handler by state, and the state of the breaker. */
export function summaryLines(
  screen: Screen,
  counts: Counts,
  breakers: readonly NamedBreaker[],
): string[] {
  const rows = Object.entries(DEMO_HANDLERS).map(([handler, what]) => {
    const states = countStates(counts, (group) => group.handler === handler);
    const { scheduled, ready, parked, leased, succeeded, dead } = states;
    return [handler, ...[scheduled + ready, parked, leased, succeeded, dead].map(String), what];
  });
  return [...tableLines(screen, COLUMNS, rows), '', breakerLine(screen, breakers)];
}

const COLOURS: Readonly<Record<NamedBreaker['state'], Colour>> = {
  closed: 'green',
  half_open: 'yellow',
  open: 'red',
};

function breakerLine({ paint }: Screen, breakers: readonly NamedBreaker[]): string {
  const [bank] = breakers;
  const state = bank?.state ?? 'closed';
  const failures =
    bank === undefined || state === 'closed' ? '' : ` after ${bank.breaker.failures} failures`;
  return `circuit breaker of the bank: ${paint(COLOURS[state], state)}${failures}`;
}

/** `12 jobs wait in the store, and the next start continues` */
export function waitingText(counts: Counts): string {
  const left = unfinished(counts);
  const verb = left === 1 ? 'waits' : 'wait';
  return left === 0
    ? 'no job is left to do'
    : `${countedJobs(left)} ${verb} in the store, and the next start continues`;
}

export function unfinished(counts: Counts): number {
  const { scheduled, ready, parked, leased } = countStates(counts);
  return scheduled + ready + parked + leased;
}

export function countedJobs(count: number): string {
  return `${count} ${count === 1 ? 'job' : 'jobs'}`;
}

const INDENT = '  ';
const PAUSE = ['npx redrive queues pause default', 'pause all jobs, until resume'] as const;

/** Commands to try on the demo's store, with a dead job's id in them where there is one. */
export function nextStepLines(
  { paint, columns }: Screen,
  url: string,
  deadId: string | undefined,
  isRunning: boolean,
): string[] {
  const id = deadId ?? 'ID';
  const steps: readonly (readonly [command: string, why: string])[] = [
    ['npx redrive dlq list', 'list the dead letters'],
    [commandText`npx redrive dlq show ${id}`, 'why it failed, what to do'],
    [`touch ${MISSING_FILE}`, 'remove the cause'],
    // Only the demo has the handler of this job.
    [
      commandText`npx redrive dlq requeue ${id}`,
      isRunning ? 'requeue: it runs at once' : 'requeue: the next start runs it',
    ],
    ['npx redrive audit verify', 'check the audit log'],
    ...(isRunning ? [PAUSE] : []),
  ];
  const width = Math.max(...steps.map(([command]) => command.length));
  const whyWidth = Math.max(...steps.map(([, why]) => why.length));
  const hasRoom = INDENT.length + width + 2 + whyWidth <= columns;
  const title = isRunning
    ? 'Try this in another terminal, in this directory, while the demo runs:'
    : 'Try this, in this directory:';
  return [
    paint('bold', title),
    INDENT + paint('cyan', `export REDRIVE_STORE=${printable(maskUrls(url))}`),
    ...steps.map(([command, why]) =>
      hasRoom
        ? `${INDENT}${paint('cyan', command.padEnd(width))}  ${paint('dim', why)}`
        : INDENT + paint('cyan', command),
    ),
  ];
}

/** A job that a newcomer can bring back to life. */
export async function deadImport(store: Store): Promise<string | undefined> {
  const { jobs } = await store.jobs({ states: ['dead'], handler: 'import' }, { limit: 1 });
  return jobs[0]?.id;
}
