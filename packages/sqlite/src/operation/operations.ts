import type { DatabaseSync } from 'node:sqlite';
import {
  afterStep,
  type BeginOperation,
  beginDetail,
  endDetail,
  newOperation,
  OPERATION_KEPT_MS,
  type Operation,
  type OperationStep,
  type OperationStepResult,
  operationSubject,
  sameOperation,
  stepRefusal,
} from '@redrive/durable/store';
import type { EncodedAct } from '../command/encoded.ts';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import type { Act } from '../writer/act.ts';
import type { Step } from '../writer/step.ts';

/** Acts on many. Kept long after their end: their ids say what was done once. */
export const OPERATIONS = `
  CREATE TABLE operations (
    id TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    request TEXT NOT NULL,
    state TEXT NOT NULL,
    cursor TEXT,
    acted INTEGER NOT NULL,
    refused INTEGER NOT NULL,
    begun_by TEXT NOT NULL,
    why TEXT,
    started_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/** A step on its way to the writer. */
export interface EncodedStep extends Omit<OperationStep, 'acts'> {
  readonly acts: readonly EncodedAct[];
}

/** Carries out bulk operations, step by step. */
export class Operations {
  readonly #find: Query<OperationRow>;
  readonly #put: Statement;
  readonly #forget: Statement;
  readonly #act: Act;

  constructor(db: DatabaseSync, act: Act) {
    this.#act = act;
    this.#find = findOperation(db);
    this.#put = statement(
      db,
      `INSERT OR REPLACE INTO operations (id, revision, request, state, cursor, acted, refused, begun_by, why,
         started_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#forget = statement(
      db,
      "DELETE FROM operations WHERE state = 'finished' AND updated_at <= ?",
    );
  }

  begin(step: Step, begin: BeginOperation): Operation {
    const created = newOperation(begin, step.nowMs);
    const row = this.#find.get(begin.id);
    if (row !== undefined) return sameOperation(operationOf(row), begin);
    step.note('act', operationSubject(begin.id), beginDetail(created));
    return this.#write(created);
  }

  step(step: Step, asked: EncodedStep): OperationStepResult {
    const row = this.#find.get(asked.id);
    const operation = row && operationOf(row);
    // How many acts there are was looked at before they crossed.
    const rest = { ...asked, acts: [] };
    const refusal = stepRefusal(operation, rest);
    if (refusal !== undefined) return refusal;
    if (operation === undefined) return { ok: false, refusal: 'not_found' };
    const results = asked.acts.map((act) => this.#act.act(step, act));
    const after = afterStep(operation, rest, results, step.nowMs);
    if (asked.finished) step.note('act', operationSubject(asked.id), endDetail(after));
    return { ok: true, operation: this.#write(after), results };
  }

  /** Forgets those that were finished long ago. */
  prune(nowMs: number): void {
    this.#forget.run(nowMs - OPERATION_KEPT_MS);
  }

  #write(operation: Operation): Operation {
    const { id, revision, request, state, cursor, acted, refused, by, why } = operation;
    this.#put.run(
      id,
      revision,
      request,
      state,
      cursor ?? null,
      acted,
      refused,
      by,
      why ?? null,
      operation.startedAtMs,
      operation.updatedAtMs,
    );
    return operation;
  }
}

export type OperationRow = [
  id: string,
  revision: number,
  request: string,
  state: Operation['state'],
  cursor: string | null,
  acted: number,
  refused: number,
  by: string,
  why: string | null,
  startedAt: number,
  updatedAt: number,
];

const COLUMNS =
  'id, revision, request, state, cursor, acted, refused, begun_by, why, started_at, updated_at';

export function findOperation(db: DatabaseSync): Query<OperationRow> {
  return query(db, `SELECT ${COLUMNS} FROM operations WHERE id = ?`);
}

/** The newest before a time and id. */
export function listOperations(db: DatabaseSync): Query<OperationRow> {
  return query(
    db,
    `SELECT ${COLUMNS} FROM operations WHERE (started_at, id) < (?, ?)
     ORDER BY started_at DESC, id DESC LIMIT ?`,
  );
}

export function operationOf(row: OperationRow): Operation {
  const [id, revision, request, state, cursor, acted, refused, by, why, startedAtMs, updatedAtMs] =
    row;
  return {
    id,
    revision,
    request,
    state,
    cursor: cursor ?? undefined,
    acted,
    refused,
    by,
    why: why ?? undefined,
    startedAtMs,
    updatedAtMs,
  };
}
