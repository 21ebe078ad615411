import { claimAttempt } from '@redrive/core';
import {
  type AttemptLog,
  type Job,
  type Lease,
  type LeasedJob,
  NO_ATTEMPTS,
  type Payload,
} from '@redrive/durable/store';
import { decodeLife } from './life-code.ts';
import { decodeSpec } from './spec-code.ts';
import { LEASED, stateOf } from './states.ts';

/** A whole job, in the order of `JOB_COLUMNS`. It crosses threads like this. */
export type JobRow = [
  n: number,
  id: string,
  queue: string,
  handler: string,
  tenant: string,
  priority: number,
  submittedAt: number,
  state: number,
  revision: number,
  token: number,
  auditBlock: number,
  dueAt: number | null,
  deadlineAt: number | null,
  generationAt: number | null,
  cause: string | null,
  leaseUntil: number | null,
  lease: string | null,
  cancelRequested: number,
  finishedAt: number | null,
  spec: string | null,
  life: string | null,
  payload: string | Uint8Array,
  attempts: string | null,
  result: string | null,
];

/** Selects a `JobRow` from `jobs j JOIN lanes l USING (lane)`. */
export const JOB_COLUMNS = `j.n, j.id, l.queue, l.handler, j.tenant, j.priority, j.submitted_at, j.state, j.revision,
  j.token, j.audit_block, coalesce(j.due_at, j.release_at), j.deadline_at, j.generation_at, j.cause, j.lease_until,
  j.lease, j.cancel_requested, j.finished_at, j.spec, j.life, j.payload, j.attempts, j.result`;

/** The lease of a row: worker, since, hash of the policy. */
export type LeaseCode = readonly [worker: string, sinceMs: number, policyHash: string];

export function jobOf(row: JobRow): Job {
  const [
    ,
    id,
    queue,
    handler,
    tenant,
    priority,
    submittedAtMs,
    stateCode,
    revision,
    token,
    auditBlock,
    dueAt,
    deadlineAt,
    generationAt,
    cause,
    leaseUntil,
    leaseText,
    cancelRequested,
    finishedAt,
    specText,
    lifeText,
    payload,
    attempts,
    result,
  ] = row;
  const spec = decodeSpec(specText);
  const life = decodeLife(lifeText);
  return {
    id,
    handler,
    queue,
    tenant,
    priority,
    tags: spec.tags ?? NO_TAGS,
    headers: spec.headers ?? NO_HEADERS,
    payload: payloadOf(payload),
    sessionId: spec.sessionId ?? id,
    policyId: spec.policyId,
    uniqueKey: spec.uniqueKey,
    limitKey: spec.limitKey,
    correlationId: spec.correlationId,
    traceId: spec.traceId,
    idempotencyKey: spec.idempotencyKey ?? id,
    submittedAtMs,
    state: stateOf(stateCode),
    revision,
    token,
    account: stateCode === LEASED ? claimAttempt(life.account) : life.account,
    generationAtMs: generationAt ?? submittedAtMs,
    deadlineMs: deadlineAt ?? undefined,
    dueAtMs: dueAt ?? undefined,
    cause: cause ?? undefined,
    lease: leaseUntil === null || leaseText === null ? undefined : leaseOf(leaseText, leaseUntil),
    cancelRequested: cancelRequested !== 0,
    retryCount: life.retryCount,
    errorClass: life.errorClass,
    reason: life.reason,
    attempts: decodeAttempts(attempts),
    finishedAtMs: finishedAt ?? undefined,
    // Only these three can be purged.
    purgedFrom: life.purgedFrom as Job['purgedFrom'],
    result: result ?? undefined,
    resultOmittedBytes: life.resultOmittedBytes,
    auditBlock,
  };
}

/** A row that was selected by its lease. */
export function leasedJobOf(row: JobRow): LeasedJob {
  return jobOf(row) as LeasedJob;
}

const NO_TAGS: readonly string[] = Object.freeze([]);
const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({});

function payloadOf(value: string | Uint8Array): Payload {
  return typeof value === 'string'
    ? { kind: 'json', text: value }
    : { kind: 'bytes', bytes: value };
}

export function encodeLease(lease: LeaseCode): string {
  return JSON.stringify(lease);
}

function leaseOf(text: string, untilMs: number): Lease {
  // Written by encodeLease.
  const [worker, sinceMs, policyHash] = JSON.parse(text) as LeaseCode;
  return { worker, sinceMs, untilMs, policyHash };
}

/** NULL, where there was none. */
export function encodeAttempts(log: AttemptLog): string | null {
  return log.kept.length === 0 && log.omitted === 0 ? null : JSON.stringify(log);
}

export function decodeAttempts(text: string | null): AttemptLog {
  if (text === null) return NO_ATTEMPTS;
  // Written by encodeAttempts. JSON has no Infinity and writes null; nothing in a log is ever null.
  return JSON.parse(text, (_, value) => (value === null ? Infinity : value)) as AttemptLog;
}
