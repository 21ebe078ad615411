import type { Controls } from './control-store.ts';
import { killKeysOf, type Stoppable } from './kill-target.ts';
import { dependencyOf, gateName } from './parked-cause.ts';
import { breakerStateAt } from './rules/shared-breaker.ts';
import { documentsIn } from './update-control.ts';

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
    if (held !== undefined && dependencyOf(cause) === dependency)
      return `${cause} is held by ${held.by}`;
  }
  return undefined;
}
