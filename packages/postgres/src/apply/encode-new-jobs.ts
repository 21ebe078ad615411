import {
  type EnqueueCommand,
  encodeAttempts,
  encodeSpec,
  enqueueDetail,
  firstRetryCount,
  type Moment,
} from '@redrive/durable/store';
import { accountText } from '../job/account-text.ts';
import { NEW_JOB_COLUMNS, type NewJobColumn } from '../schema/enqueue-function.ts';
import { bytesArray, joinedTexts, onceIfAlike, plainArray, textArray } from './array-literal.ts';

type Commands = readonly EnqueueCommand[];

const text =
  (of: (command: EnqueueCommand) => string | null | undefined) =>
  (all: Commands): string | null =>
    textArray(all.map(of));

const joined =
  (of: (command: EnqueueCommand) => string | null | undefined) =>
  (all: Commands): string | null =>
    joinedTexts(all.map(of));

const plain =
  (of: (command: EnqueueCommand) => number | undefined, otherwise?: number) =>
  (all: Commands): string | null =>
    plainArray(all.map(of), otherwise);

const COLUMNS: Record<NewJobColumn, (all: Commands) => string | null> = {
  id: text(({ job }) => job.id),
  handler: (all) => textArray(onceIfAlike(all.map(({ job }) => job.handler))),
  queue: (all) => textArray(onceIfAlike(all.map(({ job }) => job.queue))),
  detail: (all) => joinedTexts(onceIfAlike(all.map(enqueueDetail))),
  payload: joined(({ job }) => (job.payload.kind === 'json' ? job.payload.text : null)),
  tenant: text(({ job }) => (job.tenant === '' ? null : job.tenant)),
  priority: plain(({ job }) => job.priority, 0),
  due_at: plain(({ due }) => absolute(due)),
  due_in: plain(({ due }) => relative(due)),
  deadline_at: plain(({ deadline }) => absolute(deadline)),
  deadline_in: plain(({ deadline }) => relative(deadline)),
  on_conflict: joined(conflictText),
  generation: plain(({ account }) => account.generation, 1),
  claims: plain(({ account }) => account.claims, 0),
  executions: plain(({ account }) => account.executions, 0),
  failed: plain(({ account }) => account.entries.failed, 0),
  lease_lost: plain(({ account }) => account.entries.lease_lost, 0),
  account: joined(({ account }) => accountText(account)),
  retry_count: plain(firstRetryCount, 0),
  error_class: joined(({ errorClass }) => errorClass),
  unique_key: text(({ job }) => job.uniqueKey),
  limit_key: text(({ job }) => job.limitKey),
  session_id: text(({ job }) => (job.sessionId === job.id ? null : job.sessionId)),
  tags: text(({ job }) => (job.tags.length === 0 ? null : textArray(job.tags))),
  headers: joined(({ job }) => headersText(job.headers)),
  spec: joined(({ job }) => specText(job)),
  payload_bytes: (all) =>
    bytesArray(all.map(({ job }) => (job.payload.kind === 'bytes' ? job.payload.bytes : null))),
  attempts: joined(({ attempts }) => attempts && encodeAttempts(attempts)),
};

/** The parameters of `enqueue`, in their order. */
export function encodeNewJobs(commands: Commands): readonly (string | null)[] {
  return NEW_JOB_COLUMNS.map(([name]) => COLUMNS[name](commands));
}

/** The column `spec`. Other fields of the spec have columns of their own. */
export function specText(job: EnqueueCommand['job']): string | null {
  const { id, batch, digest, policyId, ownPolicy, maxAttempts, onDead, parentId, rateKey } = job;
  const { correlationId, traceId, idempotencyKey, origin } = job;
  const rare = { policyId, ownPolicy, maxAttempts, onDead, parentId, rateKey };
  const more = { correlationId, traceId, idempotencyKey, origin };
  return encodeSpec({ id, batch, digest, ...rare, ...more });
}

/** `existing`, or `existing 3600000` for a unique key that counts for so many milliseconds. */
function conflictText({ job, onConflict, uniqueForMs }: EnqueueCommand): string | null {
  if (job.uniqueKey === undefined) return null;
  return uniqueForMs === undefined ? onConflict : `${onConflict} ${Math.ceil(uniqueForMs)}`;
}

function absolute(moment: Moment | undefined): number | undefined {
  return moment !== undefined && 'atMs' in moment ? Math.ceil(moment.atMs) : undefined;
}

function relative(moment: Moment | undefined): number | undefined {
  return moment !== undefined && 'inMs' in moment ? Math.ceil(moment.inMs) : undefined;
}

function headersText(headers: Readonly<Record<string, string>>): string | null {
  for (const _ in headers) return JSON.stringify(headers);
  return null;
}
