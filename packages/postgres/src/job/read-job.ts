import type { ErrorClass, ReasonCode } from '@redrive/core';
import {
  type AttemptLog,
  type Job,
  type JobState,
  type LeasedJob,
  NO_ATTEMPTS,
  type Payload,
} from '@redrive/durable/store';
import type { Row } from '../connect/connection.ts';
import { CLAIMED_COLUMNS } from '../schema/claim-function.ts';
import { readAccount } from './account-text.ts';
import { readJson } from './json-text.ts';
import { readSpec } from './spec-text.ts';

/** All but where its row lies: that is for who has claimed it. */
const READ_COLUMNS = CLAIMED_COLUMNS.filter(([name]) => name !== 'tid');

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
  'finished_at',
  'result',
  'result_omitted_bytes',
  'purged_from',
] as const;

/** Columns that only one of the tables has. */
const OF_UNFINISHED: readonly string[] = [
  'due_at',
  'cause',
  'worker',
  'lease_since',
  'lease_until',
  'policy_hash',
];
const OF_FINISHED: readonly string[] = [
  'finished_at',
  'result',
  'result_omitted_bytes',
  'purged_from',
];

/** What to select from a table so that `readJob` can read it. */
export function jobSelection(table: 'jobs' | 'finished'): string {
  const missing = table === 'jobs' ? OF_FINISHED : OF_UNFINISHED;
  const columns = [
    ...READ_COLUMNS.map(([name, , sql]) => [name, sql ?? `j.${name}`] as const),
    ...MORE_COLUMNS.map((name) => [name, `j.${name}`] as const),
  ];
  return columns
    .map(([name, sql]) => (missing.includes(name) ? 'null' : `${sql}::text`))
    .join(', ');
}

/** A job that a claim has just taken: what it has set is not in the row. */
export function readClaimed(
  row: Row,
  from: number,
  claim: { readonly worker: string; readonly leaseMs: number; readonly policyHash: string },
  auditBlock: number,
): LeasedJob {
  const sinceMs = Number(row[from + 15]);
  return {
    ...readCommon(row, from),
    state: 'leased',
    lease: {
      worker: claim.worker,
      sinceMs,
      untilMs: sinceMs + claim.leaseMs,
      policyHash: claim.policyHash,
    },
    cancelRequested: false,
    auditBlock,
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
    finishedAt,
    result,
    omitted,
    purgedFrom,
  ] = row.slice(READ_COLUMNS.length);
  const job: Job = {
    ...readCommon(row, 0),
    state: stateOf(state),
    auditBlock: Number(auditBlock),
    cancelRequested: cancelRequested === 'true',
  };
  const more: { -readonly [K in keyof Job]?: Job[K] } = {};
  if (present(dueAt)) more.dueAtMs = Number(dueAt);
  if (present(cause)) more.cause = cause;
  if (present(worker)) {
    more.lease = {
      worker,
      sinceMs: Number(row[15]),
      untilMs: Number(leaseUntil),
      policyHash: policyHash ?? '',
    };
  }
  if (present(finishedAt)) more.finishedAtMs = Number(finishedAt);
  if (present(result)) more.result = result;
  if (present(omitted)) more.resultOmittedBytes = Number(omitted);
  // Only these are purged; the column's type has them all.
  if (present(purgedFrom)) more.purgedFrom = purgedFrom as Exclude<Job['purgedFrom'], undefined>;
  return { ...job, ...more };
}

type Common = Omit<Job, 'state' | 'auditBlock' | 'cancelRequested'>;

/** The columns of a claimed job, in the order of `CLAIMED_COLUMNS`. By number: this runs for every job. */
function readCommon(row: Row, from: number): Common {
  const text = (at: number): string => row[from + at] ?? '';
  const number = (at: number): number => Number(row[from + at]);
  const id = text(0);
  const job: { -readonly [K in keyof Common]: Common[K] } = {
    id,
    handler: text(1),
    queue: text(2),
    tenant: text(3),
    payload: payloadOf(row[from + 4], row[from + 28]),
    priority: number(5),
    submittedAtMs: number(6),
    revision: number(7),
    token: number(8),
    account: readAccount({
      generation: number(9),
      claims: number(10),
      executions: number(11),
      failed: number(12),
      leaseLost: number(13),
      text: row[from + 21] ?? null,
    }),
    generationAtMs: number(14),
    retryCount: number(16),
    // Both are written by `writeJson` from exactly this.
    attempts: present(row[from + 18]) ? (readJson(text(18)) as AttemptLog) : NO_ATTEMPTS,
    tags: present(row[from + 27]) ? (JSON.parse(text(27)) as string[]) : [],
    headers: present(row[from + 25]) ? (JSON.parse(text(25)) as Record<string, string>) : {},
    sessionId: row[from + 24] ?? id,
    ...readSpec(row[from + 26] ?? null, id),
  };
  if (present(row[from + 17])) job.deadlineMs = number(17);
  // Codes that core has written.
  if (present(row[from + 19])) job.reason = text(19) as ReasonCode;
  if (present(row[from + 20])) job.errorClass = text(20) as ErrorClass;
  if (present(row[from + 22])) job.uniqueKey = text(22);
  if (present(row[from + 23])) job.limitKey = text(23);
  return job;
}

/** A job that is held back by its limit key is ready, as everybody else sees it. */
export function stateOf(text: string | null | undefined): JobState {
  // The column's type has these, and `held`.
  return text === 'held' ? 'ready' : (text as JobState);
}

function payloadOf(text: string | null | undefined, hex: string | null | undefined): Payload {
  if (!present(hex)) return { kind: 'json', text: text ?? '' };
  return { kind: 'bytes', bytes: new Uint8Array(Buffer.from(hex.slice(2), 'hex')) };
}

function present(value: string | null | undefined): value is string {
  return value !== null && value !== undefined;
}
