import type { ResolvedPolicy, RetryBudgetOptions } from '@redrive/core';
import type { Spread } from '../chance/spread.ts';

/** A scene that was read and checked: all times in milliseconds. `docs/explanation/lab.md` describes the file format. */
export interface Scene {
  readonly name: string;
  readonly description: string;
  readonly arrivals: Arrivals;
  /** The simulation ends this time after the last arrival, or when all sessions have ended. */
  readonly afterMs: number;
  readonly dependency: DependencyModel;
  readonly callers: Callers;
}

export type Arrivals =
  | {
      readonly kind: 'rate';
      readonly perSecond: number;
      readonly forMs: number;
      /** `even`: all gaps are the same. `random`: a Poisson process. */
      readonly spacing: 'even' | 'random';
    }
  | { readonly kind: 'at_once'; readonly count: number }
  /** Rising. */
  | { readonly kind: 'times'; readonly timesMs: readonly number[] };

/** When the last session may arrive. */
export function arrivalsEndMs(arrivals: Arrivals): number {
  if (arrivals.kind === 'rate') return arrivals.forMs;
  return arrivals.kind === 'at_once' ? 0 : (arrivals.timesMs.at(-1) ?? 0);
}

export interface DependencyModel {
  /** Calls that it carries out in a second, one after the other. `Infinity`: any number. */
  readonly capacityPerSecond: number;
  /** The time of a call beside its place in the queue. */
  readonly latency: Spread;
  /** `executed`: it also carries out calls whose caller waits no longer. `dropped`: it does not. */
  readonly expired: 'executed' | 'dropped';
  readonly errors: readonly SharedError[];
  readonly outages: Outages;
  /** Calls of others: they have a share of the capacity and are never repeated. */
  readonly others: { readonly perSecond: number; readonly timeoutMs: number } | undefined;
  /** The dependency is one row with optimistic writes: a write succeeds if nobody wrote since the client read the row. */
  readonly row: { readonly network: Spread } | undefined;
}

/** A share of the calls that fails with this class. */
export interface SharedError {
  readonly share: number;
  readonly errorClass: 'retryable' | 'rate_limited' | 'final';
  readonly retryAfterMs: number | undefined;
}

export interface Outage {
  readonly fromMs: number;
  readonly untilMs: number;
  /** `refuses`: every call fails at once. `stalls`: it carries out nothing, and calls wait in its queue. */
  readonly kind: 'refuses' | 'stalls';
}

export type Outages =
  | { readonly kind: 'listed'; readonly outages: readonly Outage[] }
  | {
      readonly kind: 'drawn';
      /** Mean time from the end of one to the beginning of the next; exponential. */
      readonly everyMs: number;
      readonly lasts: readonly { readonly share: number; readonly spread: Spread }[];
      readonly outage: Outage['kind'];
    };

export interface Callers {
  /** `calls`: retries in process. `jobs`: stored jobs, which workers claim. */
  readonly kind: 'calls' | 'jobs';
  readonly processes: number;
  /** Calls that one process makes at once. */
  readonly concurrency: number;
  /** The outermost first; each layer calls the next one, and the last one the dependency. */
  readonly layers: readonly ResolvedPolicy[];
  /** Calls: this many of the outermost layers are stored. Each of their attempts begins everything inside anew. */
  readonly storedLayers: number;
  readonly budget:
    | (Required<Omit<RetryBudgetOptions, 'clock'>> & { readonly scope: Scope })
    | undefined;
  /** Whose outcomes a breaker counts, where a policy has one. Jobs always share it. */
  readonly breaker: Scope;
  /** The limits that an inner layer gets from the attempt that it runs in. */
  readonly carries: { readonly deadline: boolean; readonly allowance: boolean };
}

/** One per process of each layer, or one for all. */
export type Scope = 'process' | 'fleet';
