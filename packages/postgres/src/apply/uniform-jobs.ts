import { type EnqueueCommand, type EnqueueResult, enqueueDetail } from '@redrive/durable/store';
import type { Session } from '../connect/connection.ts';
import { joinedTexts, textArray } from './array-literal.ts';
import { encodeNewJobs } from './encode-new-jobs.ts';
import type { Values } from './encode-settlements.ts';
import { enqueueResults } from './read-results.ts';

/** The parameters of `enqueue_usual` that come from commands; `undefined` unless the jobs differ in id and payload alone. */
export function encodeUniformJobs(commands: readonly EnqueueCommand[]): Values | undefined {
  const [first] = commands;
  if (first === undefined || !isPlain(first)) return undefined;
  if (!commands.every((command) => isLike(command, first))) return undefined;
  const { handler, queue } = first.job;
  const payloads = commands.map(({ job: { payload } }) =>
    payload.kind === 'json' ? payload.text : '',
  );
  return [
    textArray(commands.map(({ job }) => job.id)),
    handler,
    queue,
    enqueueDetail(first),
    joinedTexts(payloads),
  ];
}

/** Inserts such jobs, in one short statement. */
export async function enqueueUniform(
  session: Session,
  schema: string,
  commands: readonly EnqueueCommand[],
  values: Values,
  writer: string | null,
  nowMs: number | null,
): Promise<EnqueueResult[]> {
  const [row] = await session.query({
    name: 'redrive enqueue_usual',
    text: `select "${schema}".enqueue_usual($1, $2, $3, $4, $5, $6, $7)`,
    values: [nowMs, writer, ...values],
  });
  // The function returns null if all jobs were created.
  const [outcomes, ids] = JSON.parse(row?.[0] ?? '[]') as [string[]?, string[]?];
  return enqueueResults(commands, outcomes, ids);
}

/** The first of the columns that most jobs leave empty, after id, handler, queue, detail and payload. */
const RARE_FROM = 5;

/** Whether the job needs none of these columns. */
function isPlain(command: EnqueueCommand): boolean {
  const { payload } = command.job;
  if (payload.kind !== 'json' || payload.text === '') return false;
  return encodeNewJobs([command]).slice(RARE_FROM).every(isNull);
}

function isNull(value: unknown): boolean {
  return value === null;
}

/** Whether the job differs from another one only in its id and payload. */
function isLike(command: EnqueueCommand, first: EnqueueCommand): boolean {
  if (command === first) return true;
  const { job, due, deadline, account, actor, errorClass, dead } = command;
  const { handler, queue, tenant, priority, uniqueKey, limitKey, sessionId, id, tags } = job;
  const { payload, idempotencyKey, policyId, correlationId, traceId, headers } = job;
  if (payload.kind !== 'json' || payload.text === '') return false;
  if (handler !== first.job.handler || queue !== first.job.queue) return false;
  if (actor.name !== first.actor.name || actor.why !== first.actor.why) return false;
  if (tenant !== '' || priority !== 0 || tags.length > 0) return false;
  if (sessionId !== id || idempotencyKey !== id) return false;
  if ((due ?? deadline ?? uniqueKey ?? limitKey ?? errorClass ?? dead) !== undefined) return false;
  if ((policyId ?? correlationId ?? traceId ?? job.origin) !== undefined) return false;
  for (const _ in headers) return false;
  // An account with entries, or of a later generation, has executions.
  return account.executions === 0 && account.generation === first.account.generation;
}
