import type { FullStore, Job } from '@redrive/durable';
import type { ShownValues } from '@redrive/durable/store';
import { atLeast } from '@redrive/operate/manifest';
import type { Who } from '../access/who.ts';
import { forbidden, notFound } from '../problem.ts';

/** The job, unless it is another tenant's: then it does not exist. @throws Problem 404 */
export async function ownJob(store: FullStore, jobId: string, who: Who): Promise<Job> {
  const job = await store.job(jobId);
  if (job === undefined || (who.tenant !== undefined && job.tenant !== who.tenant)) {
    throw notFound(`job with the id ${jobId}`);
  }
  return job;
}

/** @throws Problem 403 for a payload in full, which is for admins. */
export function valuesFor(who: Who, wanted: ShownValues): ShownValues {
  if (wanted === 'full' && !atLeast(who, 'admin')) {
    throw forbidden('Payloads in full are for the role admin.');
  }
  return wanted;
}
