import type { FullStore } from '../store/full-store.ts';
import { breakersIn } from './breakers.ts';
import { gatesIn } from './gates.ts';
import { killSwitchesIn, pausesIn } from './kill-switches.ts';
import { parkedCausesIn } from './parked-causes.ts';

/** Everything that keeps work from starting now. */
export type ControlOverview = Readonly<Awaited<ReturnType<typeof controlOverview>>>;

/**
 * Everything that keeps work from starting, from one read: kill switches, pauses, breakers, closed gates and the causes of
 * parked jobs. @throws RedriveError `store_unavailable`.
 */
export async function controlOverview(store: FullStore) {
  const [parks, controls] = await Promise.all([store.parks(), store.controls()]);
  return {
    nowMs: controls.nowMs,
    killSwitches: killSwitchesIn(controls),
    pauses: pausesIn(controls),
    /** All of them, also the closed ones. */
    breakers: breakersIn(controls),
    gates: gatesIn(controls),
    parked: parkedCausesIn(controls, parks),
  };
}
