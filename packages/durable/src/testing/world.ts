import { type DecisionInput, decide, definePolicy } from '@redrive/core';
import {
  type AttemptOutcome,
  chargedAttempts,
  openAccount,
  settleAttempt,
  viewOf,
} from '@redrive/core/stored';
import { ownWaitMs } from '../control/rules/own-wait.ts';
import { NO_ATTEMPTS } from '../job/attempt-log.ts';
import type { JobLife } from '../job/job.ts';
import type { SettledState, Settlement } from '../job/settlement.ts';
import { lossesOf } from '../job/suspects.ts';
import { type JobEvent, type Transition, transition } from '../job/transition.ts';

// A small world for the search of `transition()`: jobs, workers that hold tokens, and a time that counts only how far
// away things are. It stands still at NOW; when time passes, everything else comes nearer.

export const NOW = 1_000;
export const MAX_ATTEMPTS = 3;

export interface World {
  readonly jobs: readonly JobLife[];
  /** The lease that each worker believes to hold. It may be wrong. */
  readonly holds: readonly (Hold | undefined)[];
}

export interface Hold {
  readonly job: number;
  readonly token: number;
}

/** Something that happened to a job. */
export interface Step {
  readonly name: string;
  readonly next: World;
  readonly job?: number;
  readonly event?: JobEvent;
  readonly answer?: Transition;
}

const POLICY = definePolicy({
  maxAttempts: MAX_ATTEMPTS,
  backoff: 'fixed',
  baseDelayMs: 1,
  jitter: 'none',
});

/** Jobs that are not yet due, with or without a deadline, and workers that hold nothing. */
export function firstWorld(jobs: number, workers: number, deadline: boolean): World {
  return {
    jobs: Array.from({ length: jobs }, () => newJob(deadline)),
    holds: Array.from({ length: workers }, () => undefined),
  };
}

function newJob(deadline: boolean): JobLife {
  return {
    state: 'scheduled',
    revision: 1,
    token: 0,
    account: openAccount(),
    generationAtMs: NOW,
    dueAtMs: NOW + 1,
    deadlineMs: deadline ? NOW + 2 : undefined,
    cancelRequested: false,
    retryCount: 0,
    attempts: NO_ATTEMPTS,
  };
}

/** Every step that is possible next, sensible or not. */
export function* stepsFrom(world: World): Iterable<Step> {
  yield { name: 'time passes', next: later(world) };
  for (const [worker, hold] of world.holds.entries()) {
    if (hold !== undefined) {
      yield { name: 'crash', next: holding(world, worker, undefined) };
      yield* ends(world, worker, hold);
    }
  }
  for (const [job, life] of world.jobs.entries()) {
    const free = world.holds.indexOf(undefined);
    for (const alone of free >= 0 ? [false, true] : []) {
      const lease = { worker: 'w', leaseMs: 1, policyHash: 'p', alone };
      const claim = applied(world, job, { kind: 'claim', ...lease });
      const token = claim.next.jobs[job]?.token ?? 0;
      yield claim.answer?.ok
        ? { ...claim, next: holding(claim.next, free, { job, token }) }
        : claim;
    }
    yield* rescue(world, job, life);
    for (const event of ACTS) yield applied(world, job, event);
    const { deadlineMs } = life;
    yield applied(world, job, { kind: 'replace', dueAtMs: NOW + 1, deadlineMs });
  }
}

const ACTS: readonly JobEvent[] = [
  { kind: 'promote' },
  { kind: 'unpark', byHand: false },
  { kind: 'unpark', byHand: true },
  { kind: 'run_now' },
  { kind: 'replace' },
  { kind: 'cancel' },
  { kind: 'expire' },
  { kind: 'requeue' },
  { kind: 'reset' },
  { kind: 'purge' },
  { kind: 'restore' },
];

/** The ways in which a worker may settle its lease, in time or late, and its heartbeat. */
function* ends(world: World, worker: number, { job, token }: Hold): Iterable<Step> {
  const life = world.jobs[job];
  if (life === undefined) return;
  yield applied(world, job, { kind: 'extend', token, leaseMs: 1 });
  yield applied(world, job, { kind: 'extend', token, leaseMs: 0 });
  // A worker that forgets to enter how its attempt ended.
  const unsettled = { ...decided(life, { kind: 'success' }), account: life.account } as const;
  const careless = { ...unsettled, token, by: 'held' } as const;
  yield { ...applied(world, job, { kind: 'settle', settlement: careless }), name: 'careless' };
  for (const [name, outcome] of OUTCOMES) {
    const settlement = { ...decided(life, outcome), token, by: 'held' } as const;
    const step = applied(world, job, { kind: 'settle', settlement });
    yield { ...step, name, next: holding(step.next, worker, undefined) };
  }
}

/** Anybody may settle a lease that ran out, with the token that the store shows. */
function* rescue(world: World, job: number, life: JobLife): Iterable<Step> {
  const times = lossesOf(life.account) + 1;
  const { token, lease } = life;
  const settlement = {
    ...decided(life, { kind: 'lease_lost', times, alone: lease?.alone === true }),
    token,
    by: 'expired',
  } as const;
  yield { ...applied(world, job, { kind: 'settle', settlement }), name: 'rescue' };
}

const OUTCOMES: readonly (readonly [string, AttemptOutcome])[] = [
  ['success', { kind: 'success' }],
  ['failure', { kind: 'failure', errorClass: 'retryable', effect: 'none' }],
  ['final', { kind: 'failure', errorClass: 'final', effect: 'none' }],
  ['cancelled', { kind: 'failure', errorClass: 'ignored', effect: 'none' }],
  ['limited', { kind: 'failure', errorClass: 'rate_limited', effect: 'none', retryAfterMs: 1 }],
  ['released', { kind: 'interrupted' }],
  ['parked', { kind: 'blocked', cause: 'breaker_open', retryAfterMs: 1 }],
];

/** The decision of core about the end of the attempt that runs. */
function decided(life: JobLife, outcome: AttemptOutcome): Omit<Settlement, 'token' | 'by'> {
  const input: DecisionInput = {
    policy: POLICY,
    account: viewOf(life.account),
    outcome,
    rung: 'job',
    horizonMs: Number.POSITIVE_INFINITY,
    canHandOver: false,
    timeLeftMs: (life.deadlineMs ?? Number.POSITIVE_INFINITY) - NOW,
    allowance: Number.POSITIVE_INFINITY,
    budgetAllows: true,
    breakerOpenMs: 0,
    onUnknown: 'retry',
    random: 0,
  };
  const decision = decide(input);
  const { action, reason, charge, delayMs = 0 } = decision;
  const targets: Record<typeof action, SettledState> = {
    succeed: 'succeeded',
    retry: outcome.kind === 'interrupted' ? 'ready' : 'scheduled',
    'hand-over': 'scheduled',
    park: 'parked',
    'give-up': reason === 'cancelled' ? 'cancelled' : 'dead',
  };
  return {
    id: 'job',
    to: targets[action],
    dueInMs: delayMs,
    cause: action === 'park' ? reason : undefined,
    account: settleAttempt(life.account, charge.entry, ownWaitMs(decision)),
    retryCount: life.retryCount,
    reason,
    attempts: life.attempts,
    detail: '{}',
  };
}

function applied(world: World, job: number, event: JobEvent): Step {
  const life = world.jobs[job];
  if (life === undefined) throw new Error(`There is no job ${job}`);
  const answer = transition(life, event, NOW);
  const next = answer.ok ? { ...world, jobs: world.jobs.with(job, answer.life) } : world;
  return { name: event.kind, next, job, event, answer };
}

function holding(world: World, worker: number, hold: Hold | undefined): World {
  return { ...world, holds: world.holds.with(worker, hold) };
}

/** All times are one millisecond nearer; past times stay past. */
function later(world: World): World {
  const nearer = (timeMs: number | undefined): number | undefined =>
    timeMs === undefined ? undefined : Math.max(NOW, timeMs - 1);
  const jobs = world.jobs.map(
    (life): JobLife => ({
      ...life,
      dueAtMs: nearer(life.dueAtMs),
      deadlineMs: nearer(life.deadlineMs),
      lease: life.lease && { ...life.lease, untilMs: nearer(life.lease.untilMs) ?? NOW },
    }),
  );
  return { ...world, jobs };
}

/**
 * A key that is equal for worlds that behave alike. Revisions, tokens, executions, generations and attempts that cost
 * nothing are only counters, and every step checks them; of a token that a worker holds only matters whether it is the
 * newest, of lost leases only whether there was one. Jobs and workers have no order.
 */
export function keyOf({ jobs, holds }: World): string {
  const keys = jobs.map((life, index) => {
    const held = holds.filter((hold) => hold?.job === index);
    const fresh = held.filter((hold) => hold?.token === life.token).length;
    const lost = lossesOf(life.account) > 0;
    return (
      `${life.state} ${life.purgedFrom} ${chargedAttempts(life.account)} ${lost} ${life.dueAtMs} ` +
      `${life.deadlineMs} ${life.lease?.untilMs} ${life.lease?.alone} ` +
      `${life.cancelRequested} ${fresh} ${held.length - fresh}`
    );
  });
  return keys.sort().join(', ');
}
