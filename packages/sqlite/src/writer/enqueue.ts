import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { EnqueueResult } from '@redrive/durable/store';
import {
  ENQUEUE,
  ENQUEUE_FORM,
  type EncodedEnqueue,
  type EnqueueForm,
} from '../command/encoded.ts';
import { DONE, type Outcome } from '../command/outcome.ts';
import { ManyRows } from '../database/many-rows.ts';
import { type Query, query } from '../database/statement.ts';
import { FAST_PATHS, type FastPaths } from '../fast-paths.ts';
import { decodeSpec } from '../job/spec-code.ts';
import { READY, SCHEDULED } from '../job/states.ts';
import type { JobChanges } from './job-changes.ts';
import type { Step } from './step.ts';

/** What jobs of the same form and transaction have in common. */
const SHARED =
  `lane, tenant, priority, submitted_at, state, audit_block, ready_lane, due_at, expires_at, deadline_at,
  unique_key, limit_key, spec, life, attempts`.split(',');

/** Accepts jobs. */
export class Enqueue {
  readonly #insert: ManyRows;
  readonly #insertedIds: Query<[id: string]>;
  readonly #withId: Query<[n: number]>;
  readonly #withKey: Query<[id: string]>;
  readonly #changes: JobChanges;

  constructor(db: DatabaseSync, changes: JobChanges, { newRows }: FastPaths = FAST_PATHS) {
    this.#changes = changes;
    const shared = SHARED.map((_, index) => `?${index + 1}`).join(', ');
    this.#insert = new ManyRows(db, {
      sizes: newRows,
      shared: SHARED.length,
      own: 2,
      row: ([id, payload]) => `(${shared}, 1, 0, ${id}, ${payload})`,
      sql: (rows) => `INSERT INTO jobs (${SHARED.join(',')}, revision, token, id, payload)
        VALUES ${rows} ON CONFLICT (id) DO NOTHING`,
    });
    this.#insertedIds = query(db, 'SELECT id FROM jobs WHERE n > ? AND n <= ?');
    this.#withId = query(db, 'SELECT n FROM jobs WHERE id = ?');
    this.#withKey = query(db, 'SELECT id FROM jobs WHERE unique_key = ?');
  }

  /** Accepts the jobs of these commands, as many as go into one statement at a time. */
  enqueueMany(step: Step, commands: readonly EncodedEnqueue[], outcomes: Outcome[]): void {
    let from = 0;
    for (const [index, command] of commands.entries()) {
      const form = command[ENQUEUE.form];
      if (commands[index + 1]?.[ENQUEUE.form] === form) continue;
      const alike = commands.slice(from, index + 1);
      from = index + 1;
      if (form[ENQUEUE_FORM.uniqueKey] === null) this.#acceptAll(step, form, alike, outcomes);
      else for (const each of alike) outcomes.push(asOutcome(this.enqueue(step, each)));
    }
  }

  /** Accepts a job, or says why not. An id is looked at before the unique key: who sends a job twice gets to know that. */
  enqueue(step: Step, command: EncodedEnqueue): EnqueueResult {
    const id = command[ENQUEUE.id];
    const form = command[ENQUEUE.form];
    const uniqueKey = form[ENQUEUE_FORM.uniqueKey];
    if (uniqueKey !== null && this.#withId.get(id) === undefined) {
      const holder = this.#withKey.get(uniqueKey)?.[0];
      if (holder !== undefined) return this.#conflict(step, command, holder);
    }
    const outcomes: Outcome[] = [];
    this.#acceptAll(step, form, [command], outcomes);
    return outcomes[0] === DONE
      ? { ok: true, id, outcome: 'created' }
      : { ok: false, refusal: 'duplicate_id', id };
  }

  /** Accepts jobs of the same form whose unique key, if they have one, is free. */
  #acceptAll(
    step: Step,
    form: EnqueueForm,
    commands: readonly EncodedEnqueue[],
    outcomes: Outcome[],
  ): void {
    const jobs = newJobs(step, form);
    const own: SQLInputValue[] = [];
    for (const command of commands) own.push(command[ENQUEUE.id], command[ENQUEUE.payload]);
    this.#insert.run(jobs.values, own, (from, rows, changes, last) => {
      // Rows of one statement get numbers in a row. Which of them are new matters only if some are not.
      const added = changes === rows ? undefined : this.#added(changes, last);
      for (const command of commands.slice(from, from + rows)) {
        outcomes.push(record(step, jobs, command, added));
      }
    });
  }

  /** The ids that the last statement has inserted. */
  #added(count: number, last: number): Set<string> {
    return new Set(this.#insertedIds.all(last - count, last).map(([id]) => id));
  }

  /** An unfinished job has the unique key. */
  #conflict(step: Step, command: EncodedEnqueue, id: string): EnqueueResult {
    const onConflict = command[ENQUEUE.form][ENQUEUE_FORM.onConflict];
    if (onConflict === 'refuse') return { ok: false, refusal: 'unique_conflict', id };
    const replaced = onConflict === 'replace' && this.#replace(step, command, id);
    return { ok: true, id, outcome: replaced ? 'replaced' : 'existing' };
  }

  /** Whether it could be replaced: a leased job cannot. */
  #replace(step: Step, command: EncodedEnqueue, id: string): boolean {
    const form = command[ENQUEUE.form];
    const { tags = [], headers = {} } = decodeSpec(form[ENQUEUE_FORM.spec]);
    const event = {
      kind: 'replace',
      dueAtMs: dueOf(form, step.nowMs) ?? undefined,
      deadlineMs: deadlineOf(form, step.nowMs) ?? undefined,
    } as const;
    const as = { event: 'replace', detail: form[ENQUEUE_FORM.detail] } as const;
    const payload = command[ENQUEUE.payload];
    const priority = form[ENQUEUE_FORM.priority];
    return this.#changes.happen(step, id, event, as, { payload, priority, tags, headers }).ok;
  }
}

/** What new jobs of the same form and transaction have in common. */
interface NewJobs {
  readonly form: EnqueueForm;
  readonly lane: number;
  readonly state: number;
  /** In the order of `SHARED`. */
  readonly values: SQLInputValue[];
}

function newJobs(step: Step, form: EnqueueForm): NewJobs {
  const { nowMs } = step;
  const lane = step.lanes.laneOf(form[ENQUEUE_FORM.queue], form[ENQUEUE_FORM.handler]);
  const dueAtMs = dueOf(form, nowMs) ?? nowMs;
  const deadlineMs = deadlineOf(form, nowMs);
  const waits = dueAtMs > nowMs;
  const state = waits ? SCHEDULED : READY;
  const values = [
    lane,
    form[ENQUEUE_FORM.tenant],
    form[ENQUEUE_FORM.priority],
    nowMs,
    state,
    step.block,
    waits ? null : lane,
    waits ? dueAtMs : null,
    deadlineMs,
    deadlineMs,
    form[ENQUEUE_FORM.uniqueKey],
    form[ENQUEUE_FORM.limitKey],
    form[ENQUEUE_FORM.spec],
    form[ENQUEUE_FORM.life],
    form[ENQUEUE_FORM.attempts],
  ];
  return { form, lane, state, values };
}

/** What became of one job of a statement. `added`: the new ones, if not all are. */
function record(
  step: Step,
  { form, lane, state }: NewJobs,
  command: EncodedEnqueue,
  added: Set<string> | undefined,
): Outcome {
  const id = command[ENQUEUE.id];
  // Of two with the same id the first one is the new one.
  if (added !== undefined && !added.delete(id)) return { ok: false, refusal: 'duplicate_id', id };
  step.lanes.count(lane, null, state);
  step.record({
    id,
    event: 'enqueue',
    from: null,
    to: state,
    revision: 1,
    token: 0,
    generation: form[ENQUEUE_FORM.generation],
    executions: form[ENQUEUE_FORM.executions],
    previousBlock: 0,
    detail: form[ENQUEUE_FORM.detail],
  });
  return DONE;
}

function asOutcome(result: EnqueueResult): Outcome {
  return result.ok && result.outcome === 'created' ? DONE : result;
}

function dueOf(form: EnqueueForm, nowMs: number): number | null {
  return momentOf(form[ENQUEUE_FORM.dueAtMs], form[ENQUEUE_FORM.dueInMs], nowMs);
}

function deadlineOf(form: EnqueueForm, nowMs: number): number | null {
  return momentOf(form[ENQUEUE_FORM.deadlineAtMs], form[ENQUEUE_FORM.deadlineInMs], nowMs);
}

/** A moment as a time of the store's clock. */
export function momentOf(atMs: number | null, inMs: number | null, nowMs: number): number | null {
  return atMs ?? (inMs === null ? null : nowMs + inMs);
}
