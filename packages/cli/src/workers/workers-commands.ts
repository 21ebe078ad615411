import type { CommandGroup } from '../command/command-spec.ts';
import {
  AFTER_OPTION,
  LIMIT_OPTION,
  NEXT_FIELD,
  REASON_OPTION,
  STORE_COMMAND_OPTIONS,
} from '../command/common-options.ts';
import { NO_STORE } from '../status/status-command.ts';

/** `redrive workers …` */
export const WORKERS_COMMANDS: CommandGroup = {
  name: 'workers',
  aliases: ['worker'],
  summary: 'list the processes that work on the jobs of a store',
  commands: [
    {
      name: 'list',
      emergency: true,
      summary: 'list the live workers: handlers, concurrency, running jobs, last seen',
      options: [
        { flags: '--all', summary: 'include workers that are gone, for a day' },
        LIMIT_OPTION,
        AFTER_OPTION,
        REASON_OPTION,
        ...STORE_COMMAND_OPTIONS,
      ],
      reads: 'metrics',
      rows: [
        'name',
        'state',
        'running',
        'since',
        'last seen',
        'host',
        'pid',
        'version',
        'handlers',
        'queues',
      ],
      details:
        'Every worker, of "redrive start" or inside an application, reports to the store every 10 seconds. A worker whose last report is older than 25 seconds is shown as silent; a worker that has not reported for a minute is gone: it crashed, or cannot reach the store. A worker that stops normally leaves the list at once.',
      examples: ['redrive workers list', 'redrive workers list --all --json'],
      json: [
        { path: 'workers', type: 'list', meaning: 'by name' },
        {
          path: 'workers[].name',
          type: 'text',
          meaning: 'name of the worker, as in leases; a new one at each start',
        },
        {
          path: 'workers[].state',
          type: '"working", "paused", "stopping" or "gone"',
          meaning:
            'paused: all its queues or handlers are paused or stopped by a kill switch; stopping: it starts no more jobs and finishes; gone: no report for a minute',
        },
        { path: 'workers[].host', type: 'text', meaning: 'its machine' },
        { path: 'workers[].pid', type: 'number', meaning: 'its process id there' },
        { path: 'workers[].version', type: 'text', meaning: 'version of @redrive/durable' },
        { path: 'workers[].since', type: 'time', meaning: 'time of its first report' },
        { path: 'workers[].last_seen_at', type: 'time', meaning: 'time of its last report' },
        { path: 'workers[].handlers', type: 'list of texts', meaning: 'at most 1,000' },
        {
          path: 'workers[].more_handlers',
          type: 'number',
          meaning: 'handlers that are not listed',
        },
        {
          path: 'workers[].queues',
          type: 'list of texts or null',
          meaning: 'it takes only jobs of these; null: of all',
        },
        { path: 'workers[].more_queues', type: 'number', meaning: 'queues that are not listed' },
        { path: 'workers[].concurrency', type: 'number', meaning: 'jobs that it runs at once' },
        {
          path: 'workers[].running',
          type: 'number',
          meaning: 'jobs that it ran at its last report',
        },
        NEXT_FIELD,
      ],
      exits: { unreachable: NO_STORE },
      load: async () => (await import('./list.ts')).runWorkersList,
    },
  ],
};
