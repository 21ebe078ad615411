import type { EngagedKill } from '@redrive/durable';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatAge } from '../terminal/times.ts';
import { targetText } from './kill-target.ts';

/** What is stopped, since when, by whom and why; nothing where nothing is. */
export function killLines(
  screen: Screen,
  switches: readonly EngagedKill[],
  nowMs: number,
): string[] {
  if (switches.length === 0) return [];
  const lines = switches.map((kill) => {
    const { mode, sinceMs, by, why } = kill;
    const running = mode === 'interrupt' ? ', what ran was interrupted' : '';
    const text = `${targetText(kill)}: ${formatAge(sinceMs, nowMs)} by ${by}${running}`;
    return `  ${printable(why === undefined ? text : `${text}, ${why}`)}`;
  });
  return [screen.paint('red', 'Stopped by a kill switch:'), ...lines];
}
