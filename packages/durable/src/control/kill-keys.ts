import type { Job } from '../job/job.ts';

/** The fields of a job that kill switches and pauses match. */
export type Stoppable = Pick<Job, 'queue' | 'handler' | 'tenant'>;

/** The keys of the kill switches that cover a job. */
export function killKeysOf({ queue, handler, tenant }: Stoppable): readonly string[] {
  return ['all', `queue:${queue}`, `operation:${handler}`, `tenant:${tenant}`];
}
