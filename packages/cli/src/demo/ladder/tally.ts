import { type EventSink, type RetryRecord, syncSink } from '@redrive/core';
import { type Rung, rungOf } from './rungs.ts';

/** What this process did on one rung since it started. */
export interface RungTally {
  /** Sessions that ended well. */
  readonly done: number;
  /** Failed attempts that another one follows. */
  readonly retried: number;
  /** Calls that go on as jobs. */
  readonly handedOver: number;
  /** Sessions that were given up. */
  readonly gaveUp: number;
  /** Calls under way. */
  readonly running: number;
  /** The newest thing that happened, in a sentence. */
  readonly last: { readonly atMs: number; readonly text: string } | undefined;
}

const NOTHING: RungTally = {
  ...{ done: 0, retried: 0, handedOver: 0, gaveUp: 0, running: 0 },
  last: undefined,
};

/** Counts the records of calls and jobs by rung. */
export class Tally {
  readonly #rungs = new Map<Rung, RungTally>();
  readonly sink: EventSink = syncSink((record) => this.#count(record));

  of(rung: Rung): RungTally {
    return this.#rungs.get(rung) ?? NOTHING;
  }

  /** Something that no record tells. */
  tell(rung: Rung, atMs: number, text: string): void {
    this.#add(rung, { last: { atMs, text } });
  }

  #count(record: RetryRecord): void {
    if (record.kind === 'breaker_changed') {
      const { atMs, key, from, to } = record;
      this.tell('job', atMs, `the circuit breaker of ${key} went from ${from} to ${to}`);
      return;
    }
    const rung = rungIn(record.session.context, record.session.operation);
    if (rung === undefined) return;
    const more = changeOf(record, this.of(rung), rung);
    const text = sentenceOf(record);
    this.#add(rung, { ...more, ...(text && { last: { atMs: record.atMs, text } }) });
  }

  #add(rung: Rung, more: Partial<RungTally>): void {
    this.#rungs.set(rung, { ...this.of(rung), ...more });
  }
}

function rungIn(context: unknown, handler: string): Rung | undefined {
  const { queue } = Object(context);
  return typeof queue === 'string' ? rungOf(queue, handler) : 'call';
}

type OfSession = Exclude<RetryRecord, { kind: 'breaker_changed' }>;

function changeOf(record: OfSession, now: RungTally, rung: Rung): Partial<RungTally> {
  const { done, retried, handedOver, gaveUp, running } = now;
  if (record.kind === 'attempt_started') {
    return rung === 'call' && record.attempt === 1 ? { running: running + 1 } : {};
  }
  if (record.kind === 'attempt_ended') {
    const { action } = record.decision;
    return action === 'retry' || action === 'park' ? { retried: retried + 1 } : {};
  }
  if (record.kind !== 'session_ended') return {};
  const ended = rung === 'call' ? { running: running - 1 } : {};
  if (record.success) return { ...ended, done: done + 1 };
  if (record.reason === 'handed_over') return { ...ended, handedOver: handedOver + 1 };
  return record.reason === 'cancelled' ? ended : { ...ended, gaveUp: gaveUp + 1 };
}

function sentenceOf(record: OfSession): string | undefined {
  const { session } = record;
  const { operation, correlationId = session.sessionId } = session;
  const who = `${operation} of ${correlationId}`;
  if (record.kind === 'attempt_blocked') {
    return `${who} is parked: ${record.decision.reason.replaceAll('_', ' ')}`;
  }
  if (record.kind === 'attempt_ended') {
    const { success, attempt, decision, error } = record;
    if (success) return `${who} succeeded at attempt ${attempt}`;
    const { action, delayMs = 0 } = decision;
    if (action === 'park') return `${who} is parked: ${error?.message ?? decision.reason}`;
    if (action !== 'retry') return undefined;
    return `${who}: ${error?.message ?? decision.reason}; again in ${delayMs} ms`;
  }
  if (record.kind !== 'session_ended' || record.success) return undefined;
  const { reason, totalAttempts, error } = record;
  if (reason === 'handed_over') return `${who} waits too long for a call: it goes on as a job`;
  const attempts = totalAttempts === 1 ? '1 attempt' : `${totalAttempts} attempts`;
  return `${who} was given up after ${attempts}: ${error?.message ?? reason}`;
}
