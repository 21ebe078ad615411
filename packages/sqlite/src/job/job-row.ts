import { claimAttempt } from '@redrive/core/stored';
import type { Job } from '@redrive/durable';
import {
  attemptsProblem,
  decodeAttempts,
  decodeProgress,
  decodeSpec,
  encodeProgress,
  type Lease,
  type LeasedJob,
  type Payload,
  problemText,
} from '@redrive/durable/store';
import { decodeLife, type StoredLife } from './life-code.ts';
import { PAYLOAD } from './payloads.ts';
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

const columns = (
  payload: string,
  result: string,
): string => `j.n, j.id, l.queue, l.handler, j.tenant, j.priority, j.submitted_at, j.state, j.revision,
  j.token, j.audit_block, coalesce(j.due_at, j.release_at), j.deadline_at, j.generation_at, j.cause, j.lease_until,
  j.lease, j.cancel_requested, j.finished_at, j.spec, j.life, ${payload}, j.attempts, ${result}`;

/** Selects a `JobRow` from `jobs j JOIN lanes l USING (lane)`. */
export const JOB_COLUMNS = columns(PAYLOAD, 'j.result');
/** The same without payload and result, for lists. */
export const LIST_COLUMNS = columns("''", 'NULL');

/** The lease of a row: worker, since, hash of the policy, 1 where the worker holds nothing else, and the progress. */
type LeaseCode = readonly [
  worker: string,
  sinceMs: number,
  policyHash: string,
  alone?: 0 | 1 | undefined,
  progress?: unknown,
];

/** The places in a `JobRow`: taking a list of 24 apart costs more than looking at each. */
export const ROW = {
  n: 0,
  id: 1,
  queue: 2,
  handler: 3,
  tenant: 4,
  priority: 5,
  submittedAt: 6,
  state: 7,
  revision: 8,
  token: 9,
  auditBlock: 10,
  dueAt: 11,
  deadlineAt: 12,
  generationAt: 13,
  cause: 14,
  leaseUntil: 15,
  lease: 16,
  cancelRequested: 17,
  finishedAt: 18,
  spec: 19,
  life: 20,
  payload: 21,
  attempts: 22,
  result: 23,
} as const;

export function jobOf(row: JobRow): Job {
  const id = row[ROW.id];
  const state = row[ROW.state];
  const submittedAtMs = row[ROW.submittedAt];
  const spec = decodeSpec(row[ROW.spec]);
  const life = decodeLife(row[ROW.life]);
  return {
    id,
    digest: spec.digest,
    handler: row[ROW.handler],
    queue: row[ROW.queue],
    tenant: row[ROW.tenant],
    priority: row[ROW.priority],
    tags: spec.tags ?? NO_TAGS,
    headers: spec.headers ?? NO_HEADERS,
    payload: payloadOf(row[ROW.payload]),
    sessionId: spec.sessionId ?? id,
    policyId: spec.policyId,
    ownPolicy: spec.ownPolicy,
    maxAttempts: spec.maxAttempts,
    onDead: spec.onDead,
    parentId: spec.parentId,
    batch: spec.batch,
    uniqueKey: spec.uniqueKey,
    limitKey: spec.limitKey,
    rateKey: spec.rateKey,
    correlationId: spec.correlationId,
    traceId: spec.traceId,
    idempotencyKey: spec.idempotencyKey ?? id,
    origin: spec.origin,
    submittedAtMs,
    state: stateOf(state),
    revision: row[ROW.revision],
    token: row[ROW.token],
    account: state === LEASED ? claimAttempt(life.account) : life.account,
    generationAtMs: row[ROW.generationAt] ?? submittedAtMs,
    deadlineMs: row[ROW.deadlineAt] ?? undefined,
    dueAtMs: row[ROW.dueAt] ?? undefined,
    cause: row[ROW.cause] ?? undefined,
    lease: leaseOf(row[ROW.lease], row[ROW.leaseUntil]),
    cancelRequested: row[ROW.cancelRequested] !== 0,
    retryCount: life.retryCount,
    errorClass: life.errorClass,
    reason: life.reason,
    attempts: decodeAttempts(row[ROW.attempts], life.account.executions),
    finishedAtMs: row[ROW.finishedAt] ?? undefined,
    fingerprint: life.fingerprint,
    purgedAtMs: life.purgedAtMs,
    // Only these three can be purged.
    purgedFrom: life.purgedFrom as Job['purgedFrom'],
    result: row[ROW.result] ?? undefined,
    resultOmittedBytes: life.resultOmittedBytes,
    auditBlock: row[ROW.auditBlock],
  };
}

/** A row that was selected by its lease. */
export function leasedJobOf(row: JobRow): LeasedJob {
  return jobOf(row) as LeasedJob;
}

const NO_TAGS: readonly string[] = Object.freeze([]);
const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({});

export function payloadOf(value: string | Uint8Array): Payload {
  return typeof value === 'string'
    ? { kind: 'json', text: value }
    : { kind: 'bytes', bytes: value };
}

export function encodeLease({
  worker,
  sinceMs,
  policyHash,
  alone,
  progress,
}: Omit<Lease, 'untilMs'>): string {
  const code: LeaseCode = alone ? [worker, sinceMs, policyHash, 1] : [worker, sinceMs, policyHash];
  if (progress === undefined) return JSON.stringify(code);
  return JSON.stringify([...code.slice(0, 3), alone ? 1 : 0, encodeProgress(progress)]);
}

/** @throws Error for a text that is not a lease. */
function readLease(text: string): LeaseCode {
  const code: unknown = JSON.parse(text);
  if (!Array.isArray(code) || typeof code[1] !== 'number') throw new Error('it is not a lease');
  // Written by encodeLease.
  return code as unknown as LeaseCode;
}

let lastLease: { readonly text: string; readonly code: LeaseCode } | undefined;

/** All jobs of a claim have the same lease, so it is read once. */
function leaseOf(text: string | null, untilMs: number | null): Lease | undefined {
  if (text === null || untilMs === null) return undefined;
  if (lastLease?.text !== text) lastLease = { text, code: readLease(text) };
  const [worker, sinceMs, policyHash, alone, code] = lastLease.code;
  const lease = { worker, sinceMs, untilMs, policyHash, alone: alone === 1 };
  if (code === undefined) return lease;
  const progress = decodeProgress(code);
  return progress === undefined ? lease : { ...lease, progress };
}

/** The columns of a row that hold more than a number or a name. */
interface RowTexts {
  readonly spec: string | null;
  readonly life: string | null;
  readonly attempts: string | null;
  readonly lease?: string | null;
}

/** The first column of a row that cannot be read, and its problem. `undefined`: the row can be read. */
export function rowProblem({ spec, life, attempts, lease = null }: RowTexts): string | undefined {
  return (
    problemOf('spec', spec, decodeSpec) ??
    problemOf('life', life, decodeLife) ??
    problemOf('attempts', attempts, (text) => {
      const problem = attemptsProblem(text);
      if (problem !== undefined) throw new Error(problem);
    }) ??
    problemOf('lease', lease, readLease)
  );
}

export function textsOf(row: JobRow): Required<RowTexts> {
  return {
    spec: row[ROW.spec],
    life: row[ROW.life],
    attempts: row[ROW.attempts],
    lease: row[ROW.lease],
  };
}

function problemOf(
  column: string,
  text: string | null,
  read: (text: string) => unknown,
): string | undefined {
  if (text === null) return undefined;
  try {
    read(text);
    return undefined;
  } catch (error) {
    return `${column}: ${problemText(error)}`;
  }
}

/** The readable part of a row: columns that cannot be read count as empty. */
export function readablePart(row: JobRow): JobRow {
  if (rowProblem(textsOf(row)) === undefined) return row;
  const part: JobRow = [...row];
  const { spec, life, attempts, lease } = textsOf(row);
  const clear = (place: 'spec' | 'life' | 'attempts' | 'lease', texts: Partial<RowTexts>) => {
    const alone = { spec: null, life: null, attempts: null, ...texts };
    if (rowProblem(alone) !== undefined) part[ROW[place]] = null;
  };
  clear('spec', { spec });
  clear('life', { life });
  clear('attempts', { attempts });
  clear('lease', { lease });
  return part;
}

/** The stored life of a job, or an empty one if it cannot be read. */
export function readableLife(life: string | null): StoredLife {
  const isReadable = rowProblem({ spec: null, life, attempts: null }) === undefined;
  return decodeLife(isReadable ? life : null);
}
