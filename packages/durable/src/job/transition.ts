import { claimAttempt, isRunning, nextGeneration } from '@redrive/core';
import { EXPIRED_GROUP } from '../dead-letter/dead-group.ts';
import type { FinalState, JobLife, JobState } from './job.ts';
import { isFinal, isFirstClaim } from './job.ts';
import type { Settlement } from './settlement.ts';

/** What can happen to a job that is there. `nowMs` is the store's time, read after the lock is held. */
export type JobEvent =
  | {
      readonly kind: 'claim';
      readonly worker: string;
      readonly leaseMs: number;
      readonly policyHash: string;
      /** See `Lease`. */
      readonly alone: boolean;
    }
  /** A heartbeat. */
  | { readonly kind: 'extend'; readonly token: number; readonly leaseMs: number }
  | { readonly kind: 'settle'; readonly settlement: Settlement }
  /** The time of a scheduled job has come. Physical: no record, no token. */
  | { readonly kind: 'promote' }
  /** A parked job's time has come, or somebody lets it go (`byHand`). */
  | { readonly kind: 'unpark'; readonly byHand: boolean }
  /** Somebody wants a scheduled job now. */
  | { readonly kind: 'run_now' }
  /** An enqueue with the same unique key gives it another payload, due time and deadline. Without a due time: now. */
  | {
      readonly kind: 'replace';
      readonly dueAtMs?: number | undefined;
      readonly deadlineMs?: number | undefined;
    }
  | { readonly kind: 'cancel' }
  /** The deadline has passed before an attempt started. */
  | { readonly kind: 'expire' }
  | { readonly kind: 'requeue'; readonly deadlineMs?: number | undefined }
  /** Fresh attempts, where it is: a new generation that changes nothing else. */
  | { readonly kind: 'reset' }
  | { readonly kind: 'purge' }
  | { readonly kind: 'restore' };

export type Refusal =
  /** The token is not the newest: the lease ended, somebody else may have it. */
  | 'stale_token'
  /** The rescue came while the lease was alive. */
  | 'lease_alive'
  /** Not yet time. */
  | 'not_due'
  /** This cannot happen in the state that it is in. */
  | 'illegal';

export type Transition =
  | {
      readonly ok: true;
      readonly life: JobLife;
      /** Whether it has a record and so a revision. */
      readonly recorded: boolean;
    }
  | { readonly ok: false; readonly refusal: Refusal };

/** From which states each event may come. The other two conditions are the token and the time. */
export const LEGAL_FROM: Readonly<Record<JobEvent['kind'], readonly JobState[]>> = {
  claim: ['ready'],
  extend: ['leased'],
  settle: ['leased'],
  promote: ['scheduled'],
  unpark: ['parked'],
  run_now: ['scheduled'],
  replace: ['scheduled', 'ready', 'parked'],
  cancel: ['scheduled', 'ready', 'parked', 'leased'],
  expire: ['scheduled', 'ready', 'parked'],
  requeue: ['dead', 'cancelled'],
  reset: ['scheduled', 'ready', 'parked', 'dead', 'cancelled'],
  purge: ['succeeded', 'dead', 'cancelled'],
  restore: ['purged'],
};

/**
 * The life of a job: the one function that says what may happen to it and what it is afterwards. Pure. The in-memory
 * store calls it; the others do the same in SQL, and the conformance suite compares them with it.
 */
export function transition(life: JobLife, event: JobEvent, nowMs: number): Transition {
  if (!LEGAL_FROM[event.kind].includes(life.state)) {
    const lateWrite = event.kind === 'settle' || event.kind === 'extend';
    return refuse(lateWrite ? 'stale_token' : 'illegal');
  }
  switch (event.kind) {
    case 'claim': {
      if (isPast(life.deadlineMs, nowMs)) return refuse('illegal');
      const { worker, policyHash, leaseMs, alone } = event;
      return record(life, {
        state: 'leased',
        token: life.token + 1,
        account: claimAttempt(life.account),
        generationAtMs: isFirstClaim(life.account) ? nowMs : life.generationAtMs,
        dueAtMs: undefined,
        lease: { worker, policyHash, sinceMs: nowMs, untilMs: nowMs + leaseMs, alone },
      });
    }
    case 'extend': {
      if (life.lease === undefined || event.token !== life.token) return refuse('stale_token');
      // A lease never gets shorter, and one that has run out is not revived: the rescue may be on its way.
      if (life.lease.untilMs <= nowMs) return refuse('stale_token');
      const untilMs = Math.max(life.lease.untilMs, nowMs + event.leaseMs);
      return physical(life, { lease: { ...life.lease, untilMs } });
    }
    case 'settle':
      return settle(life, event.settlement, nowMs);
    case 'promote':
      if (!isPast(life.dueAtMs, nowMs)) return refuse('not_due');
      return physical(life, { state: 'ready', dueAtMs: undefined });
    case 'unpark':
      if (!event.byHand && !isPast(life.dueAtMs, nowMs)) return refuse('not_due');
      return record(life, { state: 'ready', dueAtMs: undefined, cause: undefined });
    case 'run_now':
      return record(life, { state: 'ready', dueAtMs: undefined });
    case 'replace': {
      const { dueAtMs = nowMs, deadlineMs } = event;
      const waits = dueAtMs > nowMs;
      return record(life, {
        state: waits ? 'scheduled' : 'ready',
        dueAtMs: waits ? dueAtMs : undefined,
        deadlineMs,
        cause: undefined,
      });
    }
    case 'cancel':
      if (life.state === 'leased') return record(life, { cancelRequested: true });
      return record(life, finished('cancelled', nowMs, 'cancelled'));
    case 'expire':
      if (!isPast(life.deadlineMs, nowMs)) return refuse('not_due');
      return record(life, {
        ...finished('dead', nowMs, 'ttl_exceeded'),
        fingerprint: EXPIRED_GROUP.fingerprint,
      });
    case 'requeue':
      return record(life, {
        state: 'ready',
        token: life.token + 1,
        account: nextGeneration(life.account),
        generationAtMs: nowMs,
        deadlineMs: event.deadlineMs,
        retryCount: 0,
        errorClass: undefined,
        reason: undefined,
        finishedAtMs: undefined,
        fingerprint: undefined,
        cancelRequested: false,
      });
    case 'reset':
      return record(life, {
        token: life.token + 1,
        account: nextGeneration(life.account),
        generationAtMs: nowMs,
        retryCount: 0,
      });
    case 'purge':
      // Only these three may be purged, see LEGAL_FROM.
      return record(life, {
        state: 'purged',
        purgedFrom: life.state as PurgeableState,
        purgedAtMs: nowMs,
      });
    case 'restore':
      return record(life, {
        state: life.purgedFrom ?? 'dead',
        purgedFrom: undefined,
        purgedAtMs: undefined,
      });
  }
}

type PurgeableState = Exclude<FinalState, 'purged'>;

function settle(life: JobLife, settlement: Settlement, nowMs: number): Transition {
  const { by, to, dueInMs = 0 } = settlement;
  if (settlement.token !== life.token) return refuse('stale_token');
  // Only the rescue asks for the time. A late worker whose lease nobody has taken may still write: it lost nothing.
  if (by === 'expired' && !isPast(life.lease?.untilMs, nowMs)) return refuse('lease_alive');
  if (isRunning(settlement.account)) return refuse('illegal');
  // Whoever cancelled a job does not want to see it again, whatever its attempt ended with, unless it is done.
  const next = life.cancelRequested && !isFinal(to) ? 'cancelled' : to;
  const waits = next === 'scheduled' || next === 'parked';
  return record(life, {
    state: next === 'scheduled' && dueInMs <= 0 ? 'ready' : next,
    token: life.token + 1,
    account: settlement.account,
    lease: undefined,
    dueAtMs: waits && (dueInMs > 0 || next === 'parked') ? nowMs + dueInMs : undefined,
    cause: next === 'parked' ? settlement.cause : undefined,
    retryCount: settlement.retryCount,
    errorClass: settlement.errorClass,
    reason: next === to ? settlement.reason : 'cancelled',
    attempts: settlement.attempts,
    finishedAtMs: isFinal(next) ? nowMs : undefined,
    fingerprint: next === 'dead' ? settlement.group?.fingerprint : undefined,
  });
}

function finished(
  state: 'dead' | 'cancelled',
  nowMs: number,
  reason: 'ttl_exceeded' | 'cancelled',
): Partial<JobLife> {
  return { state, reason, finishedAtMs: nowMs, dueAtMs: undefined, cause: undefined };
}

function isPast(timeMs: number | undefined, nowMs: number): boolean {
  return timeMs !== undefined && timeMs <= nowMs;
}

function record(life: JobLife, change: Partial<JobLife>): Transition {
  return { ok: true, recorded: true, life: { ...life, ...change, revision: life.revision + 1 } };
}

function physical(life: JobLife, change: Partial<JobLife>): Transition {
  return { ok: true, recorded: false, life: { ...life, ...change } };
}

function refuse(refusal: Refusal): Transition {
  return { ok: false, refusal };
}
