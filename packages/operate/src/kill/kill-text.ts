import { countText, type KillScope, wordOf } from '@redrive/durable/store';

/** How many jobs a kill switch concerns. `null`: they are not counted by tenant, or could not be counted. */
export interface Concerned {
  readonly running: number | null;
  readonly waiting: number | null;
  readonly bounded: boolean;
}

/** `3 jobs run and may finish; 1,204 wait.` Empty: they are not counted. */
export function concernedText(
  mode: 'finish' | 'interrupt',
  { running, waiting, bounded }: Concerned,
): string {
  if (running === null || waiting === null) return '';
  if (running === 0 && waiting === 0)
    return 'No unfinished job is affected now; new jobs wait until the switch is released.';
  const wait = `${countText(waiting, bounded)} ${waiting === 1 ? 'waits' : 'wait'}.`;
  if (running === 0) return `No job runs; ${wait}`;
  const one = running === 1;
  const end = mode === 'finish' ? 'may finish' : one ? 'is interrupted' : 'are interrupted';
  return `${countText(running, bounded)} ${one ? 'job runs' : 'jobs run'} and ${end}; ${wait}`;
}

/** A target in the words of the command line: `all`, `queue mail`. */
export function targetWords({
  scope,
  name,
}: {
  readonly scope: KillScope;
  readonly name?: string | null | undefined;
}): string {
  if (scope === 'all') return scope;
  return `${wordOf(scope)} ${name || "''"}`;
}
