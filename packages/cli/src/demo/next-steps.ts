import { maskUrls } from '@redrive/config';
import type { Store } from '@redrive/durable';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { MISSING_FILE } from './demo-handlers.ts';

const INDENT = '  ';

/** Commands that work on the demo's store, with a dead job's id in them where there is one. */
export function nextStepLines(
  { paint, columns }: Screen,
  url: string,
  deadId: string | undefined,
): string[] {
  const id = deadId ?? '<id>';
  const steps: readonly (readonly [command: string, why: string])[] = [
    [`export REDRIVE_STORE=${printable(maskUrls(url))}`, ''],
    ['npx redrive dlq list', 'what was given up'],
    [`npx redrive dlq show ${id}`, 'why, and what to do next'],
    [`touch ${MISSING_FILE}`, 'mend it'],
    [`npx redrive dlq requeue ${id}`, 'send it back'],
    ['npx redrive audit verify', 'check the whole record'],
    ['npx redrive queues pause default', 'hold all back; resume lets go'],
  ];
  const width = Math.max(...steps.map(([command]) => command.length));
  const whyWidth = Math.max(...steps.map(([, why]) => why.length));
  // A line that is longer than the window would break the picture that is drawn over it.
  const hasRoom = INDENT.length + width + 2 + whyWidth < columns;
  return steps.map(([command, why]) => {
    const shown = paint('cyan', command.padEnd(width).slice(0, columns - INDENT.length - 1));
    return hasRoom ? `${INDENT}${shown}  ${paint('dim', why)}` : INDENT + shown;
  });
}

/** A job that a newcomer can bring back to life. */
export async function deadImport(store: Store): Promise<string | undefined> {
  const { jobs } = await store.jobs({ states: ['dead'], handler: 'import' }, { limit: 1 });
  return jobs[0]?.id;
}
