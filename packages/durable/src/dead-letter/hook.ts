import { RedriveError } from '@redrive/core';
import { openAccount } from '@redrive/core/stored';
import type { JobAttempt } from '../job/attempt-log.ts';
import { HOOK_PREFIX } from '../job/caller-id.ts';
import type { Job, JobSpec } from '../job/job.ts';
import type { Actor, EnqueueCommand } from '../store/commands.ts';
import { enqueueCommand } from '../store/enqueue-command.ts';
import type { FullStore } from '../store/full-store.ts';
import { type DeadLetterEnvelope, deadLetterOf } from './envelope.ts';

// A hook is a job that a death leaves: of the handler that `onDead` names, in the transaction of the death. What is stored
// names the dead letter; the envelope is made when the hook runs, so that no store has to make one.

/** No job of a caller has this digest. */
export const HOOK_DIGEST = 'dead-letter';

/** One death, one id: a requeued job that dies again leaves another hook. */
export function hookId(id: string, generation: number): string {
  return `${HOOK_PREFIX}${generation}:${id}`;
}

type DeadJob = Pick<JobSpec, 'id' | 'onDead' | 'queue' | 'tenant'> &
  Pick<JobSpec, 'sessionId' | 'correlationId' | 'traceId'> & {
    readonly account: { readonly generation: number };
  };

/** The enqueue of a dead job's hook. `undefined`: it has none. */
export function hookOf(job: DeadJob, actor: Actor): EnqueueCommand | undefined {
  const { id, onDead: handler, queue, tenant, sessionId, correlationId, traceId } = job;
  if (handler === undefined) return undefined;
  const { generation } = job.account;
  const text = JSON.stringify({ dead_letter: id, generation });
  return enqueueCommand(
    {
      ...{ id: hookId(id, generation), digest: HOOK_DIGEST, handler, queue, tenant, traceId },
      ...{ parentId: id, correlationId: correlationId ?? sessionId },
      payload: { kind: 'json', text },
    },
    actor,
  );
}

/**
 * The envelope that a hook's handler gets, with the whole payload.
 *
 * @throws RedriveError `job_not_found`: retention has deleted the letter before its hook ran.
 */
export async function letterOfHook(
  { payload }: Pick<JobSpec, 'payload'>,
  store: Pick<FullStore, 'job' | 'earlierPayloads'>,
): Promise<DeadLetterEnvelope> {
  const { dead_letter: id, generation } = referenceIn(payload);
  const job = await store.job(id);
  if (job === undefined) {
    throw new RedriveError(
      'job_not_found',
      `The dead letter ${id} was deleted before its hook ran`,
      {
        id,
      },
    );
  }
  return deadLetterOf(await asItDied(job, generation, store), { payload: 'full' });
}

function referenceIn(payload: JobSpec['payload']) {
  const read: unknown = payload.kind === 'json' ? JSON.parse(payload.text) : undefined;
  const { dead_letter: id, generation } = Object(read) as Record<string, unknown>;
  if (typeof id === 'string' && typeof generation === 'number') {
    return { dead_letter: id, generation };
  }
  // An operator may have edited it.
  throw new RedriveError(
    'invalid_job',
    'The payload of a hook must be { "dead_letter": id, "generation": number }',
  );
}

/** The job as it was when it died, if it was requeued since: from what is kept of that generation. */
async function asItDied(
  job: Job,
  generation: number,
  store: Pick<FullStore, 'earlierPayloads'>,
): Promise<Job> {
  if (job.account.generation === generation) return job;
  const kept = job.attempts.kept.filter((attempt) => attempt.generation <= generation);
  const last = kept.findLast((attempt) => attempt.generation === generation);
  const own = kept.filter((each) => each.generation === generation && each.rung === undefined);
  const ended = (as: JobAttempt['entry']) => own.filter(({ entry }) => entry === as).length;
  const earlier = await store.earlierPayloads(job.id);
  const open = openAccount();
  return {
    ...job,
    payload: earlier.find((each) => each.generation >= generation)?.payload ?? job.payload,
    attempts: { kept, omitted: job.attempts.omitted },
    account: {
      ...open,
      generation,
      claims: own.length,
      executions: kept.length,
      entries: { ...open.entries, failed: ended('failed'), lease_lost: ended('lease_lost') },
    },
    reason: last?.reason ?? 'ttl_exceeded',
    errorClass: last?.errorClass,
    finishedAtMs: last && last.startedAtMs + last.durationMs,
    fingerprint: undefined,
  };
}
