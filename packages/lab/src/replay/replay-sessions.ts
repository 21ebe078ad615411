import type { Decision, DecisionInput, ResolvedPolicy } from '@redrive/core';
import { settleAttempt } from '@redrive/core/stored';
import { accountOf, tryPolicy } from '../backtest/try-policy.ts';
import { type World, worldsOf } from '../backtest/world.ts';
import type { Attempts } from '../recording/attempts.ts';

/** The first decision of a session that another policy makes otherwise. */
export interface Divergence {
  readonly session: string;
  readonly generation: number;
  /** The attempt that it follows. */
  readonly attempt: number;
  readonly endMs: number;
  readonly policy: ResolvedPolicy;
  /** The answer of the other policy. `run`: it has no breaker, which kept the session back in the record. */
  readonly action: Decision['action'] | 'run';
  readonly delayMs?: number | undefined;
  /** The entry of the attempt in the account. */
  readonly entry: Decision['charge']['entry'];
  readonly account: DecisionInput['account'];
}

/** How a session goes on after its divergence. */
export interface ReplayedCourse {
  /** All attempts, those before the divergence included. */
  readonly attempts: number;
  readonly result: 'succeeded' | 'given-up' | 'unfinished';
  /** When it ended, or its last attempt. */
  readonly endMs: number;
  /** Nobody saw it: the record shows only how the dependency was at that time. `false`: it follows from the record. */
  readonly isInferred: boolean;
}

/** Sums over sessions. A requeue begins another one. */
export interface ReplayTotals {
  sessions: number;
  attempts: number;
  succeeded: number;
  givenUp: number;
  unfinished: number;
  /** From the first attempt to the success, over all that succeeded. */
  tookMs: number;
}

export interface SessionsReplayed {
  readonly recorded: ReplayTotals;
  /** With the other policies. */
  readonly other: ReplayTotals;
  /** The part of `other` that is inferred. */
  readonly inferred: ReplayTotals;
}

/** A session as it was recorded. */
interface Recorded {
  readonly session: number;
  readonly group: number;
  readonly firstMs: number;
  attempts: number;
  result: ReplayedCourse['result'];
  endMs: number;
  divergence?: Divergence;
  /** Attempts up to the divergence. */
  made: number;
}

export interface ReplayOptions {
  /** The end of the recorded time: nothing after it is inferred. */
  readonly untilMs: number;
  /** One session alone. The others still show how the dependency was. */
  readonly only?: string | undefined;
  /** Gets every divergence, in the order in which the sessions began. */
  readonly onCourse?: (divergence: Divergence, course: ReplayedCourse) => void;
}

/**
 * Adds up the sessions of a recording as they went, and as they would have gone with other policies. A session without a
 * divergence goes as it was recorded; one with it goes on as in a back-test.
 */
export function replaySessions(
  attempts: Attempts,
  divergences: Iterable<Divergence>,
  { untilMs, only, onCourse }: ReplayOptions,
): SessionsReplayed {
  const worlds = new Map(worldsOf(attempts).map((world) => [world.dependency, world]));
  const totals = { recorded: newTotals(), other: newTotals(), inferred: newTotals() };
  for (const one of recordedSessions(attempts, divergences, only)) {
    const { divergence, attempts: made, result, endMs, firstMs } = one;
    const asRecorded = { attempts: made, result, endMs, isInferred: false };
    const { dependency = '', rung = 'job' } = attempts.groups[one.group] ?? {};
    const world = worlds.get(dependency);
    const course =
      divergence && world ? courseOf(divergence, one, rung, { ...world, untilMs }) : asRecorded;
    if (divergence !== undefined) onCourse?.(divergence, course);
    add(totals.recorded, asRecorded, firstMs);
    add(totals.other, course, firstMs);
    if (!course.isInferred) continue;
    add(totals.inferred, { ...course, attempts: course.attempts - one.made }, firstMs);
  }
  return totals;
}

function recordedSessions(
  attempts: Attempts,
  divergences: Iterable<Divergence>,
  only: string | undefined,
): Iterable<Recorded> {
  // Sessions are fewer than this.
  const keyOf = (session: number, generation: number) => session + (generation - 1) * 0x1_0000_0000;
  const byKey = new Map<number, Divergence>();
  for (const one of divergences)
    byKey.set(keyOf(attempts.numberOf(one.session), one.generation), one);
  const wanted = only === undefined ? undefined : attempts.numberOf(only);
  const sessions = new Map<number, Recorded>();
  for (let at = 0; at < attempts.size; at += 1) {
    if (wanted !== undefined && attempts.sessionOf(at) !== wanted) continue;
    const { session, group, generation, attempt, endMs, outcome, action } = attempts.at(at);
    const key = keyOf(session, generation);
    let one = sessions.get(key);
    if (one === undefined) {
      one = { session, group, firstMs: endMs, attempts: 0, result: 'unfinished', endMs, made: 0 };
      sessions.set(key, one);
    }
    if (outcome !== 'not_run') one.attempts += 1;
    one.endMs = endMs;
    one.result =
      outcome === 'succeeded' ? outcome : action === 'give-up' ? 'given-up' : 'unfinished';
    const divergence = byKey.get(key);
    if (divergence?.attempt !== attempt) continue;
    one.divergence = divergence;
    one.made = one.attempts;
  }
  return sessions.values();
}

const RESULTS = {
  succeeded: 'succeeded',
  exhausted: 'given-up',
  final: 'given-up',
  waiting: 'unfinished',
} as const;

function courseOf(
  one: Divergence,
  recorded: Recorded,
  rung: string,
  world: World & Pick<ReplayOptions, 'untilMs'>,
): ReplayedCourse {
  const { action, endMs, delayMs = 0, entry, policy } = one;
  const { made, session, group, firstMs } = recorded;
  if (action === 'give-up' || action === 'hand-over') {
    const result = action === 'give-up' ? 'given-up' : 'unfinished';
    return { attempts: made, result, endMs, isInferred: false };
  }
  const account = settleAttempt(accountOf(one.account), entry, delayMs);
  // A parked session waits for the probe that succeeds, not for its delay.
  const atMs = endMs + (action === 'retry' ? delayMs : 0);
  const arrival = { session, group, atMs: firstMs, isSuccess: false };
  const start = { atMs, attempts: made, account, untilMs: world.untilMs };
  const { attempts, result, tookMs } = tryPolicy(policy, rung, world, arrival, start);
  const lastMs = Math.min(world.untilMs, firstMs + tookMs);
  return { attempts, result: RESULTS[result], endMs: lastMs, isInferred: true };
}

function newTotals(): ReplayTotals {
  return { sessions: 0, attempts: 0, succeeded: 0, givenUp: 0, unfinished: 0, tookMs: 0 };
}

function add(totals: ReplayTotals, { attempts, result, endMs }: ReplayedCourse, firstMs: number) {
  totals.sessions += 1;
  totals.attempts += attempts;
  totals[result === 'given-up' ? 'givenUp' : result] += 1;
  if (result === 'succeeded') totals.tookMs += endMs - firstMs;
}
