import type { Classification, ResolvedPolicy } from '@redrive/core';
import { isDependencyFailure, sessionRandom } from '@redrive/core/stored';
import {
  causes,
  closedBreaker,
  countReport,
  endProbe,
  nextProbeAtMs,
  PROBE_BEGINS_WITHIN_MS,
  type SharedBreaker,
  takeProbe,
} from '@redrive/durable/control/rules';
import type { CauseState } from './parking.ts';
import type { World } from './world.ts';

/** Which state of the breaker let a call through. */
export interface Admission {
  readonly admittedByMs: number;
  /** The number of the probe, if the call is one. */
  readonly probe: number | undefined;
}

/** Production draws the time of a probe from the dependency's name and the probe's number: each seed has other numbers. */
const PROBES_PER_SEED = 1_000_000;

/** The breaker that all workers share, by durable's rules. Every worker knows of a change at once. */
export class FleetBreaker {
  readonly #world: World;
  readonly #key: string;
  #document: SharedBreaker;

  constructor(world: World, policy: ResolvedPolicy) {
    const { circuitBreakerThreshold: threshold, circuitBreakerTimeoutMs: timeoutMs } = policy;
    this.#world = world;
    this.#key = causes.breaker(policy.dependency || policy.id);
    const probe = (world.seed - 1) * PROBES_PER_SEED;
    this.#document = { ...closedBreaker({ threshold, timeoutMs }, 0), probe };
  }

  get isClosed(): boolean {
    return this.#document.state === 'closed';
  }

  /** A call may run: the breaker is closed, or the job takes the place of the probe. */
  admit(wasParked: boolean): Admission | undefined {
    const breaker = this.#document;
    if (breaker.state === 'closed') return { admittedByMs: breaker.changedAtMs, probe: undefined };
    const { nowMs } = this.#world;
    // Parked jobs come first.
    const waitMs = wasParked ? 0 : PROBE_BEGINS_WITHIN_MS;
    if (nextProbeAtMs(breaker, nowMs) + waitMs > nowMs) return undefined;
    const taken = takeProbe(breaker, nowMs);
    if (taken === undefined) return undefined;
    this.#document = taken;
    return { admittedByMs: taken.changedAtMs, probe: taken.probe };
  }

  /** Whether the state has changed by this outcome. */
  record({ admittedByMs, probe }: Admission, failure: Classification | undefined): boolean {
    const before = this.#document;
    const failed = isDependencyFailure(failure?.errorClass);
    const { nowMs } = this.#world;
    const random = sessionRandom(this.#key, before.probe ?? 0);
    if (probe !== undefined) {
      this.#document = endProbe(before, probe, failed ? 'failed' : 'succeeded', nowMs, random);
    } else if (failed || before.failures > 0) {
      const report = { failures: failed ? 1 : 0, succeeded: !failed, admittedByMs };
      this.#document = countReport(before, report, nowMs, random);
    }
    return before.state !== this.#document.state;
  }

  /** As a cause of parked jobs. */
  get cause(): CauseState {
    if (this.isClosed) return { lastsMs: 0 };
    return { lastsMs: Infinity, probeAtMs: nextProbeAtMs(this.#document, this.#world.nowMs) };
  }
}
