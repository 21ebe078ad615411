import type { ReasonCode } from '@redrive/core';
import { type AttemptAccount, openAccount, type SanitisedError } from '@redrive/core/stored';
import type { JobAttempt } from '../job/attempt-log.ts';
import { accountOf } from '../jobs/hand-over.ts';
import type { Actor, EnqueueCommand } from './commands.ts';

type Spec = EnqueueCommand['job'];

const NO_TAGS: readonly string[] = Object.freeze([]);
const NO_HEADERS = Object.freeze({});
/** All jobs begin with the same one: accounts are never changed, only replaced. */
const OPEN: AttemptAccount = /* @__PURE__ */ openAccount();

/**
 * The enqueue of a job that Redrive makes itself: of an event, a document, a tick or a notification. Its id names its
 * cause, so that a second enqueue of the same cause changes nothing.
 */
export function enqueueCommand(
  job: Pick<Spec, 'id' | 'handler' | 'queue' | 'payload'> & Partial<Spec>,
  actor: Actor,
): EnqueueCommand {
  const { id } = job;
  return {
    kind: 'enqueue',
    job: {
      tenant: '',
      priority: 0,
      tags: NO_TAGS,
      headers: NO_HEADERS,
      sessionId: id,
      idempotencyKey: id,
      ...job,
    },
    onConflict: 'existing',
    account: OPEN,
    actor,
  };
}

/** The same job as a dead letter from the start, with the newest of the attempts that were made before. */
export function deadCommand(
  command: EnqueueCommand,
  reason: ReasonCode,
  made: Pick<JobAttempt, 'startedAtMs' | 'errorClass' | 'policyHash' | 'maxAttempts'> & {
    readonly error: SanitisedError;
    /** Attempts that count. */
    readonly charged: number;
  },
): EnqueueCommand {
  const { charged, ...rest } = made;
  const attempt: JobAttempt = {
    ...{ generation: 1, attempt: Math.max(1, charged), durationMs: 0, delayBeforeMs: 0 },
    ...{ entry: 'failed', action: 'give-up', reason, worker: command.actor.name },
    ...rest,
  };
  return {
    ...command,
    account: accountOf(charged),
    attempts: { kept: [attempt], omitted: Math.max(0, charged - 1) },
    errorClass: made.errorClass,
    dead: { reason },
  };
}
