import { knownProbeAtMs } from './breakers.ts';
import type { Controls } from './control-store.ts';
import { type KillTarget, killTargetOf } from './kill-target.ts';
import { causes } from './rules/documents.ts';
import { breakerStateAt, type SharedBreaker } from './rules/shared-breaker.ts';
import { documentsIn } from './update-control.ts';

/** The condition that jobs under one cause wait for. */
export type WaitsFor =
  | {
      readonly kind: 'breaker';
      readonly dependency: string;
      readonly state: SharedBreaker['state'];
      readonly sinceMs: number;
      /** Absent: an operator has forced it, or a probe is under way. */
      readonly nextProbeAtMs?: number | undefined;
    }
  | {
      readonly kind: 'gate';
      readonly dependency: string;
      readonly credential: string;
      readonly tenant: string;
      readonly sinceMs: number;
      readonly untilMs: number;
    }
  | ({ readonly kind: 'kill'; readonly sinceMs: number } & KillTarget)
  /** The cause is gone: they are being released. */
  | { readonly kind: 'nothing' }
  /** Each job waits for its own time. */
  | { readonly kind: 'time' };

/** The condition of each cause. */
export function waitingIn(controls: Controls): (cause: string) => WaitsFor {
  const { nowMs } = controls;
  const reasons = new Map<string, WaitsFor>();
  for (const [dependency, breaker] of documentsIn(controls, 'breaker')) {
    const state = breakerStateAt(breaker, nowMs);
    if (state === 'closed') continue;
    const nextProbeAtMs = knownProbeAtMs(breaker, nowMs);
    const sinceMs = breaker.forced?.state === state ? breaker.forced.sinceMs : breaker.changedAtMs;
    const reason = { kind: 'breaker', dependency, state, sinceMs, nextProbeAtMs } as const;
    reasons.set(causes.breaker(dependency), reason);
  }
  for (const [key, gate] of documentsIn(controls, 'gate')) {
    const { dependency, credential, tenant, sinceMs, untilMs } = gate;
    if (untilMs <= nowMs) continue;
    const reason = { kind: 'gate', dependency, credential, tenant, sinceMs, untilMs } as const;
    reasons.set(causes.gate(key), reason);
  }
  for (const [key, { sinceMs }] of documentsIn(controls, 'kill')) {
    const target = killTargetOf(key);
    if (target) reasons.set(causes.kill(key), { kind: 'kill', sinceMs, ...target });
  }
  return (cause) => reasons.get(cause) ?? { kind: isShared(cause) ? 'nothing' : 'time' };
}

/** Whether jobs under it wait together, and not each for its own time. */
function isShared(cause: string): boolean {
  return Object.values(causes).some((of) => cause.startsWith(of('')));
}
