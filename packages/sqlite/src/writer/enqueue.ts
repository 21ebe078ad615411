import type { DatabaseSync } from 'node:sqlite';
import type { EnqueueResult } from '@redrive/durable/store';
import type { EncodedEnqueue } from '../command/encoded.ts';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import { decodeSpec } from '../job/spec-code.ts';
import { READY, SCHEDULED } from '../job/states.ts';
import type { JobChanges } from './job-changes.ts';
import type { Step } from './step.ts';

/** Accepts jobs. */
export class Enqueue {
  readonly #insert: Statement;
  readonly #withId: Query<[n: number]>;
  readonly #withKey: Query<[id: string]>;
  readonly #changes: JobChanges;

  constructor(db: DatabaseSync, changes: JobChanges) {
    this.#changes = changes;
    this.#insert = statement(
      db,
      `INSERT INTO jobs (id, lane, tenant, priority, submitted_at, state, revision, token, audit_block, ready_lane,
         due_at, expires_at, deadline_at, unique_key, limit_key, spec, life, payload)
       VALUES (?, ?, ?, ?, ?, ?, 1, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    );
    this.#withId = query(db, 'SELECT n FROM jobs WHERE id = ?');
    this.#withKey = query(db, 'SELECT id FROM jobs WHERE unique_key = ?');
  }

  /** Accepts a job, or says why not. An id is looked at before the unique key: who sends a job twice gets to know that. */
  enqueue(step: Step, command: EncodedEnqueue): EnqueueResult {
    const [, id, , , , , uniqueKey] = command;
    if (uniqueKey !== null && this.#withId.get(id) === undefined) {
      const holder = this.#withKey.get(uniqueKey)?.[0];
      if (holder !== undefined) return this.#conflict(step, command, holder);
    }
    return this.#accept(step, command)
      ? { ok: true, id, outcome: 'created' }
      : { ok: false, refusal: 'duplicate_id', id };
  }

  #accept(step: Step, command: EncodedEnqueue): boolean {
    const [, id, queue, handler, tenant, priority, uniqueKey, limitKey, spec, payload] = command;
    const [, , , , , , , , , , dueAt, dueIn, deadlineAt, deadlineIn, , life] = command;
    const [, , , , , , , , , , , , , , , , generation, executions, detail] = command;
    const { nowMs, block } = step;
    const lane = step.lanes.laneOf(queue, handler);
    const dueAtMs = momentOf(dueAt, dueIn, nowMs) ?? nowMs;
    const deadlineMs = momentOf(deadlineAt, deadlineIn, nowMs);
    const waits = dueAtMs > nowMs;
    const state = waits ? SCHEDULED : READY;
    const added = this.#insert.run(
      id,
      lane,
      tenant,
      priority,
      nowMs,
      state,
      block,
      waits ? null : lane,
      waits ? dueAtMs : null,
      deadlineMs,
      deadlineMs,
      uniqueKey,
      limitKey,
      spec,
      life,
      payload,
    );
    if (added === 0) return false;
    step.lanes.count(lane, null, state);
    step.record({
      id,
      event: 'enqueue',
      from: null,
      to: state,
      revision: 1,
      token: 0,
      generation,
      executions,
      previousBlock: 0,
      detail,
    });
    return true;
  }

  /** An unfinished job has the unique key. */
  #conflict(step: Step, command: EncodedEnqueue, id: string): EnqueueResult {
    const onConflict = command[14];
    if (onConflict === 'refuse') return { ok: false, refusal: 'unique_conflict', id };
    const replaced = onConflict === 'replace' && this.#replace(step, command, id);
    return { ok: true, id, outcome: replaced ? 'replaced' : 'existing' };
  }

  /** Whether it could be replaced: a leased job cannot. */
  #replace(step: Step, command: EncodedEnqueue, id: string): boolean {
    const [, , , , , priority, , , specText, payload] = command;
    const [, , , , , , , , , , dueAt, dueIn, deadlineAt, deadlineIn] = command;
    const { tags = [], headers = {} } = decodeSpec(specText);
    const event = {
      kind: 'replace',
      dueAtMs: momentOf(dueAt, dueIn, step.nowMs) ?? undefined,
      deadlineMs: momentOf(deadlineAt, deadlineIn, step.nowMs) ?? undefined,
    } as const;
    const as = { event: 'replace', detail: command[18] } as const;
    return this.#changes.happen(step, id, event, as, { payload, priority, tags, headers }).ok;
  }
}

/** A moment as a time of the store's clock. */
export function momentOf(atMs: number | null, inMs: number | null, nowMs: number): number | null {
  return atMs ?? (inMs === null ? null : nowMs + inMs);
}
