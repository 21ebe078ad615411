import type { DatabaseSync } from 'node:sqlite';
import type { Job } from '@redrive/durable';
import type { ErrorFingerprint } from '@redrive/durable/dead-letters';
import {
  type ActGroup,
  type AuditEvent,
  EXPIRED_GROUP,
  encodeSpec,
  isFinal,
  type JobEvent,
  type Refusal,
  transition,
} from '@redrive/durable/store';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import type { DeadLetters } from '../dead-letter/dead-letters.ts';
import {
  encodeLease,
  JOB_COLUMNS,
  type JobRow,
  jobOf,
  ROW,
  readablePart,
  rowProblem,
  textsOf,
} from '../job/job-row.ts';
import { encodeLife } from '../job/life-code.ts';
import { Payloads } from '../job/payloads.ts';
import { READY, STATES } from '../job/states.ts';
import type { Flows } from './flows.ts';
import type { OwnLeases } from './leasing.ts';
import type { LimitKeys } from './limit-keys.ts';
import { SetAside } from './set-aside.ts';
import type { Step } from './step.ts';

export interface RecordAs {
  readonly event: AuditEvent;
  /** JSON object. */
  readonly detail: string;
}

/** Further columns that a requeue, or an enqueue with the same unique key, replaces. */
export interface Replacement {
  readonly payload: string | Uint8Array;
  readonly priority?: number;
  readonly tags?: Job['tags'];
  readonly headers?: Job['headers'];
}

export type ChangeResult =
  | { readonly ok: true; readonly state: Job['state'] }
  | { readonly ok: false; readonly refusal: Refusal | 'not_found' };

/** A whole row, and the columns that only the writer reads. */
type LoadedRow = [...JobRow, lane: number, limitKey: string | null];
/** Their places, after those of `ROW`. */
const LANE = 24;
const LIMIT_KEY = 25;

/**
 * Changes that not every job goes through: reads the row, asks `transition()` for the new one, and writes the whole row.
 */
export class JobChanges {
  readonly #load: Query<LoadedRow>;
  readonly #save: Statement;
  readonly #completeDead: Query<[n: number]>;
  readonly #flows: Flows;
  readonly #limitKeys: LimitKeys;
  readonly #ownLeases: OwnLeases;
  readonly #deadLetters: DeadLetters;
  readonly #setAside: SetAside;
  readonly #payloads: Payloads;

  constructor(
    db: DatabaseSync,
    flows: Flows,
    limitKeys: LimitKeys,
    ownLeases: OwnLeases,
    deadLetters: DeadLetters,
  ) {
    this.#flows = flows;
    this.#deadLetters = deadLetters;
    this.#payloads = new Payloads(db);
    this.#setAside = new SetAside(db);
    this.#limitKeys = limitKeys;
    this.#ownLeases = ownLeases;
    this.#load = query(
      db,
      `SELECT ${JOB_COLUMNS}, j.lane, j.limit_key
       FROM jobs j JOIN lanes l USING (lane) WHERE j.id = ?`,
    );
    this.#completeDead = query(
      db,
      'UPDATE jobs SET finished_at = ?, finished_as = state WHERE id = ? RETURNING n',
    );
    this.#save = statement(
      db,
      `UPDATE jobs SET priority = ?, state = ?, revision = ?, token = ?, audit_block = ?, ready_lane = ?, due_at = ?,
         release_at = ?, expires_at = ?, lease_until = ?, lease = ?, cancel_requested = ?, deadline_at = ?,
         generation_at = ?, cause = ?, unique_key = ?, leased_key = ?, held_key = NULL, finished_at = ?,
         finished_as = ?, spec = ?, life = ? WHERE n = ?`,
    );
  }

  /** Completes the row of a job that was inserted as dead. */
  completeDead(id: string, nowMs: number, group: ErrorFingerprint): void {
    const n = this.#completeDead.get(nowMs, id)?.[0];
    if (n !== undefined) this.#deadLetters.add([n], [group]);
  }

  /** The current job with this id. */
  find(id: string): Job | undefined {
    const row = this.#load.get(id);
    return row && jobOf(readablePart(asJobRow(row)));
  }

  /** Applies an event to a job, if the event is legal. */
  apply(
    step: Step,
    id: string,
    event: JobEvent,
    as: RecordAs,
    other?: Replacement,
    given?: ActGroup,
  ): ChangeResult {
    const row = this.#load.get(id);
    if (row === undefined) return { ok: false, refusal: 'not_found' };
    const problem = rowProblem(textsOf(asJobRow(row)));
    if (problem !== undefined) {
      this.#setAside.row(step, row[ROW.n], id, problem);
      return { ok: false, refusal: 'illegal' };
    }
    const before = jobOf(asJobRow(row));
    const answer = transition(before, event, step.nowMs);
    if (!answer.ok) return answer;
    this.#ownLeases.forget(id);
    const after: Job = { ...before, ...answer.life, auditBlock: step.block };
    this.#write(row, { ...after, ...(other && withoutPayload(other)) });
    if (other !== undefined) this.#payloads.replace(row[ROW.n], id, other.payload);
    const group = event.kind === 'expire' ? EXPIRED_GROUP : given;
    this.#deadLetters.move(row[ROW.n], before, after, group);
    this.#record(step, row, before, after, as);
    return { ok: true, state: after.state };
  }

  #write(row: LoadedRow, after: Job): void {
    const [n] = row;
    const lane = row[LANE];
    const limitKey = row[LIMIT_KEY];
    const { state, lease, deadlineMs = null, dueAtMs = null } = after;
    const waits = state === 'scheduled' || state === 'ready' || state === 'parked';
    const code = STATES.indexOf(state);
    this.#save.run(
      after.priority,
      code,
      after.revision,
      after.token,
      after.auditBlock,
      state === 'ready' ? lane : null,
      state === 'scheduled' ? dueAtMs : null,
      state === 'parked' ? dueAtMs : null,
      waits ? deadlineMs : null,
      lease?.untilMs ?? null,
      lease === undefined ? null : encodeLease(lease),
      after.cancelRequested ? 1 : 0,
      deadlineMs,
      after.generationAtMs,
      after.cause ?? null,
      isFinal(state) ? null : (after.uniqueKey ?? null),
      state === 'leased' ? limitKey : null,
      after.finishedAtMs ?? null,
      isFinal(state) ? code : null,
      encodeSpec(after),
      // The account of a leased job is the stored one plus the claim, so the stored one stays.
      state === 'leased' ? row[ROW.life] : lifeOf(after),
      n,
    );
    const priority = row[ROW.priority];
    const hasLeftFlow = code !== READY || after.priority !== priority;
    if (row[ROW.state] === READY && hasLeftFlow)
      this.#flows.removeIfEmpty(priority, lane, row[ROW.tenant]);
  }

  #record(step: Step, row: LoadedRow, before: Job, after: Job, as: RecordAs): void {
    const from = row[ROW.state];
    const to = STATES.indexOf(after.state);
    const lane = row[LANE];
    const limitKey = row[LIMIT_KEY];
    step.lanes.count(lane, from, to);
    step.record({
      id: after.id,
      from,
      to,
      revision: after.revision,
      token: after.token,
      generation: after.account.generation,
      executions: after.account.executions,
      previousBlock: before.auditBlock,
      ...as,
    });
    // Other jobs with its limit key may have waited for it, or it waited itself.
    if (limitKey !== null && from === READY) this.#limitKeys.release(limitKey);
    if (to === READY || after.state === 'scheduled') step.madeReady = true;
    if (isFinal(after.state)) step.finishedSome = true;
  }
}

function lifeOf(job: Job): string {
  const { account, retryCount, errorClass, reason, resultOmittedBytes } = job;
  const { purgedFrom, purgedAtMs, fingerprint } = job;
  return encodeLife({
    account,
    retryCount,
    errorClass,
    reason,
    resultOmittedBytes,
    purgedFrom,
    purgedAtMs,
    fingerprint,
  });
}

function withoutPayload({ payload: _payload, ...rest }: Replacement): Omit<Replacement, 'payload'> {
  return rest;
}

function asJobRow(row: LoadedRow): JobRow {
  // The first columns of it are those of a job.
  return row as unknown as JobRow;
}
