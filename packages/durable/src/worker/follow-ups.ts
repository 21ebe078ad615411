import { RedriveError } from '@redrive/core';
import type { FollowUp, JobContext } from '../handler/job-context.ts';
import type { Enqueuer } from '../jobs/enqueuer.ts';
import type { EnqueueManyOptions, EnqueueOptions } from '../jobs/jobs.ts';
import { checkJobCount, checkTotalBytes, payloadBytes } from '../jobs/payload.ts';
import type { EnqueueCommand } from '../store/commands.ts';

/** The jobs that one attempt enqueues. They are stored with its settlement, if it succeeds. */
export class FollowUps {
  commands: EnqueueCommand[] = [];
  #bytes = 0;
  readonly #context: JobContext;
  readonly #enqueuer: Pick<Enqueuer, 'prepare' | 'prepareMany'>;
  readonly #hasEnded: () => boolean;

  constructor(
    context: JobContext,
    enqueuer: Pick<Enqueuer, 'prepare' | 'prepareMany'>,
    hasEnded: () => boolean,
  ) {
    this.#context = context;
    this.#enqueuer = enqueuer;
    this.#hasEnded = hasEnded;
  }

  readonly enqueue: JobContext['enqueue'] = (handler, payload, options) => {
    const given = { ...this.#inherited(), ...options };
    const [added] = this.#add([this.#enqueuer.prepare(handler, payload, given)]);
    return added as FollowUp; // One of each command.
  };

  readonly enqueueMany: JobContext['enqueueMany'] = (handler, payloads, options) => {
    const inherited = this.#inherited();
    const own = options as EnqueueManyOptions<unknown> | undefined; // Called with the payloads of this call.
    const given: EnqueueManyOptions<unknown> =
      typeof own === 'function'
        ? (payload, index) => {
            const each: unknown = own(payload, index);
            // A promise is refused where all options are checked.
            return (each instanceof Promise ? each : { ...inherited, ...Object(each) }) as object;
          }
        : { ...inherited, ...own };
    return this.#add(this.#enqueuer.prepareMany(handler, payloads, given));
  };

  #inherited(): EnqueueOptions {
    const { tenant, correlationId, traceId } = this.#context;
    return { tenant, correlationId, ...(traceId !== undefined && { traceId }) };
  }

  #add(prepared: readonly EnqueueCommand[]): readonly FollowUp[] {
    const { jobId } = this.#context;
    if (this.#hasEnded()) {
      throw new RedriveError(
        'invalid_job',
        `The attempt of job ${jobId} has ended, so nothing can be enqueued with it. Call context.enqueue before the handler returns`,
        { id: jobId },
      );
    }
    const added = prepared.map((command) => ({
      ...command,
      job: { ...command.job, parentId: jobId },
    }));
    const all = [...this.commands, ...added];
    checkJobCount('An attempt', all, 'jobs');
    const bytes = added.reduce((sum, { job }) => sum + payloadBytes(job.payload), this.#bytes);
    checkTotalBytes('an attempt', bytes, all.length);
    this.commands = all;
    this.#bytes = bytes;
    return added.map(({ job: { id, handler } }) => ({ id, handler }));
  }
}
