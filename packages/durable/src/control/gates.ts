import type { Actor } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import type { Controls } from './control-store.ts';
import { type ClosedGate, gateKey } from './rules/documents.ts';
import { controlNote, documentsIn, updateControl } from './update-control.ts';

export interface ReleaseGate {
  readonly dependency: string;
  /** Default `""`: none. */
  readonly credential?: string | undefined;
  /** Default `""`: none. */
  readonly tenant?: string | undefined;
  readonly actor: Actor;
}

/**
 * The gates by name: dependencies that rate-limited their callers until a time, all of them or one credential or tenant.
 *
 * @throws RedriveError `store_unavailable`.
 */
export async function gates(store: FullStore): Promise<readonly ClosedGate[]> {
  return gatesIn(await store.controls());
}

export function gatesIn(controls: Controls): readonly ClosedGate[] {
  return [...documentsIn(controls, 'gate').values()].filter(
    ({ untilMs }) => untilMs > controls.nowMs,
  );
}

/**
 * Opens a gate before its time; its jobs are released at a pace. The next answer with a hint closes it again. Absent
 * `released`: it was open.
 *
 * @throws RedriveError `control_conflict`, `store_unavailable`.
 */
export async function releaseGate(
  store: FullStore,
  { dependency, credential = '', tenant = '', actor }: ReleaseGate,
): Promise<{ readonly released?: ClosedGate | undefined }> {
  const { before, changed } = await updateControl(store, {
    of: 'gate',
    key: gateKey({ dependency, credential, tenant }),
    next: (current, nowMs) => (current !== undefined && current.untilMs > nowMs ? null : undefined),
    note: (gate) => controlNote(actor, 'release', gate && { untilMs: gate.untilMs }),
  });
  return changed ? { released: before } : {};
}
