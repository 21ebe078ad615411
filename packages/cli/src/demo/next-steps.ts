import type { Store } from '@redrive/durable';
import type { Screen } from '../terminal/screen.ts';
import { MISSING_FILE } from './demo-handlers.ts';

/** Commands that work on the demo's store, with a dead job's id in them where there is one. */
export function nextStepLines(
  { paint }: Screen,
  url: string,
  deadId: string | undefined,
): string[] {
  const id = deadId ?? '<id>';
  const steps: readonly (readonly [command: string, why: string])[] = [
    [`export REDRIVE_STORE=${url}`, ''],
    ['npx redrive jobs list --state dead', 'what was given up'],
    [`npx redrive jobs show ${id}`, 'why'],
    [`touch ${MISSING_FILE}; npx redrive jobs retry ${id}`, 'fix it, send it again'],
    ['npx redrive queue pause default', 'start nothing more; resume goes on'],
  ];
  const width = Math.max(...steps.map(([command]) => command.length));
  return steps.map(
    ([command, why]) => `  ${paint('cyan', command.padEnd(width))}  ${paint('dim', why)}`,
  );
}

/** A job that a newcomer can bring back to life. */
export async function deadImport(store: Store): Promise<string | undefined> {
  const { jobs } = await store.jobs({ states: ['dead'], handler: 'import' }, { limit: 1 });
  return jobs[0]?.id;
}
