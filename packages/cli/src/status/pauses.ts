import type { Pause } from '@redrive/durable/store';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatAge } from '../terminal/times.ts';
import { wrapWords } from '../terminal/wrap-words.ts';

/** A pause as JSON prints it. */
export function pauseDocument({ scope, name, sinceMs, by, why = null }: PauseOrNull) {
  return { scope, name, since: new Date(sinceMs).toISOString(), by, why };
}

type PauseOrNull = Omit<Pause, 'why'> & { readonly why?: string | null | undefined };

/** What is held back, by whom and why. */
export function pauseLines(screen: Screen, pauses: readonly Pause[], nowMs: number): string[] {
  if (pauses.length === 0) return [];
  const lines = pauses.flatMap(({ scope, name, sinceMs, by, why }) => {
    const since = `${formatAge(sinceMs, nowMs)} by ${by}`;
    const text = `  ${scope} ${name}: ${since}${why === undefined ? '' : `, ${why}`}`;
    return wrapWords(printable(text), screen.columns, '    ');
  });
  return ['', screen.paint('yellow', 'Paused:'), ...lines];
}
