import type { FullStore } from '../store/full-store.ts';
import { breakersIn, type NamedBreaker } from './breakers.ts';
import { gatesIn } from './gates.ts';
import { type EngagedKill, killSwitchesIn, type Pause, pausesIn } from './kill-switches.ts';
import { type ParkedJobs, parkedCausesIn } from './parked-causes.ts';
import type { ClosedGate } from './rules/documents.ts';

/** Everything that keeps work from starting now. */
export interface ControlOverview {
  readonly nowMs: number;
  readonly killSwitches: readonly EngagedKill[];
  readonly pauses: readonly Pause[];
  /** All of them, also the closed ones. */
  readonly breakers: readonly NamedBreaker[];
  readonly gates: readonly ClosedGate[];
  readonly parked: readonly ParkedJobs[];
}

/**
 * Everything that keeps work from starting, from one read: kill switches, pauses, breakers, closed gates and the causes of
 * parked jobs. @throws RedriveError `store_unavailable`.
 */
export async function controlOverview(store: FullStore): Promise<ControlOverview> {
  const [parks, controls] = await Promise.all([store.parks(), store.controls()]);
  return {
    nowMs: controls.nowMs,
    killSwitches: killSwitchesIn(controls),
    pauses: pausesIn(controls),
    breakers: breakersIn(controls),
    gates: gatesIn(controls),
    parked: parkedCausesIn(controls, parks),
  };
}
