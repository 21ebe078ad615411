import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { EnqueueResult } from '@redrive/durable/store';
import { ENQUEUE, type EncodedEnqueue } from '../command/encoded.ts';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import { decodeSpec } from '../job/spec-code.ts';
import { READY, SCHEDULED } from '../job/states.ts';
import type { JobChanges } from './job-changes.ts';
import type { Step } from './step.ts';

/** New jobs that one statement inserts: opening all indexes for each costs as much as writing the row. */
const AT_ONCE = 8;

const COLUMNS = `id, lane, tenant, priority, submitted_at, state, revision, token, audit_block, ready_lane, due_at,
  expires_at, deadline_at, unique_key, limit_key, spec, life, payload`;
const VALUES = '(?, ?, ?, ?, ?, ?, 1, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';

/** Accepts jobs. */
export class Enqueue {
  readonly #insert: Statement;
  readonly #insertMany: Statement;
  readonly #insertedIds: Query<[id: string]>;
  readonly #withId: Query<[n: number]>;
  readonly #withKey: Query<[id: string]>;
  readonly #changes: JobChanges;

  constructor(db: DatabaseSync, changes: JobChanges) {
    this.#changes = changes;
    const insert = (rows: number): Statement =>
      statement(
        db,
        `INSERT INTO jobs (${COLUMNS}) VALUES ${Array(rows).fill(VALUES).join(', ')}
         ON CONFLICT (id) DO NOTHING`,
      );
    this.#insert = insert(1);
    this.#insertMany = insert(AT_ONCE);
    this.#insertedIds = query(db, 'SELECT id FROM jobs WHERE n > ? AND n <= ?');
    this.#withId = query(db, 'SELECT n FROM jobs WHERE id = ?');
    this.#withKey = query(db, 'SELECT id FROM jobs WHERE unique_key = ?');
  }

  /** Accepts the jobs of these commands, as many as go into one statement at a time. */
  enqueueMany(step: Step, commands: readonly EncodedEnqueue[]): EnqueueResult[] {
    const results: EnqueueResult[] = [];
    let from = 0;
    while (from < commands.length) {
      const next = commands.slice(from, from + AT_ONCE);
      if (next.length === AT_ONCE && next.every((command) => command[ENQUEUE.uniqueKey] === null)) {
        results.push(...this.#acceptMany(step, next));
        from += AT_ONCE;
      } else {
        for (const command of next) results.push(this.enqueue(step, command));
        from += next.length;
      }
    }
    return results;
  }

  /** Accepts a job, or says why not. An id is looked at before the unique key: who sends a job twice gets to know that. */
  enqueue(step: Step, command: EncodedEnqueue): EnqueueResult {
    const id = command[ENQUEUE.id];
    const uniqueKey = command[ENQUEUE.uniqueKey];
    if (uniqueKey !== null && this.#withId.get(id) === undefined) {
      const holder = this.#withKey.get(uniqueKey)?.[0];
      if (holder !== undefined) return this.#conflict(step, command, holder);
    }
    return this.#accept(step, command)
      ? { ok: true, id, outcome: 'created' }
      : { ok: false, refusal: 'duplicate_id', id };
  }

  #accept(step: Step, command: EncodedEnqueue): boolean {
    const job = newJob(step, command);
    const { changes } = this.#insert.run(...job.values);
    if (Number(changes) === 0) return false;
    record(step, command, job);
    return true;
  }

  #acceptMany(step: Step, commands: readonly EncodedEnqueue[]): EnqueueResult[] {
    const jobs = commands.map((command) => newJob(step, command));
    const { changes, lastInsertRowid } = this.#insertMany.run(
      ...jobs.flatMap(({ values }) => values),
    );
    const last = Number(lastInsertRowid);
    // Rows of one statement get numbers in a row. Which of them are new matters only if some are not.
    const added =
      Number(changes) === commands.length
        ? undefined
        : new Set(this.#insertedIds.all(last - Number(changes), last).map(([id]) => id));
    return commands.map((command, index) => {
      const id = command[ENQUEUE.id];
      // Of two with the same id the first one is the new one.
      const isNew = added === undefined || added.delete(id);
      const job = jobs[index];
      if (!isNew || job === undefined) return { ok: false, refusal: 'duplicate_id', id };
      record(step, command, job);
      return { ok: true, id, outcome: 'created' };
    });
  }

  /** An unfinished job has the unique key. */
  #conflict(step: Step, command: EncodedEnqueue, id: string): EnqueueResult {
    const onConflict = command[ENQUEUE.onConflict];
    if (onConflict === 'refuse') return { ok: false, refusal: 'unique_conflict', id };
    const replaced = onConflict === 'replace' && this.#replace(step, command, id);
    return { ok: true, id, outcome: replaced ? 'replaced' : 'existing' };
  }

  /** Whether it could be replaced: a leased job cannot. */
  #replace(step: Step, command: EncodedEnqueue, id: string): boolean {
    const { nowMs } = step;
    const { tags = [], headers = {} } = decodeSpec(command[ENQUEUE.spec]);
    const event = {
      kind: 'replace',
      dueAtMs: momentOf(command[ENQUEUE.dueAtMs], command[ENQUEUE.dueInMs], nowMs) ?? undefined,
      deadlineMs: deadlineOf(command, nowMs) ?? undefined,
    } as const;
    const as = { event: 'replace', detail: command[ENQUEUE.detail] } as const;
    const payload = command[ENQUEUE.payload];
    const priority = command[ENQUEUE.priority];
    return this.#changes.happen(step, id, event, as, { payload, priority, tags, headers }).ok;
  }
}

interface NewJob {
  readonly lane: number;
  readonly state: number;
  /** In the order of the statement's columns. */
  readonly values: SQLInputValue[];
}

function newJob(step: Step, command: EncodedEnqueue): NewJob {
  const { nowMs } = step;
  const lane = step.lanes.laneOf(command[ENQUEUE.queue], command[ENQUEUE.handler]);
  const dueAtMs = momentOf(command[ENQUEUE.dueAtMs], command[ENQUEUE.dueInMs], nowMs) ?? nowMs;
  const deadlineMs = deadlineOf(command, nowMs);
  const waits = dueAtMs > nowMs;
  const state = waits ? SCHEDULED : READY;
  const values = [
    command[ENQUEUE.id],
    lane,
    command[ENQUEUE.tenant],
    command[ENQUEUE.priority],
    nowMs,
    state,
    step.block,
    waits ? null : lane,
    waits ? dueAtMs : null,
    deadlineMs,
    deadlineMs,
    command[ENQUEUE.uniqueKey],
    command[ENQUEUE.limitKey],
    command[ENQUEUE.spec],
    command[ENQUEUE.life],
    command[ENQUEUE.payload],
  ];
  return { lane, state, values };
}

function record(step: Step, command: EncodedEnqueue, { lane, state }: NewJob): void {
  step.lanes.count(lane, null, state);
  step.record({
    id: command[ENQUEUE.id],
    event: 'enqueue',
    from: null,
    to: state,
    revision: 1,
    token: 0,
    generation: command[ENQUEUE.generation],
    executions: command[ENQUEUE.executions],
    previousBlock: 0,
    detail: command[ENQUEUE.detail],
  });
}

function deadlineOf(command: EncodedEnqueue, nowMs: number): number | null {
  return momentOf(command[ENQUEUE.deadlineAtMs], command[ENQUEUE.deadlineInMs], nowMs);
}

/** A moment as a time of the store's clock. */
export function momentOf(atMs: number | null, inMs: number | null, nowMs: number): number | null {
  return atMs ?? (inMs === null ? null : nowMs + inMs);
}
