import type { ControlOverview } from '../control/control-overview.ts';
import { type ClosedGate, causes, gateKey } from '../control/rules/documents.ts';

/** A gate with what waits for it. */
export interface GateView extends ClosedGate {
  readonly parked: number;
  /** There are more. */
  readonly bounded: boolean;
}

export function gateViews({
  gates,
  parked,
}: Pick<ControlOverview, 'gates' | 'parked'>): GateView[] {
  return gates.map((gate) => {
    const own = parked.find(({ cause }) => cause === causes.gate(gateKey(gate)));
    return { ...gate, parked: own?.count ?? 0, bounded: own?.bounded ?? false };
  });
}

/** As JSON prints it. */
export function gateJson(view: GateView) {
  const { dependency, credential, tenant, untilMs, sinceMs, cut, parked } = view;
  return {
    dependency,
    credential: credential || null,
    tenant: tenant || null,
    until: new Date(untilMs).toISOString(),
    since: new Date(sinceMs).toISOString(),
    cut,
    parked,
  };
}
