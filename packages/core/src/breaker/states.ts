import type { BreakerPermit, BreakerStateName } from './breaker.ts';
import type { ResolvedBreakerOptions } from './breaker-options.ts';
import type { Tally } from './tally.ts';

/*
 *            threshold or ratio reached           first call after timeoutMs
 *   closed ───────────────────────────────► open ──────────────────────────► half_open
 *     ▲                                      ▲                                │     │
 *     │                                      └───── too many probes failed ───┘     │
 *     └──────────────────────── enough probes succeeded ────────────────────────────┘
 *
 * By an operator: any ─isolate─► isolated ─release─► the state before; any but isolated ─reset─► closed.
 */
export type State = Unisolated | Isolated;
export type Unisolated = Closed | Open | HalfOpen;

export interface Closed {
  readonly name: 'closed';
  /** The permit of admitted calls. Each closing has a new number, so that older calls are recognised. */
  readonly permit: BreakerPermit;
  readonly tally: Tally;
}

export interface Open {
  readonly name: 'open';
  /** Monotonic time from which a probe may pass. */
  readonly untilMs: number;
  readonly failures: number;
}

export interface HalfOpen {
  readonly name: 'half_open';
  /** When the probes under way began, oldest first. Each has its own permit. */
  readonly pending: Map<BreakerPermit, number>;
  /** The number of successes still needed to close it, at least 1. */
  needed: number;
  /** The number of failed probes that it still tolerates. `needed + spare` probes may run. */
  spare: number;
  /** The failures that opened it, plus failed probes since. */
  failures: number;
}

/** An operator keeps it open. */
export interface Isolated {
  readonly name: 'isolated';
  handles: number;
  /** The state to restore when the last handle is released. */
  before: Unisolated;
}

/** Half-open, with no probe under way. */
export function halfOpen(
  { probes, probeRatio }: ResolvedBreakerOptions,
  failures: number,
): HalfOpen {
  // The small number undoes 0.07 * 100 = 7.000000000000001.
  const needed = Math.ceil(probes * probeRatio - 1e-9);
  return { name: 'half_open', pending: new Map(), needed, spare: probes - needed, failures };
}

/** Whether the permit belongs to this state. Redeems the permit of a probe. */
export function redeem(state: State, permit: BreakerPermit): state is Closed | HalfOpen {
  if (state.name === 'closed') return state.permit === permit;
  return state.name === 'half_open' && state.pending.delete(permit);
}

/** The state's name in documents and records, where `isolated` is open. */
export function nameOf({ name }: State): BreakerStateName {
  return name === 'isolated' ? 'open' : name;
}

export function failuresOf(state: State): number {
  if (state.name === 'isolated') return failuresOf(state.before);
  return state.name === 'closed' ? state.tally.counts().failures : state.failures;
}
