import type { DatabaseSync } from 'node:sqlite';
import type { Operation } from '@redrive/durable/store';
import { type Query, query } from '../database/statement.ts';

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
