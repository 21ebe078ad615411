import type { Gate } from './gate.ts';
import type { ReleasePace } from './release-pace.ts';

// What the control documents of a store say, by their kind. Breakers: `SharedBreaker`.

/** Kind `kill`. Nothing that its key names starts. */
export interface KillSwitch {
  /** What happens to attempts that run: they may finish, or are interrupted and given back. */
  readonly mode: 'finish' | 'interrupt';
  readonly sinceMs: number;
  readonly by: string;
  readonly why?: string | undefined;
}

/** Kind `gate`. What a dependency told one attempt holds for all who would ask it in the same way. */
export interface ClosedGate extends Gate {
  readonly dependency: string;
  /** Empty: none is named. */
  readonly credential: string;
  readonly tenant: string;
}

/** The key of a gate. */
export function gateKey(gate: Pick<ClosedGate, 'dependency' | 'credential' | 'tenant'>): string {
  return JSON.stringify([gate.dependency, gate.credential, gate.tenant]);
}

/** Kind `park`; its key is the cause. How jobs that wait for the same come back. */
export interface ParkedCause {
  readonly sinceMs: number;
  /** An operator keeps them parked, whatever has become of the cause. */
  readonly held?: { readonly by: string; readonly why?: string | undefined } | undefined;
  /** When one of them was last let go to try whether the cause is still there. */
  readonly probeAtMs?: number | undefined;
  /** While they are released. */
  readonly pace?: ReleasePace | undefined;
  /** An operator asked for a pace that begins with so many a second, whenever they come back. */
  readonly askedPerSecond?: number | undefined;
  /**
   * A kill switch was released at a pace: what it had stopped and was submitted before this time is parked when its turn
   * comes, and comes back at the pace.
   */
  readonly submittedBeforeMs?: number | undefined;
}

/** The cause that jobs wait for, as it stands with the job. */
export const causes = /* @__PURE__ */ Object.freeze({
  breaker: (dependency: string): string => `breaker:${dependency}`,
  gate: (key: string): string => `gate:${key}`,
  /** `key`: `queue:<name>`, `operation:<handler>`, `tenant:<name>` or `all`. */
  kill: (key: string): string => `kill:${key}`,
});

/**
 * The longest time that a job stays parked. A worker that sees its cause gone releases it earlier. After this time it is
 * released in any case, and its next claim looks at the cause.
 */
export const PARKED_AT_MOST_MS = 86_400_000;
