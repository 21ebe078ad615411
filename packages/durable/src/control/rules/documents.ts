import type { ReleasePace } from './release-pace.ts';

// The control documents of a store, by their kind. Breakers: `SharedBreaker`. Bulk operations: `BulkProgress`.

/** Kind `kill`. No job or call that its key names starts. */
export interface KillSwitch {
  /** `finish`: running attempts go on. `interrupt`: they are interrupted, and their jobs released. */
  readonly mode: 'finish' | 'interrupt';
  readonly sinceMs: number;
  readonly by: string;
  readonly why?: string | undefined;
}

/** A dependency said "not before". */
export interface Gate {
  readonly untilMs: number;
  readonly sinceMs: number;
  /** The hint was longer than the ceiling, and was cut. */
  readonly cut: boolean;
}

/** Kind `gate`. The Retry-After of one attempt holds for all attempts with the same dependency, credential and tenant. */
export interface ClosedGate extends Gate {
  readonly dependency: string;
  /** Empty: none. */
  readonly credential: string;
  readonly tenant: string;
}

/** The key of a gate. */
export function gateKey(gate: Pick<ClosedGate, 'dependency' | 'credential' | 'tenant'>): string {
  return JSON.stringify([gate.dependency, gate.credential, gate.tenant]);
}

/** A longer hint is cut: a hint of a year is an error or an attack. */
export const GATE_CEILING_MS = 3_600_000;

/** The gate after one more hint. It never opens earlier than before. */
export function closeGate(
  gate: Gate | undefined,
  hintMs: number,
  nowMs: number,
  ceilingMs: number = GATE_CEILING_MS,
): Gate {
  const holdsMs = Math.min(Math.max(0, hintMs), ceilingMs);
  const asked = { untilMs: nowMs + holdsMs, sinceMs: nowMs, cut: hintMs > ceilingMs };
  if (gate === undefined || gate.untilMs <= nowMs) return asked;
  return gate.untilMs >= asked.untilMs ? gate : { ...asked, sinceMs: gate.sinceMs };
}

/** Kind `park`; its key is the cause. The release of the jobs that are parked under it. */
export interface ParkedCause {
  readonly sinceMs: number;
  /** An operator keeps them parked, also after the cause is gone. */
  readonly held?: { readonly by: string; readonly why?: string | undefined } | undefined;
  /** The time when a job was last released as a probe of the cause. */
  readonly probeAtMs?: number | undefined;
  /** The pace of the release. Absent: it has not begun. */
  readonly pace?: ReleasePace | undefined;
  /** The first pace of the release, in jobs per second, as an operator set it. */
  readonly askedPerSecond?: number | undefined;
  /**
   * A kill switch was released at a pace: jobs that it stopped and that were submitted before this time are parked at their
   * next claim, and released at the pace.
   */
  readonly submittedBeforeMs?: number | undefined;
}

/** The cause that a job is parked under, as it is stored with the job. */
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
