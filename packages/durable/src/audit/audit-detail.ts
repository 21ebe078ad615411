import { policyLabel } from '@redrive/core/stored';
import type { AttemptLog } from '../job/attempt-log.ts';
import { jobPolicyHash } from '../job/job-policy.ts';
import {
  type ActCommand,
  type Actor,
  type ClaimCommand,
  type ClaimLane,
  type EnqueueCommand,
  keptWhy,
} from '../store/commands.ts';

// The details of a record, besides the transition itself. Made from the command alone, without the store's time, so that a
// store can write it without asking its database first; the same in every store. A settlement brings its own.

/** `enqueue`. Never the payload, the headers or the unique key. */
export function enqueueDetail(command: EnqueueCommand): string {
  const { job, due, deadline, account, attempts, dead, actor } = command;
  const { handler, queue, tenant, priority, sessionId, id, correlationId, traceId, origin, batch } =
    job;
  return JSON.stringify({
    ...by(actor),
    handler,
    queue,
    tenant: tenant === '' ? undefined : tenant,
    priority: priority === 0 ? undefined : priority,
    due,
    deadline,
    session: sessionId === id ? undefined : sessionId,
    correlation: correlationId,
    trace: traceId,
    origin,
    maxAttempts: job.maxAttempts,
    ownPolicy: job.ownPolicy && jobPolicyHash(job.ownPolicy),
    onDead: job.onDead,
    parent: job.parentId,
    batch,
    dead: dead?.reason,
    // Of a session that was handed over: its next decisions start from this account.
    account: account.executions === 0 ? undefined : account,
    handedOver: attempts && {
      rung: attempts.kept.at(-1)?.rung,
      attempts: attempts.kept.length + attempts.omitted,
      ...(dead && ownSession(attempts)),
    },
  });
}

/** The policy and the start of a session that ended before it was stored: no later record has them. */
function ownSession({ kept }: AttemptLog) {
  const [first] = kept;
  const { policyId = '', policyHash = '' } = kept.at(-1) ?? {};
  const policy = policyId === '' ? policyHash : policyLabel(policyId, policyHash);
  return { policy, startedAtMs: first?.startedAtMs };
}

/** Of `enqueueDetail`, what is not true of a job that the command replaces: the job keeps its own. */
export const KEPT_ON_REPLACE = [
  'session',
  'correlation',
  'trace',
  'origin',
  'maxAttempts',
  'ownPolicy',
  'onDead',
  'parent',
  'batch',
  'account',
  'handedOver',
];

/**
 * `replace`, from the detail of the enqueue that replaces the job.
 *
 * @param queue the queue that the job keeps.
 */
export function replaceDetail(enqueue: string, queue: string): string {
  const detail = Object.entries(JSON.parse(enqueue) as object);
  const own = detail.filter(([field]) => !KEPT_ON_REPLACE.includes(field));
  return JSON.stringify({ ...Object.fromEntries(own), queue });
}

/** `claim`. */
export function claimDetail(
  { worker, leaseMs, alone }: ClaimCommand,
  { policyHash }: ClaimLane,
): string {
  return JSON.stringify({ by: worker, leaseMs, policy: policyHash, alone: alone || undefined });
}

/** `unpark`, `run_now`, `cancel`, `requeue`, `reset`, `purge`, `restore`, `regroup`, by hand. Never the payload. */
export function actDetail({ actor, deadline, operation, payload, group }: ActCommand): string {
  const edited = payload === undefined ? undefined : true;
  const cause = group?.fingerprint;
  return JSON.stringify({ ...by(actor), deadline, operation, edited, cause });
}

/** Details of records that a tick or retention writes: `unpark`, `expire` and `prune`. */
export function actorDetail(actor: Actor): string {
  return JSON.stringify(by(actor));
}

function by({ name, why }: Actor): { by: string; why: string | undefined } {
  return { by: name, why: keptWhy(why) };
}
