import type { Job } from '../job/job.ts';

/** What kill switches and pauses look at. */
export type Stoppable = Pick<Job, 'queue' | 'handler' | 'tenant'>;

/** The keys of the kill switches that cover a job. */
export function killKeysOf({ queue, handler, tenant }: Stoppable): readonly string[] {
  return ['all', `queue:${queue}`, `operation:${handler}`, `tenant:${tenant}`];
}
