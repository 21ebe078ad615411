import { RedriveError } from '@redrive/core';
import { refuse } from '@redrive/core/fields';
import { MAX_NAME_LENGTH, textProblem } from '../jobs/text-problem.ts';
import { type Actor, keptWhy, type Moment, momentMs } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import type { Controls } from './control-store.ts';
import {
  breakerStateAt,
  closedBreaker,
  type ForcedState,
  forceBreaker as forced,
  forcedAt,
  halfOpenNow,
  nextProbeInMs,
  resetBreaker as reset,
  type SharedBreaker,
} from './rules/shared-breaker.ts';
import { controlNote, documentsIn, updateControl } from './update-control.ts';

/** The breaker of one dependency, as all processes share it. */
export interface NamedBreaker {
  readonly dependency: string;
  /** The state now: forced by an operator, or its own. */
  readonly state: SharedBreaker['state'];
  /** While an operator has forced the state. */
  readonly forced?: ForcedState | undefined;
  /** Absent: it is closed, an operator has forced it, or a probe is under way. */
  readonly nextProbeAtMs?: number | undefined;
  readonly breaker: SharedBreaker;
}

/** An act on the breaker of one dependency. */
export interface BreakerAct {
  readonly dependency: string;
  readonly actor: Actor;
}

export interface ForceBreaker extends BreakerAct {
  /** `open`: none of its jobs run, and no probe. `closed`: all of them run, whatever fails. */
  readonly state: ForcedState['state'];
  /** Absent: until an operator resets it. */
  readonly until?: Moment | undefined;
}

/** `breaker`: its new state; absent: no breaker has that name, and nothing was done. */
export interface BreakerChange {
  readonly changed: boolean;
  readonly breaker?: NamedBreaker | undefined;
}

/** For a dependency without reports: the defaults of policies, until a process reports an outcome. */
const DEFAULT_SETTINGS = { threshold: 5, timeoutMs: 60_000 };

/** The breaker of a dependency without reports: closed, and not stored. */
export function unreportedBreaker(dependency: string, nowMs: number): NamedBreaker {
  return named(dependency, closedBreaker(DEFAULT_SETTINGS, nowMs), nowMs);
}

/**
 * Every breaker that has counted a failure or was forced by an operator, by name. A dependency without failures has none.
 * @throws RedriveError `store_unavailable`.
 */
export async function breakers(store: FullStore): Promise<readonly NamedBreaker[]> {
  return breakersIn(await store.controls());
}

export function breakersIn(controls: Controls): readonly NamedBreaker[] {
  return [...documentsIn(controls, 'breaker')].map(([dependency, breaker]) =>
    named(dependency, breaker, controls.nowMs),
  );
}

/**
 * Forces a breaker open or closed until the given time, or until an operator resets it. Also a breaker that does not exist
 * yet.
 *
 * @throws RedriveError `invalid_option`, also for an end that has passed; `control_conflict`, `store_unavailable`.
 */
export async function forceBreaker(
  store: FullStore,
  { dependency, state, until, actor }: ForceBreaker,
): Promise<BreakerChange & { readonly breaker: NamedBreaker }> {
  const problem = textProblem('dependency', dependency, MAX_NAME_LENGTH);
  refuse('invalid_option', 'breaker', problem === undefined ? [] : [problem]);
  const change = await changeBreaker(
    store,
    dependency,
    controlNote(actor, `force_${state}`, { until }),
    (current, nowMs) => {
      const untilMs = until && momentMs(until, nowMs);
      if (untilMs !== undefined && untilMs <= nowMs) {
        throw new RedriveError(
          'invalid_option',
          'The end of a forced state must be in the future',
          { dependency },
        );
      }
      const why = keptWhy(actor.why);
      const wish: ForcedState = { state, untilMs, sinceMs: nowMs, by: actor.name, why };
      return forced(current ?? closedBreaker(DEFAULT_SETTINGS, nowMs), wish);
    },
  );
  // A missing breaker is created.
  return change as BreakerChange & { readonly breaker: NamedBreaker };
}

/**
 * Starts the next probe at once, and ends a forced state. A closed breaker is opened: the operator doubts it.
 *
 * @throws RedriveError `control_conflict`, `store_unavailable`.
 */
export function halfOpenBreaker(store: FullStore, act: BreakerAct): Promise<BreakerChange> {
  return changeExisting(store, act, 'half_open', halfOpenNow);
}

/**
 * Closes a breaker, clears its counts, and ends a forced state.
 *
 * @throws RedriveError `control_conflict`, `store_unavailable`.
 */
export function resetBreaker(store: FullStore, act: BreakerAct): Promise<BreakerChange> {
  return changeExisting(store, act, 'reset', reset);
}

function changeExisting(
  store: FullStore,
  { dependency, actor }: BreakerAct,
  act: string,
  next: (current: SharedBreaker, nowMs: number) => SharedBreaker,
): Promise<BreakerChange> {
  const note = controlNote(actor, act);
  return changeBreaker(
    store,
    dependency,
    note,
    (current, nowMs) => current && next(current, nowMs),
  );
}

async function changeBreaker(
  store: FullStore,
  dependency: string,
  note: object,
  next: (current: SharedBreaker | undefined, nowMs: number) => SharedBreaker | undefined,
): Promise<BreakerChange> {
  let nowMs = 0;
  const { after, changed } = await updateControl(store, {
    of: 'breaker',
    key: dependency,
    next: (current, storeMs) => {
      nowMs = storeMs;
      return next(current, storeMs);
    },
    note: () => note,
  });
  return { changed, breaker: after && named(dependency, after, nowMs) };
}

/** As people see it: while a probe is under way, the time of the next one is unknown. */
export function knownProbeAtMs(breaker: SharedBreaker, nowMs: number): number | undefined {
  const inMs = nextProbeInMs(breaker, nowMs);
  const isUnderWay = breaker.state === 'half_open' && inMs > 0;
  return inMs === Infinity || isUnderWay ? undefined : nowMs + inMs;
}

function named(dependency: string, breaker: SharedBreaker, nowMs: number): NamedBreaker {
  return {
    dependency,
    state: breakerStateAt(breaker, nowMs),
    forced: forcedAt(breaker, nowMs),
    nextProbeAtMs: knownProbeAtMs(breaker, nowMs),
    breaker,
  };
}
