import { RedriveError } from '@redrive/core';
import { refuse } from '@redrive/core/fields';
import { textProblem } from '../jobs/text-problem.ts';
import { type ActResult, keptWhy } from '../store/commands.ts';
import { placeText } from '../store/page.ts';
import type {
  BeginOperation,
  Operation,
  OperationPage,
  OperationStep,
  OperationStepResult,
} from './operation.ts';

// The rules for operations that all stores share. A store writes their results.

/** The time for which a finished operation is known: until then its id acts once. */
export const OPERATION_KEPT_MS = 30 * 86_400_000;

const MAX_ID_LENGTH = 200;
const MAX_REQUEST_LENGTH = 16_384;
const MAX_STEP_ACTS = 1_000;

/** How an operation begins. @throws RedriveError `invalid_option` with every problem at once. */
export function newOperation({ id, request, actor }: BeginOperation, nowMs: number): Operation {
  const found = [textProblem('id', id, MAX_ID_LENGTH), requestProblem(request)];
  refuse(
    'invalid_option',
    'operation',
    found.filter((problem) => problem !== undefined),
  );
  return {
    id,
    revision: 1,
    request,
    state: 'running',
    acted: 0,
    refused: 0,
    by: actor.name,
    why: keptWhy(actor.why),
    startedAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

function requestProblem(request: string) {
  const field = 'request';
  if (request.length > MAX_REQUEST_LENGTH) {
    return { field, message: `request must have at most ${MAX_REQUEST_LENGTH} characters` };
  }
  try {
    JSON.parse(request);
    return undefined;
  } catch {
    return { field, message: 'request must be JSON' };
  }
}

/** The one that is there, where it is the same. @throws RedriveError `operation_conflict` where it is another. */
export function sameOperation(operation: Operation, { id, request }: BeginOperation): Operation {
  if (operation.request === request) return operation;
  throw new RedriveError(
    'operation_conflict',
    `Bulk operation ${id} was started with another request; use another id for this one`,
    { id, begun: operation.request, request },
  );
}

/** Why nothing is done, if so. @throws RedriveError `invalid_option` for more acts than one step may have. */
export function stepRefusal(
  operation: Operation | undefined,
  { id, revision, acts }: OperationStep,
): Extract<OperationStepResult, { ok: false }> | undefined {
  if (acts.length > MAX_STEP_ACTS) {
    throw new RedriveError('invalid_option', `A step has at most ${MAX_STEP_ACTS} acts`, { id });
  }
  if (operation === undefined) return { ok: false, refusal: 'not_found' };
  if (operation.state === 'finished') return { ok: false, refusal: 'finished', operation };
  if (operation.revision !== revision) return { ok: false, refusal: 'stale_revision', operation };
  return undefined;
}

/** The operation after a step. */
export function afterStep(
  operation: Operation,
  { cursor, finished }: OperationStep,
  results: readonly ActResult[],
  nowMs: number,
): Operation {
  const acted = results.filter(({ ok }) => ok).length;
  return {
    ...operation,
    revision: operation.revision + 1,
    state: finished ? 'finished' : 'running',
    cursor,
    acted: operation.acted + acted,
    refused: operation.refused + results.length - acted,
    updatedAtMs: nowMs,
  };
}

/** Subject of its notes in the audit log. */
export function operationSubject(id: string): string {
  return `operation:${id}`;
}

/** Detail of the note when it begins: the actor, the reason and the request. */
export function beginDetail({ by, why, request }: Operation): string {
  return JSON.stringify({ by, why, request: JSON.parse(request) });
}

/** Detail of the note when it is finished: the actor, the reason and the numbers. */
export function endDetail({ by, why, acted, refused }: Operation): string {
  return JSON.stringify({ by, why, acted, refused });
}

/** A page from operations of which there is one more than fits if there are more. */
export function operationPage(found: readonly Operation[], limit: number): OperationPage {
  const operations = found.slice(0, limit);
  const last = operations.at(-1);
  const more = last !== undefined && found.length > limit;
  return {
    operations,
    next: more ? placeText({ atMs: last.startedAtMs, id: last.id }) : undefined,
  };
}
