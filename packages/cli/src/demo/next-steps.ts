import type { Store } from '@redrive/durable';
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
    [`export REDRIVE_STORE=${url}`, ''],
    ['npx redrive jobs list --state dead', 'what was given up'],
    [`npx redrive jobs show ${id}`, 'why'],
    [`touch ${MISSING_FILE}; npx redrive jobs retry ${id}`, 'fix it, send it again'],
    ['npx redrive queue pause default', 'hold all back'],
  ];
  const width = Math.max(...steps.map(([command]) => command.length));
  // A line that is longer than the window would break the picture that is drawn over it.
  return steps.map(([command, why]) => {
    const whyRoom = columns - width - INDENT.length - 3;
    const shown = command.slice(0, columns - INDENT.length - 1);
    if (why === '' || whyRoom < why.length) return INDENT + paint('cyan', shown);
    return `${INDENT}${paint('cyan', shown.padEnd(width))}  ${paint('dim', why)}`;
  });
}

/** A job that a newcomer can bring back to life. */
export async function deadImport(store: Store): Promise<string | undefined> {
  const { jobs } = await store.jobs({ states: ['dead'], handler: 'import' }, { limit: 1 });
  return jobs[0]?.id;
}
