import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Job } from '@redrive/durable';
import type { ErrorFingerprint } from '@redrive/durable/dead-letters';
import {
  type Actor,
  compareText,
  decodeSpec,
  type EnqueueResult,
  type FollowRefused,
  type FollowUp,
  followRefusal,
  hookOf,
  replaceDetail,
} from '@redrive/durable/store';
import type { Batches } from '../batch/batches.ts';
import { encodeEnqueue } from '../command/encode-enqueue.ts';
import {
  ENQUEUE,
  ENQUEUE_TEMPLATE,
  type EncodedEnqueue,
  type EnqueueTemplate,
} from '../command/encoded.ts';
import { DONE, type Outcome } from '../command/outcome.ts';
import { ManyRows } from '../database/many-rows.ts';
import { type Query, query } from '../database/statement.ts';
import type { FastPaths } from '../fast-paths.ts';
import { bodyOf, Payloads } from '../job/payloads.ts';
import { DEAD, READY, SCHEDULED } from '../job/states.ts';
import type { KeyHolder, LedgerTable } from '../ledger/ledger-table.ts';
import { ClockSteps } from './clock-steps.ts';
import type { Flows } from './flows.ts';
import type { JobChanges } from './job-changes.ts';
import type { Step } from './step.ts';

/** Columns that have the same value for all jobs of a template in a transaction. */
const SHARED =
  `lane, tenant, priority, submitted_at, state, audit_block, ready_lane, due_at, expires_at, deadline_at,
  unique_key, limit_key, spec, life, attempts, batch`.split(',');

/** The unfinished job that has a unique key. */
type Holder = [...KeyHolder, queue: string];

/** Accepts jobs. */
export class Enqueue {
  readonly #insert: ManyRows;
  readonly #insertedIds: Query<[id: string]>;
  readonly #withId: Query<[digest: string | null]>;
  readonly #withKey: Query<Holder>;
  readonly #clockSteps: ClockSteps;
  readonly #payloads: Payloads;
  readonly #changes: JobChanges;
  readonly #flows: Flows;
  readonly #ledger: LedgerTable;
  readonly #batches: Batches;

  constructor(
    db: DatabaseSync,
    changes: JobChanges,
    flows: Flows,
    ledger: LedgerTable,
    batches: Batches,
    { newRows }: FastPaths,
  ) {
    this.#ledger = ledger;
    this.#batches = batches;
    this.#changes = changes;
    this.#flows = flows;
    this.#clockSteps = new ClockSteps(db);
    this.#payloads = new Payloads(db);
    const shared = SHARED.map((_, index) => `?${index + 1}`).join(', ');
    this.#insert = new ManyRows(db, {
      sizes: newRows,
      row: `(${shared}, 1, 0, ?, ?)`,
      own: 2,
      sql: (rows) => `INSERT INTO jobs (${SHARED.join(',')}, revision, token, id, body)
        VALUES ${rows} ON CONFLICT (id) DO NOTHING`,
    });
    this.#insertedIds = query(db, 'SELECT id FROM jobs WHERE n > ? AND n <= ?');
    this.#withId = query(
      db,
      "SELECT iif(json_valid(spec), spec ->> '$.digest', NULL) FROM jobs WHERE id = ?",
    );
    this.#withKey = query(
      db,
      'SELECT id, handler, tenant, queue FROM jobs JOIN lanes USING (lane) WHERE unique_key = ?',
    );
  }

  /**
   * Inserts the jobs of these commands, as many per statement as possible. Jobs that differ only in id and payload share one
   * template object: see `encode-enqueue`.
   */
  enqueueMany(step: Step, commands: readonly EncodedEnqueue[], outcomes: Outcome[]): void {
    let from = 0;
    for (const [index, command] of commands.entries()) {
      const template = command[ENQUEUE.template];
      if (commands[index + 1]?.[ENQUEUE.template] === template) continue;
      const alike = commands.slice(from, index + 1);
      from = index + 1;
      if (template[ENQUEUE_TEMPLATE.uniqueKey] === null)
        this.#acceptAll(step, template, alike, outcomes);
      else for (const each of alike) outcomes.push(asOutcome(this.enqueue(step, each)));
    }
  }

  /** Inserts a job, or refuses it. The id is checked before the unique key, so that a repeated command is recognised. */
  enqueue(step: Step, command: EncodedEnqueue): EnqueueResult {
    const id = command[ENQUEUE.id];
    const template = command[ENQUEUE.template];
    const uniqueKey = template[ENQUEUE_TEMPLATE.uniqueKey];
    const isOpen = uniqueKey !== null && this.#batchOf(template) !== undefined;
    if (isOpen && this.#withId.get(id) === undefined) {
      const holder = this.#withKey.get(uniqueKey);
      if (holder !== undefined) return this.#conflict(step, command, holder, holder);
      const forMs = template[ENQUEUE_TEMPLATE.uniqueForMs];
      if (forMs !== null && template[ENQUEUE_TEMPLATE.dead] === null) {
        const earlier = this.#ledger.holderOf(uniqueKey, step.nowMs);
        if (earlier !== undefined) return this.#conflict(step, command, earlier);
        const { handler, tenant } = ENQUEUE_TEMPLATE;
        const self = [id, template[handler], template[tenant]] as const;
        this.#ledger.hold(uniqueKey, self, step.nowMs, step.nowMs + forMs);
      }
    }
    const outcomes: Outcome[] = [];
    this.#acceptAll(step, template, [command], outcomes);
    // An enqueue that is not done has one of its own results.
    return outcomes[0] === DONE
      ? { ok: true, id, outcome: 'created' }
      : (outcomes[0] as EnqueueResult);
  }

  /** Enqueues the hook of a job that has just died, if it has one. */
  hook(step: Step, job: Job, actor: Actor): void {
    const hook = hookOf(job, actor);
    if (hook !== undefined) this.enqueue(step, encodeEnqueue(hook));
  }

  /** Completes a job that is dead from the start. */
  #bury(step: Step, command: EncodedEnqueue, group: ErrorFingerprint): void {
    const id = command[ENQUEUE.id];
    this.#changes.completeDead(id, step.nowMs, group);
    const template = command[ENQUEUE.template];
    if (decodeSpec(template[ENQUEUE_TEMPLATE.spec]).onDead === undefined) return;
    const job = this.#changes.find(id);
    const { by: name, why } = JSON.parse(template[ENQUEUE_TEMPLATE.detail]);
    if (job !== undefined) this.hook(step, job, { name, why });
  }

  /** The refusal of a settlement that ends a job and is to store these. */
  followRefusal(
    step: Step,
    ended: string,
    follow: readonly EncodedEnqueue[],
  ): FollowRefused | undefined {
    return followRefusal(follow.map(asFollowUp), {
      digestOf: (id) => this.#withId.get(id)?.[0],
      holderOf: (key) => {
        const holder = this.#withKey.get(key);
        return holder === undefined || holder[0] === ended ? undefined : holderOf(holder);
      },
      windowOf: (key) => {
        const holder = this.#ledger.holderOf(key, step.nowMs);
        return holder && holderOf(holder);
      },
      isClosed: ({ batch = null, tenant }) => this.#batches.openBatch(batch, tenant) === undefined,
    });
  }

  /** Inserts jobs of one template. No other unfinished job has their unique key. */
  #acceptAll(
    step: Step,
    template: EnqueueTemplate,
    commands: readonly EncodedEnqueue[],
    outcomes: Outcome[],
  ): void {
    const batch = this.#batchOf(template);
    if (batch === undefined) {
      for (const command of commands) outcomes.push(this.#refusedOrSame(command));
      return;
    }
    this.#clockSteps.check(step);
    const jobs = newJobs(step, template, batch);
    const own: SQLInputValue[] = [];
    let leastId: string | undefined;
    for (const command of commands) {
      const id = command[ENQUEUE.id];
      own.push(id, bodyOf(command[ENQUEUE.payload]));
      if (leastId === undefined || compareText(id, leastId) < 0) leastId = id;
    }
    if (jobs.state === READY && leastId !== undefined) {
      const priority = template[ENQUEUE_TEMPLATE.priority];
      const tenant = template[ENQUEUE_TEMPLATE.tenant];
      this.#flows.add(jobs.lane, priority, tenant, [step.nowMs, leastId]);
    }
    this.#insert.run(jobs.values, own, (from, rows, changes, last) => {
      // Rows of one statement get consecutive numbers. If all are new, they need not be looked up.
      const added = changes === rows ? undefined : this.#added(changes, last);
      for (const command of commands.slice(from, from + rows)) {
        const isNew = record(step, jobs, command, added);
        if (isNew) {
          this.#payloads.add(command[ENQUEUE.id], command[ENQUEUE.payload]);
          if (jobs.dead !== null) this.#bury(step, command, jobs.dead);
        }
        outcomes.push(isNew ? DONE : this.#sameOrNot(command));
      }
    });
  }

  /** The ids that the last statement has inserted. */
  #added(count: number, last: number): Set<string> {
    return new Set(this.#insertedIds.all(last - count, last).map(([id]) => id));
  }

  /** The number of the batch. `undefined`: it is sealed, or is not one of this tenant. */
  #batchOf(template: EnqueueTemplate): number | null | undefined {
    const { batch, tenant } = ENQUEUE_TEMPLATE;
    return this.#batches.openBatch(template[batch], template[tenant]);
  }

  /** The result if the batch is closed. */
  #refusedOrSame(command: EncodedEnqueue): EnqueueResult {
    const id = command[ENQUEUE.id];
    if (this.#withId.get(id) !== undefined) return this.#sameOrNot(command);
    return { ok: false, refusal: 'batch_closed', id };
  }

  /** The result if a job has the id. */
  #sameOrNot(command: EncodedEnqueue): EnqueueResult {
    const id = command[ENQUEUE.id];
    const digest = command[ENQUEUE.template][ENQUEUE_TEMPLATE.digest];
    if (digest === null) return { ok: false, refusal: 'duplicate_id', id };
    return this.#withId.get(id)?.[0] === digest
      ? { ok: true, id, outcome: 'existing' }
      : { ok: false, refusal: 'idempotency_conflict', id };
  }

  /** The result if another job has the unique key. */
  #conflict(
    step: Step,
    command: EncodedEnqueue,
    [id, handler, tenant]: KeyHolder | Holder,
    unfinished?: Holder,
  ): EnqueueResult {
    const template = command[ENQUEUE.template];
    const onConflict = template[ENQUEUE_TEMPLATE.onConflict];
    // The payload of one handler means nothing to another one, and that of one tenant is not for another one.
    const isOther =
      handler !== template[ENQUEUE_TEMPLATE.handler] ||
      tenant !== template[ENQUEUE_TEMPLATE.tenant];
    if (onConflict === 'refuse' || (onConflict === 'replace' && isOther))
      return { ok: false, refusal: 'unique_conflict', id };
    const replaced =
      onConflict === 'replace' &&
      unfinished !== undefined &&
      this.#replace(step, command, unfinished);
    return { ok: true, id, outcome: replaced ? 'replaced' : 'existing' };
  }

  /** Replaces the job. Returns `false` for a leased job, which cannot be replaced. */
  #replace(step: Step, command: EncodedEnqueue, [id, , , queue]: Holder): boolean {
    const template = command[ENQUEUE.template];
    const { tags = [], headers = {} } = decodeSpec(template[ENQUEUE_TEMPLATE.spec]);
    const event = {
      kind: 'replace',
      dueAtMs: dueOf(template, step.nowMs) ?? undefined,
      deadlineMs: deadlineOf(template, step.nowMs) ?? undefined,
    } as const;
    const detail = replaceDetail(template[ENQUEUE_TEMPLATE.detail], queue);
    const as = { event: 'replace', detail } as const;
    const payload = command[ENQUEUE.payload];
    const priority = template[ENQUEUE_TEMPLATE.priority];
    return this.#changes.apply(step, id, event, as, { payload, priority, tags, headers }).ok;
  }
}

/** Values that the new jobs of a template share in a transaction. */
interface NewJobs {
  readonly template: EnqueueTemplate;
  readonly lane: number;
  readonly state: number;
  /** In the order of `SHARED`. */
  readonly values: SQLInputValue[];
  /** The group of jobs that are dead from the start. */
  readonly dead: ErrorFingerprint | null;
}

function newJobs(step: Step, template: EnqueueTemplate, batch: number | null): NewJobs {
  const { nowMs } = step;
  const lane = step.lanes.laneOf(
    template[ENQUEUE_TEMPLATE.queue],
    template[ENQUEUE_TEMPLATE.handler],
  );
  const dueAtMs = dueOf(template, nowMs) ?? nowMs;
  const deadlineMs = deadlineOf(template, nowMs);
  const dead = template[ENQUEUE_TEMPLATE.dead];
  const waits = dead === null && dueAtMs > nowMs;
  const state = dead === null ? (waits ? SCHEDULED : READY) : DEAD;
  const values = [
    lane,
    template[ENQUEUE_TEMPLATE.tenant],
    template[ENQUEUE_TEMPLATE.priority],
    nowMs,
    state,
    step.block,
    state === READY ? lane : null,
    waits ? dueAtMs : null,
    dead === null ? deadlineMs : null,
    deadlineMs,
    template[ENQUEUE_TEMPLATE.uniqueKey],
    template[ENQUEUE_TEMPLATE.limitKey],
    template[ENQUEUE_TEMPLATE.spec],
    template[ENQUEUE_TEMPLATE.life],
    template[ENQUEUE_TEMPLATE.attempts],
    batch,
  ];
  return { template, lane, state, values, dead };
}

/** Records one job of a statement, if it is new. `added`: the ids of the new jobs, if not all are new. */
function record(
  step: Step,
  { template, lane, state }: NewJobs,
  command: EncodedEnqueue,
  added: Set<string> | undefined,
): boolean {
  const id = command[ENQUEUE.id];
  // Of two jobs with the same id the first one is the new one.
  if (added !== undefined && !added.delete(id)) return false;
  step.lanes.count(lane, null, state);
  step.record({
    id,
    event: 'enqueue',
    from: null,
    to: state,
    revision: 1,
    token: 0,
    generation: template[ENQUEUE_TEMPLATE.generation],
    executions: template[ENQUEUE_TEMPLATE.executions],
    previousBlock: 0,
    detail: template[ENQUEUE_TEMPLATE.detail],
  });
  return true;
}

/** The part of a command that decides whether it is refused. */
function asFollowUp(command: EncodedEnqueue): FollowUp {
  const template = command[ENQUEUE.template];
  return {
    job: {
      id: command[ENQUEUE.id],
      handler: template[ENQUEUE_TEMPLATE.handler],
      tenant: template[ENQUEUE_TEMPLATE.tenant],
      uniqueKey: template[ENQUEUE_TEMPLATE.uniqueKey] ?? undefined,
      digest: template[ENQUEUE_TEMPLATE.digest] ?? undefined,
      batch: template[ENQUEUE_TEMPLATE.batch] ?? undefined,
    },
    onConflict: template[ENQUEUE_TEMPLATE.onConflict],
    uniqueForMs: template[ENQUEUE_TEMPLATE.uniqueForMs] ?? undefined,
  };
}

function holderOf([id, handler, tenant]: KeyHolder | Holder) {
  return { id, handler, tenant };
}

function asOutcome(result: EnqueueResult): Outcome {
  return result.ok && result.outcome === 'created' ? DONE : result;
}

function dueOf(template: EnqueueTemplate, nowMs: number): number | null {
  return momentOf(template[ENQUEUE_TEMPLATE.dueAtMs], template[ENQUEUE_TEMPLATE.dueInMs], nowMs);
}

function deadlineOf(template: EnqueueTemplate, nowMs: number): number | null {
  return momentOf(
    template[ENQUEUE_TEMPLATE.deadlineAtMs],
    template[ENQUEUE_TEMPLATE.deadlineInMs],
    nowMs,
  );
}

/** A moment as a time of the store's clock. */
export function momentOf(atMs: number | null, inMs: number | null, nowMs: number): number | null {
  return atMs ?? (inMs === null ? null : nowMs + inMs);
}
