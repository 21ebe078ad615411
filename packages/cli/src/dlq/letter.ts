import type { Job } from '@redrive/durable';
import { isLetter } from '@redrive/durable/store';
import { noSuchJob } from '../jobs/one-job.ts';
import { CliError } from '../terminal/exit-codes.ts';

/** @throws CliError `no_match` where there is no such letter. */
export function deadJob(job: Job | undefined, id: string): Job {
  if (job === undefined) throw noSuchJob(id);
  if (isLetter(job)) return job;
  const hint = `Look at it with: redrive jobs show ${id}`;
  throw new CliError('no_match', `${id} is not a dead letter: its state is ${job.state}.`, hint);
}
