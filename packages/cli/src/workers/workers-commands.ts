import type { CommandGroup } from '../command/command-spec.ts';

export const WORKERS_COMMANDS: CommandGroup = {
  name: 'workers',
  aliases: ['worker'],
  summary: 'list the processes that work on the jobs of a store',
  commands: [
    {
      name: 'list',
      emergency: true,
      summary: 'list the live workers: handlers, concurrency, running jobs, last seen',
      options: ['--all | include workers that are gone, for a day'],
      pages: true,
      uses: 'store',
      reads: 'metrics',
      rows: 'name, state, running, since, last seen, host, pid, version, handlers, queues',
      details:
        'Every worker, of "redrive start" or inside an application, reports to the store every 10 seconds. A worker whose last report is older than 25 seconds is shown as silent; a worker that has not reported for a minute is gone: it crashed, or cannot reach the store. A worker that stops normally leaves the list at once.',
      examples: ['redrive workers list', 'redrive workers list --all --json'],
      json: `
        workers | list | by name
        workers[].name | text | name of the worker, as in leases; a new one at each start
        workers[].state | "working", "paused", "stopping" or "gone" | paused: all its queues or handlers are paused or stopped by a kill switch; stopping: it starts no more jobs and finishes; gone: no report for a minute
        workers[].host | text | its machine
        workers[].pid | number | its process id there
        workers[].version | text | version of @redrive/durable
        workers[].since | time | time of its first report
        workers[].last_seen_at | time | time of its last report
        workers[].handlers | list of texts | at most 1,000
        workers[].more_handlers | number | handlers that are not listed
        workers[].queues | list of texts or null | it takes only jobs of these; null: of all
        workers[].more_queues | number | queues that are not listed
        workers[].concurrency | number | jobs that it runs at once
        workers[].running | number | jobs that it ran at its last report
      `,
      load: async () => (await import('./worker-view.ts')).runWorkersList,
    },
  ],
};
