import { type EnqueueCommand, type EnqueueResult, enqueueDetail } from '@redrive/durable/store';
import type { Session } from '../connect/connection.ts';
import { NEW_JOB_COLUMNS, type NewJobColumn } from '../schema/enqueue-function.ts';
import { joinedTexts, textArray } from './array-literal.ts';
import { encodeNewJobs, specText } from './encode-new-jobs.ts';
import type { Values } from './encode-settlements.ts';
import { enqueueResults } from './read-results.ts';

/** The parameters of `enqueue_uniform` that come from commands; `undefined` unless the jobs differ in id and payload alone. */
export function encodeUniformJobs(commands: readonly EnqueueCommand[]): Values | undefined {
  const [first] = commands;
  if (first === undefined || !isPlain(first)) return undefined;
  const spec = specText(first.job);
  if (!commands.every((command) => isLike(command, first, spec))) return undefined;
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
    spec,
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
): Promise<{ readonly enqueued: EnqueueResult[]; readonly block: number | undefined }> {
  const audit = writer !== null;
  // The function takes the number of its block from the sequence.
  const block = audit ? `, currval('"${schema}".audit_seq')` : '';
  const [row] = await session.query({
    name: `redrive enqueue_uniform${audit ? '' : ' without audit'}`,
    text: `select "${schema}".enqueue_uniform($1, $2, $3, $4, $5, $6, $7, $8)${block}`,
    values: [nowMs, writer, ...values],
  });
  // The function returns null if all jobs were created.
  const [outcomes, ids] = JSON.parse(row?.[0] ?? '[]') as [string[]?, string[]?];
  // A block is written only if a job was created.
  const isWritten = audit && (outcomes === undefined || outcomes.includes('created'));
  const enqueued = enqueueResults(commands, outcomes, ids);
  return { enqueued, block: isWritten ? Number(row?.[1]) : undefined };
}

/** The columns that `enqueue_uniform` has; most jobs leave the others empty. */
const UNIFORM = new Set<NewJobColumn>(['id', 'handler', 'queue', 'detail', 'payload', 'spec']);
const IS_RARE = NEW_JOB_COLUMNS.map(([name]) => !UNIFORM.has(name));

/** Whether the job needs no other column. */
function isPlain(command: EnqueueCommand): boolean {
  const { payload, idempotencyKey, id, batch } = command.job;
  if (batch !== undefined) return false;
  if (payload.kind !== 'json' || payload.text === '' || idempotencyKey !== id) return false;
  return encodeNewJobs([command]).every((value, at) => value === null || !IS_RARE[at]);
}

/** Whether the job differs from another one only in its id and payload. */
function isLike(command: EnqueueCommand, first: EnqueueCommand, spec: string | null): boolean {
  if (command === first) return true;
  const { job, due, deadline, account, actor, errorClass, dead } = command;
  const { handler, queue, tenant, priority, uniqueKey, limitKey, sessionId, id, tags } = job;
  const { payload, idempotencyKey, headers } = job;
  if (payload.kind !== 'json' || payload.text === '') return false;
  if (handler !== first.job.handler || queue !== first.job.queue) return false;
  if (actor.name !== first.actor.name || actor.why !== first.actor.why) return false;
  if (tenant !== '' || priority !== 0 || tags.length > 0) return false;
  if (sessionId !== id || idempotencyKey !== id) return false;
  if ((due ?? deadline ?? uniqueKey ?? limitKey ?? errorClass ?? dead) !== undefined) return false;
  if (specText(job) !== spec) return false;
  for (const _ in headers) return false;
  // An account with entries, or of a later generation, has executions.
  return account.executions === 0 && account.generation === first.account.generation;
}
