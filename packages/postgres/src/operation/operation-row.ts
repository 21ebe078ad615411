import type { Operation } from '@redrive/durable/store';
import type { Row } from '../connect/connection.ts';

export const OPERATION_COLUMNS =
  'id, revision, request, finished, page, acted, refused, begun_by, why, started_at, updated_at';

export function operationValues(
  operation: Operation,
): readonly (string | number | boolean | null)[] {
  const { id, revision, request, state, cursor, acted, refused, by, why } = operation;
  return [
    id,
    revision,
    request,
    state === 'finished',
    cursor ?? null,
    acted,
    refused,
    by,
    why ?? null,
    operation.startedAtMs,
    operation.updatedAtMs,
  ];
}

export function readOperation(row: Row): Operation {
  const [id, revision, request, finished, page, acted, refused, by, why, startedAt, updatedAt] =
    row;
  return {
    id: id ?? '',
    revision: Number(revision),
    request: request ?? '',
    state: finished === 't' ? 'finished' : 'running',
    cursor: page ?? undefined,
    acted: Number(acted),
    refused: Number(refused),
    by: by ?? '',
    why: why ?? undefined,
    startedAtMs: Number(startedAt),
    updatedAtMs: Number(updatedAt),
  };
}
