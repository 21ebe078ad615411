import type { Controls } from './control-store.ts';
import { documentsIn } from './documents-in.ts';
import { gateName } from './gate-name.ts';
import { killKeysOf, type Stoppable } from './kill-target.ts';
import { causes } from './rules/documents.ts';
import { breakerStateAt } from './rules/shared-breaker.ts';

/**
 * Why no work of a handler or a dependency starts now, in words: a kill switch, a pause, a breaker that is not closed, a
 * closed gate or a hold. `undefined`: nothing is in the way.
 *
 * @param dependency empty: none.
 */
export function stoppedBy(
  controls: Controls,
  work: Stoppable,
  dependency: string,
): string | undefined {
  const { nowMs } = controls;
  const kills = documentsIn(controls, 'kill');
  const key = killKeysOf(work).find((one) => kills.has(one));
  if (key !== undefined) {
    const { by, why } = kills.get(key) ?? {};
    const name = key.replace('pause:', '').replace(/^operation:/, 'handler:');
    const what = key.startsWith('pause:') ? 'a pause of' : 'the kill switch';
    return `${what} ${name}, by ${by}${why ? `: ${why}` : ''}`;
  }
  if (dependency === '') return undefined;
  const breaker = documentsIn(controls, 'breaker').get(dependency);
  const state = breaker === undefined ? 'closed' : breakerStateAt(breaker, nowMs);
  if (state !== 'closed') return `the breaker of ${dependency} is ${state}`;
  for (const [name, gate] of documentsIn(controls, 'gate')) {
    if (gate.dependency === dependency && gate.untilMs > nowMs)
      return `the gate ${gateName(name)} is closed until ${new Date(gate.untilMs).toISOString()}`;
  }
  for (const [cause, { held }] of documentsIn(controls, 'park')) {
    if (held !== undefined && isOf(cause, dependency)) return `${cause} is held by ${held.by}`;
  }
  return undefined;
}

/** Whether jobs that wait for this dependency are parked under the cause. */
function isOf(cause: string, dependency: string): boolean {
  if (cause === causes.breaker(dependency)) return true;
  const gate = causes.gate('');
  return cause.startsWith(gate) && gateName(cause.slice(gate.length)).split('/')[0] === dependency;
}
