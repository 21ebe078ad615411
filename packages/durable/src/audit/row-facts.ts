import type { ErrorClass } from '@redrive/core';
import {
  type AttemptAccount,
  claimAttempt,
  openAccount,
  settleAttempt,
} from '@redrive/core/stored';
import { ownWaitMs } from '../control/rules/own-wait.ts';
import { isFinal, isFirstClaim, type Job, type JobOrigin } from '../job/job.ts';
import { jobPolicyHash } from '../job/job-policy.ts';
import { type Moment, momentMs } from '../store/commands.ts';
import type { AuditRecord } from './audit-block.ts';
import { textOf } from './record-detail.ts';
import { type RecordedAnswer, revive } from './rederive.ts';

/** The columns of a job's row that records contain. */
export type AuditedRow = Omit<
  Job,
  'payload' | 'result' | 'headers' | 'attempts' | 'revision' | 'token' | 'auditBlock'
>;

/** The facts of a job's row, derived from its records one after the other. The row must have the same. */
export interface RowFacts {
  readonly handler: string;
  readonly queue: string;
  readonly tenant: string;
  readonly priority: number;
  readonly sessionId: string;
  readonly correlationId: string | undefined;
  readonly traceId: string | undefined;
  readonly batch: string | undefined;
  /** As JSON. */
  readonly origin: string | undefined;
  readonly maxAttempts: number | undefined;
  /** Version hash of the job's own policy. */
  readonly ownPolicy: string | undefined;
  readonly onDead: string | undefined;
  readonly parentId: string | undefined;
  readonly submittedAtMs: number;
  readonly generationAtMs: number;
  readonly deadlineMs: number | undefined;
  /** While it is scheduled. Records do not have the time of a parked job. */
  readonly dueAtMs: number | undefined;
  readonly finishedAtMs: number | undefined;
  readonly retryCount: number;
  readonly errorClass: string | undefined;
  readonly reason: string | undefined;
  readonly leasedBy: string | undefined;
  readonly leasedAtMs: number | undefined;
  readonly policyHash: string | undefined;
  readonly purgedAtMs: number | undefined;
}

/** The facts that the check of transitions and decisions needs, too. */
interface SharedFacts {
  readonly account: AttemptAccount | undefined;
  readonly cancelRequested: boolean;
  readonly purgedFrom: string | null;
}

type Detail = AuditRecord['detail'];

/** A job's account after another record. `undefined`: not known, because a record or a decision is missing. */
export function accountAfter(
  account: AttemptAccount | undefined,
  { event, generation, executions, detail }: AuditRecord,
): AttemptAccount | undefined {
  switch (event) {
    case 'enqueue':
      // Written by `enqueueDetail`, where the job goes on with a session that was handed over.
      return { ...openAccount(), ...(revive(detail.account) as AttemptAccount | undefined) };
    case 'claim':
      return account && claimAttempt(account);
    case 'settle':
    case 'lease_lost':
      return account && settledAccount(account, detail);
    case 'requeue':
    case 'reset':
      return { ...openAccount(), generation, executions };
    default:
      return account;
  }
}

function settledAccount(account: AttemptAccount, detail: Detail): AttemptAccount | undefined {
  const { entry, action, reason, delayMs } = answerIn(detail);
  if (typeof entry !== 'string') return undefined;
  const isParked = action === 'park' || entry === 'blocked';
  const endedMs = Math.ceil(Number(detail.startedAtMs) + Number(detail.durationMs));
  return settleAttempt(
    account,
    entry,
    ownWaitMs({ action, reason, delayMs } as Parameters<typeof ownWaitMs>[0]),
    isParked ? endedMs : undefined,
  );
}

/** The facts after another record. `undefined`: they are not known, because the first record is missing. */
export function factsAfter(
  { facts, account, cancelRequested }: SharedFacts & { readonly facts: RowFacts | undefined },
  record: AuditRecord,
): RowFacts | undefined {
  const { id, event, to, atMs, detail } = record;
  if (event === 'enqueue') return firstFacts(id, atMs, detail, account ?? openAccount());
  if (facts === undefined || account === undefined) return undefined;
  const ended = to !== null && isFinal(to) ? { finishedAtMs: atMs } : {};
  switch (event) {
    case 'replace':
      return {
        ...facts,
        priority: Number(detail.priority ?? 0),
        deadlineMs: timeOf(detail.deadline, atMs),
        dueAtMs: to === 'scheduled' ? timeOf(detail.due, atMs) : undefined,
      };
    case 'claim':
      return {
        ...facts,
        generationAtMs: isFirstClaim(account) ? atMs : facts.generationAtMs,
        dueAtMs: undefined,
        leasedBy: textOf(detail.by),
        leasedAtMs: atMs,
        policyHash: textOf(detail.policy),
      };
    case 'settle':
    case 'lease_lost':
      // Without the decision, the next row is not known.
      if (typeof detail.entry !== 'string') return undefined;
      return { ...afterAttempt(facts, to, atMs, detail, cancelRequested), ...ended };
    case 'cancel':
      if (to === 'leased') return facts;
      return { ...facts, ...ended, reason: 'cancelled', dueAtMs: undefined };
    case 'expire':
      return { ...facts, ...ended, reason: 'ttl_exceeded', dueAtMs: undefined };
    case 'requeue':
      return {
        ...facts,
        generationAtMs: atMs,
        deadlineMs: timeOf(detail.deadline, atMs),
        retryCount: 0,
        errorClass: undefined,
        reason: undefined,
        finishedAtMs: undefined,
      };
    case 'reset':
      return { ...facts, generationAtMs: atMs, retryCount: 0 };
    case 'purge':
      return { ...facts, purgedAtMs: atMs };
    case 'restore':
      return { ...facts, purgedAtMs: undefined };
    case 'unpark':
    case 'run_now':
      return { ...facts, dueAtMs: undefined };
    default:
      return facts;
  }
}

function firstFacts(id: string, atMs: number, detail: Detail, account: AttemptAccount): RowFacts {
  const dueAtMs = timeOf(detail.due, atMs);
  const dead = textOf(detail.dead);
  const charged = account.entries.failed + account.entries.lease_lost;
  return {
    handler: textOf(detail.handler) ?? '',
    queue: textOf(detail.queue) ?? '',
    tenant: textOf(detail.tenant) ?? '',
    priority: Number(detail.priority ?? 0),
    sessionId: textOf(detail.session) ?? id,
    correlationId: textOf(detail.correlation),
    traceId: textOf(detail.trace),
    batch: textOf(detail.batch),
    origin: originText(detail.origin),
    maxAttempts: detail.maxAttempts === undefined ? undefined : Number(detail.maxAttempts),
    ownPolicy: textOf(detail.ownPolicy),
    onDead: textOf(detail.onDead),
    parentId: textOf(detail.parent),
    submittedAtMs: atMs,
    generationAtMs: atMs,
    deadlineMs: timeOf(detail.deadline, atMs),
    dueAtMs: dueAtMs !== undefined && dueAtMs > atMs ? dueAtMs : undefined,
    finishedAtMs: dead === undefined ? undefined : atMs,
    retryCount: dead === undefined ? charged : Math.max(0, charged - 1),
    errorClass: detail.account === undefined && dead === undefined ? undefined : UNKNOWN,
    reason: dead,
    leasedBy: undefined,
    leasedAtMs: undefined,
    policyHash: undefined,
    purgedAtMs: undefined,
  };
}

/** No record has the error class of a call that was handed over. */
const UNKNOWN = 'unknown';

function afterAttempt(
  facts: RowFacts,
  to: AuditRecord['to'],
  atMs: number,
  detail: Detail,
  cancelRequested: boolean,
): RowFacts {
  const { entry, action, reason, delayMs } = answerIn(detail);
  const waits = action === 'retry' || action === 'park';
  const isCharged = entry === 'failed' || entry === 'lease_lost';
  // A cancelled job does not run again, whatever the outcome of its attempt, unless it succeeded.
  const overruled = cancelRequested && to === 'cancelled' && action !== 'give-up';
  return {
    ...facts,
    retryCount:
      entry === 'succeeded' ? 0 : waits && isCharged ? facts.retryCount + 1 : facts.retryCount,
    errorClass: errorClassAfter(facts.errorClass, entry, detail),
    reason: overruled ? 'cancelled' : reason,
    dueAtMs: to === 'scheduled' ? atMs + (delayMs ?? 0) : undefined,
    leasedBy: undefined,
    leasedAtMs: undefined,
    policyHash: undefined,
  };
}

function errorClassAfter(
  before: string | undefined,
  entry: RecordedAnswer['entry'],
  { input }: Detail,
): string | undefined {
  if (entry === 'succeeded') return undefined;
  const { kind, errorClass } = Object(Object(input).outcome) as {
    kind?: string;
    errorClass?: ErrorClass;
  };
  if (kind === 'failure') return errorClass === 'ignored' ? before : errorClass;
  return kind === 'lease_lost' ? 'retryable' : before;
}

/** The decision about a stored attempt. Unchecked: records are read as they are. */
function answerIn(detail: Detail): RecordedAnswer {
  return detail as unknown as RecordedAnswer;
}

/** The differences between a row and its records, field by field. */
export function rowDifferences(
  facts: RowFacts,
  { account, cancelRequested, purgedFrom }: SharedFacts,
  row: AuditedRow,
): { readonly expected: Record<string, unknown>; readonly found: Record<string, unknown> } {
  const found: Record<string, unknown> = {
    ...row,
    origin: originText(row.origin),
    ownPolicy: jobPolicyHash(row.ownPolicy),
    leasedBy: row.lease?.worker,
    leasedAtMs: row.lease?.sinceMs,
    policyHash: row.lease?.policyHash,
  };
  const expected: Record<string, unknown> = {};
  const different: Record<string, unknown> = {};
  const shared = { account, cancelRequested, purgedFrom: purgedFrom ?? undefined };
  for (const [name, value] of Object.entries({ ...facts, ...shared })) {
    if (isSame(name, value, found[name], row)) continue;
    expected[name] = value ?? null;
    different[name] = found[name] ?? null;
  }
  return { expected, found: different };
}

/** Times that are written in parts of a millisecond are rounded by stores. */
const ROUNDED: ReadonlySet<string> = new Set(['deadlineMs', 'dueAtMs']);

function isSame(name: string, value: unknown, found: unknown, { state }: AuditedRow): boolean {
  // A due job becomes ready without a record, and records do not have the time of a parked job.
  if (name === 'dueAtMs' && state !== 'scheduled') return true;
  if (name === 'errorClass' && value === UNKNOWN) return true;
  if (name === 'account') return sameAccount(value as AttemptAccount, found as AttemptAccount);
  if (ROUNDED.has(name) && typeof value === 'number' && typeof found === 'number') {
    return Math.abs(value - found) < 1;
  }
  return value === found;
}

function sameAccount(a: AttemptAccount, b: AttemptAccount): boolean {
  const text = ({ entries, ...rest }: AttemptAccount): string => {
    const numbers = [...Object.entries(rest), ...Object.entries(entries)];
    return JSON.stringify(numbers.filter(([, value]) => value !== 0).sort(byName));
  };
  return text(a) === text(b);
}

/** Field by field: a store may keep them in another order. */
function originText(origin: unknown): string | undefined {
  if (origin === undefined || origin === null) return undefined;
  const { rung, bus, source } = origin as Partial<JobOrigin>;
  return JSON.stringify([rung, bus, source]);
}

const byName = ([a]: [string, number], [b]: [string, number]): number => (a < b ? -1 : 1);

function timeOf(moment: unknown, atMs: number): number | undefined {
  // Written by `enqueueDetail` and `actDetail`.
  return moment === undefined || moment === null ? undefined : momentMs(moment as Moment, atMs);
}
