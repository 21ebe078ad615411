import type { WorkerStatus } from '../live-workers/list-workers.ts';
import { isoTime } from './times.ts';

/** As JSON prints it. */
export function workerJson(worker: WorkerStatus) {
  return {
    name: worker.name,
    state: worker.state,
    host: worker.host,
    pid: worker.pid,
    version: worker.version,
    since: isoTime(worker.sinceMs),
    last_seen_at: isoTime(worker.seenAtMs),
    handlers: worker.handlers,
    more_handlers: worker.moreHandlers,
    queues: worker.queues ?? null,
    more_queues: worker.moreQueues,
    concurrency: worker.concurrency,
    running: worker.running,
  };
}
