import type { DatabaseSync } from 'node:sqlite';
import {
  BATCH_KEPT_MS,
  type Batch,
  type BatchCommand,
  type BatchCounts,
  type BatchResult,
  batchAnswer,
  batchCounts,
  batchDetail,
  batchSubject,
  type EndBatchesCommand,
  type EndBatchesResult,
  type EnqueueCommand,
  newBatch,
  thenCommand,
} from '@redrive/durable/store';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import { STATES } from '../job/states.ts';
import type { Step } from '../writer/step.ts';

export const BATCHES = `
  CREATE TABLE batches (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    tenant TEXT NOT NULL,
    -- open, sealed or ended.
    state TEXT NOT NULL,
    -- JSON of the job that follows.
    follows TEXT,
    opened_by TEXT NOT NULL,
    opened_at INTEGER NOT NULL,
    sealed_at INTEGER,
    ended_at INTEGER
  ) STRICT;
  CREATE INDEX batches_sealed ON batches (n) WHERE state = 'sealed';
  CREATE INDEX batches_opened ON batches (opened_at, id);
  -- Jobs that retention has deleted.
  CREATE TABLE pruned_in_batches (
    batch INTEGER NOT NULL,
    -- Place in STATES.
    state INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (batch, state)
  ) STRICT, WITHOUT ROWID;
  -- Without the other states: an attempt does not write to it.
  CREATE INDEX jobs_batch ON jobs (batch, finished_as) WHERE batch IS NOT NULL;
`;

const UNFINISHED = 'SELECT 1 FROM jobs j WHERE j.batch = b.n AND j.finished_as IS NULL';
const ENDS = `batches b INDEXED BY batches_sealed WHERE b.state = 'sealed' AND NOT EXISTS (${UNFINISHED})`;

/** Whether a sealed batch has no unfinished job any more. */
export const BATCH_ENDS = `EXISTS (SELECT 1 FROM ${ENDS})`;

/** Opens, seals and ends batches. */
export class Batches {
  readonly #db: DatabaseSync;
  readonly #find: Query<BatchRow>;
  readonly #open: Query<[n: number]>;
  readonly #ends: Query<BatchRow>;
  readonly #put: Statement;
  readonly #keep: Statement;
  readonly #forget: readonly Statement[];

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#find = findBatch(db);
    this.#open = query(db, "SELECT n FROM batches WHERE id = ? AND tenant = ? AND state = 'open'");
    this.#ends = query(db, `SELECT ${BATCH_COLUMNS} FROM ${ENDS} LIMIT ?`);
    this.#put = statement(
      db,
      `INSERT INTO batches (${BATCH_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
       SET state = excluded.state, sealed_at = excluded.sealed_at, ended_at = excluded.ended_at`,
    );
    this.#keep = statement(
      db,
      `INSERT INTO pruned_in_batches SELECT batch, state, 1 FROM jobs WHERE n = ? AND batch IS NOT NULL
       ON CONFLICT DO UPDATE SET count = count + 1`,
    );
    this.#forget = [
      `DELETE FROM batches WHERE ended_at <= ? AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.batch = batches.n)`,
      'DELETE FROM pruned_in_batches WHERE NOT EXISTS (SELECT 1 FROM batches b WHERE b.n = batch)',
    ].map((sql) => statement(db, sql));
  }

  /** The number of the open batch that a job is enqueued into. `undefined`: the enqueue is refused. */
  openBatch(id: string | null, tenant: string): number | null | undefined {
    return id === null ? null : this.#open.get(id, tenant)?.[0];
  }

  change(step: Step, command: BatchCommand): BatchResult {
    const row = this.#find.get(command.id);
    const found = row && batchOf(row);
    const answer = batchAnswer(found, command);
    if (!answer.ok || answer.outcome === 'existing') return answer;
    const { nowMs } = step;
    const batch: Batch =
      found === undefined
        ? newBatch(command, nowMs)
        : { ...found, state: 'sealed', sealedAtMs: nowMs };
    this.#write(batch);
    const { act, actor } = command;
    step.note('batch', batchSubject(batch.id), batchDetail(act, batch, actor));
    return answer;
  }

  /** `enqueue` stores a job that follows. */
  end(
    step: Step,
    { limit, actor }: EndBatchesCommand,
    enqueue: (follows: EnqueueCommand) => void,
  ): EndBatchesResult {
    const ended = this.#ends.all(limit);
    for (const row of ended) {
      const batch = batchOf(row);
      const counts = countBatch(this.#db, batch.id);
      this.#write({ ...batch, state: 'ended', endedAtMs: step.nowMs });
      step.note('batch', batchSubject(batch.id), batchDetail('end', batch, actor, counts));
      const follows = thenCommand(batch, counts, actor);
      if (follows === undefined) continue;
      enqueue(follows);
      step.madeReady = true;
    }
    return { ok: true, ended: ended.length };
  }

  /** Retention deletes the job: it stays counted. */
  keepCounting(n: number): void {
    this.#keep.run(n);
  }

  /** Forgets batches that ended long ago, and of which no job is left. */
  prune(nowMs: number): void {
    const [batches, counts] = this.#forget;
    const { changes } = batches?.run(nowMs - BATCH_KEPT_MS) ?? {};
    if (changes !== 0) counts?.run();
  }

  #write(batch: Batch): void {
    const { id, tenant, state, then, by, openedAtMs, sealedAtMs, endedAtMs } = batch;
    this.#put.run(
      ...[id, tenant, state, then ?? null, by, openedAtMs, sealedAtMs ?? null, endedAtMs ?? null],
    );
  }
}

export type BatchRow = [
  id: string,
  tenant: string,
  state: Batch['state'],
  follows: string | null,
  by: string,
  openedAt: number,
  sealedAt: number | null,
  endedAt: number | null,
];

export const BATCH_COLUMNS =
  'id, tenant, state, follows, opened_by, opened_at, sealed_at, ended_at';

export function findBatch(db: DatabaseSync): Query<BatchRow> {
  return query(db, `SELECT ${BATCH_COLUMNS} FROM batches WHERE id = ?`);
}

export function batchOf(row: BatchRow): Batch {
  const [id, tenant, state, then, by, openedAtMs, sealedAtMs, endedAtMs] = row;
  return {
    ...{ id, tenant, state, by, openedAtMs },
    ...(then !== null && { then }),
    ...(sealedAtMs !== null && { sealedAtMs }),
    ...(endedAtMs !== null && { endedAtMs }),
  };
}

const NUMBER = '(SELECT n FROM batches WHERE id = ?1)';

/** Counts jobs by the index of batches; leases are few. */
export function countBatch(db: DatabaseSync, id: string): BatchCounts {
  const rows = query<[state: number | null, count: number]>(
    db,
    `SELECT finished_as, count(*) FROM jobs INDEXED BY jobs_batch WHERE batch = ${NUMBER} GROUP BY finished_as
     UNION ALL SELECT state, count FROM pruned_in_batches WHERE batch = ${NUMBER}`,
  ).all(id);
  const sum = (of: number | null) =>
    rows.reduce((all, [state, count]) => (state === of ? all + count : all), 0);
  const [running = 0] =
    query<[number]>(
      db,
      `SELECT count(*) FROM jobs INDEXED BY jobs_lease WHERE lease_until IS NOT NULL AND batch = ${NUMBER}`,
    ).get(id) ?? [];
  return batchCounts((state) => sum(STATES.indexOf(state)), sum(null), running);
}
