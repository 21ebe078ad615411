import type { ErrorClass, ReasonCode } from '@redrive/core';
import type { Job, JobState } from '@redrive/durable';
import {
  type ClaimCommand,
  decodeAttempts,
  decodeProgress,
  decodeSpec,
  type LeasedJob,
  type Payload,
  type Progress,
} from '@redrive/durable/store';
import type { Row } from '../connect/connection.ts';
import { CLAIMED_COLUMNS, type ClaimedColumnName, columnSql } from '../schema/claimed-columns.ts';
import { readAccount } from './account-text.ts';

/** Further columns of a job that is read, after those of a claimed one. */
const MORE_COLUMNS = [
  'state',
  'audit_block',
  'cancel_requested',
  'due_at',
  'cause',
  'worker',
  'lease_until',
  'policy_hash',
  'alone',
  'progress',
  'finished_at',
  'result',
  'result_omitted_bytes',
  'purged_from',
  'purged_at',
  'fingerprint',
] as const;

/** Columns that only one of the tables has. */
const OF_UNFINISHED: readonly string[] = [
  'due_at',
  'cause',
  'worker',
  'lease_since',
  'lease_until',
  'policy_hash',
  'alone',
  'progress',
];
const OF_FINISHED: readonly string[] = [
  'finished_at',
  'result',
  'result_omitted_bytes',
  'purged_from',
  'purged_at',
  'fingerprint',
];

/** The columns that `readJob` needs. `schema`: with large payloads, which stand in another table. */
export function jobSelection(table: 'jobs' | 'finished', schema?: string): string {
  const missing = table === 'jobs' ? OF_FINISHED : OF_UNFINISHED;
  const columns = [
    ...CLAIMED_COLUMNS.map((column) => [column.name, columnSql(column, schema)] as const),
    ...MORE_COLUMNS.map((name) => [name, `j.${name}`] as const),
  ];
  return columns
    .map(([name, sql]) => (missing.includes(name) ? 'null' : `${sql}::text`))
    .join(', ');
}

/** Where each column of a claimed job stands. */
const AT = Object.fromEntries(CLAIMED_COLUMNS.map(({ name }, at) => [name, at])) as Record<
  ClaimedColumnName,
  number
>;

/** Reads the rows of a claim. They lack the values that the claim itself has set; null stands for the default value. */
export function claimedReader(
  { worker, leaseMs, lanes, alone = false }: ClaimCommand,
  sinceMs: number,
  auditBlock: number,
): (row: Row, from: number) => LeasedJob {
  const handler = lanes[0]?.handler ?? '';
  const hashes = new Map(lanes.map((lane) => [lane.handler, lane.policyHash]));
  return (row, from) => {
    const since = row[from + AT.lease_since];
    const leasedAtMs = present(since) ? Number(since) : sinceMs;
    const job = readCommon(row, from, handler, leasedAtMs);
    return {
      ...job,
      state: 'leased',
      lease: {
        worker,
        sinceMs: leasedAtMs,
        untilMs: leasedAtMs + leaseMs,
        policyHash: hashes.get(job.handler) ?? '',
        alone,
      },
      cancelRequested: false,
      auditBlock,
    };
  };
}

/** A job as `jobSelection` asks for it. */
export function readJob(row: Row): Job {
  const [
    state,
    auditBlock,
    cancelRequested,
    dueAt,
    cause,
    worker,
    leaseUntil,
    policyHash,
    alone,
    progressText,
    finishedAt,
    result,
    omitted,
    purgedFrom,
    purgedAt,
    fingerprint,
  ] = row.slice(CLAIMED_COLUMNS.length);
  const job: { -readonly [K in keyof Job]: Job[K] } = {
    ...readCommon(row, 0, '', 0),
    state: stateOf(state),
    auditBlock: Number(auditBlock),
    cancelRequested: cancelRequested === 'true',
  };
  if (present(dueAt)) job.dueAtMs = Number(dueAt);
  if (present(cause)) job.cause = cause;
  if (present(worker)) {
    job.lease = {
      worker,
      sinceMs: Number(row[AT.lease_since]),
      untilMs: Number(leaseUntil),
      policyHash: policyHash ?? '',
      alone: alone === 'true',
    };
    const progress = present(progressText) ? readProgress(progressText) : undefined;
    if (progress !== undefined) job.lease = { ...job.lease, progress };
  }
  if (present(finishedAt)) job.finishedAtMs = Number(finishedAt);
  if (present(result)) job.result = result;
  if (present(omitted)) job.resultOmittedBytes = Number(omitted);
  // Only these are purged; the column's type has them all.
  if (present(purgedFrom)) job.purgedFrom = purgedFrom as Exclude<Job['purgedFrom'], undefined>;
  if (present(purgedAt)) job.purgedAtMs = Number(purgedAt);
  if (present(fingerprint)) job.fingerprint = fingerprint;
  return job;
}

function readProgress(text: string): Progress | undefined {
  try {
    return decodeProgress(JSON.parse(text));
  } catch {
    return undefined;
  }
}

type Common = Omit<Job, 'state' | 'auditBlock' | 'cancelRequested'>;

/** Fields that every row has. `CLAIMED_COLUMNS` has the default values that null stands for. */
function readCommon(row: Row, from: number, handler: string, leasedAtMs: number): Common {
  const text = (at: number): string | null => row[from + at] ?? null;
  const number = (at: number, otherwise: number): number => {
    const value = row[from + at];
    return present(value) ? Number(value) : otherwise;
  };
  const id = text(AT.id) ?? '';
  const submittedAtMs = number(AT.submitted_at, 0);
  const claims = number(AT.claims, 1);
  const executions = number(AT.executions, claims);
  const {
    batch,
    digest,
    policyId,
    ownPolicy,
    maxAttempts,
    onDead,
    parentId,
    rateKey,
    correlationId,
    traceId,
    idempotencyKey = id,
    origin,
  } = decodeSpec(text(AT.spec));
  const job: { -readonly [K in keyof Common]: Common[K] } = {
    id,
    handler: text(AT.handler) ?? handler,
    queue: text(AT.queue) ?? 'default',
    tenant: text(AT.tenant) ?? '',
    payload: payloadOf(text(AT.payload), text(AT.payload_bytes)),
    priority: number(AT.priority, 0),
    submittedAtMs,
    revision: number(AT.revision, 2),
    token: number(AT.token, 1),
    account: readAccount({
      generation: number(AT.generation, 1),
      claims,
      executions,
      failed: number(AT.failed, 0),
      leaseLost: number(AT.lease_lost, 0),
      text: text(AT.account),
    }),
    generationAtMs: number(AT.generation_at, leasedAtMs),
    retryCount: number(AT.retry_count, 0),
    attempts: decodeAttempts(text(AT.attempts), executions),
    tags: listOf(text(AT.tags)),
    headers: headersOf(text(AT.headers)),
    sessionId: text(AT.session_id) ?? id,
    batch,
    digest,
    policyId,
    ownPolicy,
    maxAttempts,
    onDead,
    parentId,
    rateKey,
    correlationId,
    traceId,
    idempotencyKey,
    origin,
  };
  const deadline = text(AT.deadline);
  if (deadline !== null) job.deadlineMs = Number(deadline);
  const reason = text(AT.reason);
  // Codes that core has written.
  if (reason !== null) job.reason = reason as ReasonCode;
  const errorClass = text(AT.error_class);
  if (errorClass !== null) job.errorClass = errorClass as ErrorClass;
  const uniqueKey = text(AT.unique_key);
  if (uniqueKey !== null) job.uniqueKey = uniqueKey;
  const limitKey = text(AT.limit_key);
  if (limitKey !== null) job.limitKey = limitKey;
  return job;
}

/** A job that is held back by its limit key is ready, as everybody else sees it. */
export function stateOf(text: string | null | undefined): JobState {
  // The column's type has these, and `held`.
  return text === 'held' ? 'ready' : (text as JobState);
}

export function payloadOf(text: string | null, hex: string | null): Payload {
  if (hex === null) return { kind: 'json', text: text ?? '' };
  return { kind: 'bytes', bytes: new Uint8Array(Buffer.from(hex.slice(2), 'hex')) };
}

function listOf(json: string | null): string[] {
  // An array of texts, as Postgres writes it.
  return json === null ? [] : (JSON.parse(json) as string[]);
}

function present(value: string | null | undefined): value is string {
  return value !== null && value !== undefined;
}

/** @throws Error for a text that is not an object. */
export function headersOf(json: string | null): Record<string, string> {
  if (json === null) return {};
  const headers: unknown = JSON.parse(json);
  if (typeof headers !== 'object' || headers === null) throw new Error('it is not an object');
  // Written from the same.
  return headers as Record<string, string>;
}
