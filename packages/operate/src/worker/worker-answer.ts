import type { WorkerStatus } from '@redrive/durable';
import { iso, isoTime } from '@redrive/durable/store';
import * as z from 'zod';
import { time } from '../action/scalars.ts';

export const WORKER = z.object({
  name: z.string().describe('name of the worker, as in leases; a new one at each start'),
  state: z
    .enum(['working', 'paused', 'stopping', 'gone'])
    .describe(
      'paused: all its queues or handlers are paused or stopped by a kill switch; stopping: it starts no more jobs and finishes; gone: no report for a minute',
    ),
  host: z.string().describe('its machine'),
  pid: z.number().describe('its process id there'),
  version: z.string().describe('version of @redrive/durable'),
  since: time().nullable().describe('time of its first report; null: not known'),
  last_seen_at: time().nullable().describe('time of its last report; null: not known'),
  handlers: z.array(z.string()).describe('at most 1,000'),
  more_handlers: z.number().describe('handlers that are not listed'),
  queues: z.array(z.string()).nullable().describe('it takes only jobs of these; null: of all'),
  more_queues: z.number().describe('queues that are not listed'),
  concurrency: z.number().describe('jobs that it runs at once'),
  running: z.number().describe('jobs that it ran at its last report'),
  stalled: z
    .array(
      z.object({
        id: z.string().describe('the job'),
        handler: z.string().describe('its handler'),
        since: time().describe('time of its last progress'),
      }),
    )
    .describe('jobs whose attempts make no progress, at most 10, the longest first'),
  more_stalled: z.number().describe('such jobs that are not listed'),
});

export function workerAnswer(worker: WorkerStatus): z.output<typeof WORKER> {
  return {
    name: worker.name,
    state: worker.state,
    host: worker.host,
    pid: worker.pid,
    version: worker.version,
    since: isoTime(worker.sinceMs),
    last_seen_at: isoTime(worker.seenAtMs),
    handlers: [...worker.handlers],
    more_handlers: worker.moreHandlers,
    queues: worker.queues === undefined ? null : [...worker.queues],
    more_queues: worker.moreQueues,
    concurrency: worker.concurrency,
    running: worker.running,
    stalled: worker.stalled.map(({ id, handler, sinceMs }) => {
      return { id, handler, since: iso(sinceMs) };
    }),
    more_stalled: worker.moreStalled,
  };
}
