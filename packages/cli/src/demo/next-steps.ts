import { maskUrls } from '@redrive/config';
import type { Store } from '@redrive/durable';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { MISSING_FILE } from './demo-handlers.ts';

const INDENT = '  ';
const PAUSE = ['npx redrive queues pause default', 'pause all jobs, until resume'] as const;

/** Commands to try on the demo's store, with a dead job's id in them where there is one. */
export function nextStepLines(
  { paint, columns }: Screen,
  url: string,
  deadId: string | undefined,
  isRunning: boolean,
): string[] {
  const id = deadId ?? '<id>';
  const steps: readonly (readonly [command: string, why: string])[] = [
    ['npx redrive dlq list', 'list the dead letters'],
    [`npx redrive dlq show ${id}`, 'why it failed, what to do'],
    [`touch ${MISSING_FILE}`, 'remove the cause'],
    // Only the demo has the handler of this job.
    [
      `npx redrive dlq requeue ${id}`,
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
