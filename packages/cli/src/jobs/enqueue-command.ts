import type { CommandSpec } from '../command/command-spec.ts';

export const ENQUEUE_COMMAND: CommandSpec = {
  name: 'enqueue',
  summary: 'store a job, or one per line of a file',
  args: [{ name: '<handler>', summary: 'the handler that runs the job' }],
  options: [
    { flags: '--payload <json>', summary: 'the payload for the handler', conflicts: ['from'] },
    '--from <file> | one payload per line, as JSON; - is stdin [not with unique]',
    '--queue <name> | default: default',
    '--run-at <time> | earliest start: a time such as 2027-01-31T08:00:00Z, or +10m from now',
    '--deadline <time> | no attempt starts after this time; written as for --run-at',
    '--priority <n> | -1,000 to 1,000, higher first; default 0',
    '--tenant <name> | the tenant of the job; tenants take turns',
    '--unique <key> | at most one unfinished job has this key',
    '--on-conflict <what> | if an unfinished job has the key: return that job (default), refuse, or replace it [one of existing, refuse, replace]',
    '--policy <name> | instead of the policy of the handler',
    '--limit-key <key> | jobs of the handler with the same key share a limit',
    '--idempotency-key <key> | lets the handler recognise a repeated job; default: the id of the job [not with from]',
    '--correlation-id <id> | the correlation id of the job',
    '--trace-id <id> | the trace that the job belongs to',
    { flags: '--tag <text>', summary: 'may be repeated', repeats: true },
    { flags: '--header <name=value>', summary: 'may be repeated', repeats: true },
    '--new-handler | allow a handler that is not in the configuration and has no jobs yet',
  ],
  acts: true,
  uses: 'store',
  streams: true,
  details:
    'With exit code 0 all jobs are on disk. A file is read line by line, and committed in batches of 500 jobs. A line that is not a valid payload is reported on stderr with its number; all other lines are enqueued, and the exit code is 5. If the store fails meanwhile, the message names the lines that are stored. An unknown handler is refused, because its jobs would wait for ever; use --new-handler for a handler that an application registers and no file names. Whole numbers beyond 2^53 are refused, because they would lose digits, and numbers beyond 1.8e308, because they would become null.',
  examples: [
    `redrive jobs enqueue resize --payload '{"image": 7}'`,
    'redrive jobs enqueue resize --from images.jsonl --json',
  ],
  json: `
    id | text or null | id of the job; null with --dry-run
    handler | text | the handler of the job
    queue | text | its queue
    outcome | "created", "existing", "replaced" or "would_be_created" | existing: this unfinished job already has the unique key
    dry_run | boolean | true: nothing was changed
    line | number | with --from only: one object per line of output
  `,
  exits: {
    failed: 'the file cannot be read, or none of its lines is a valid payload',
    no_match: 'the handler or the policy is unknown',
    refused: 'the payload is too large',
    partial: 'some lines were not enqueued',
    conflict:
      'another unfinished job has the unique key, with --on-conflict refuse (or replace, for a job of another handler)',
  },
  load: async () => (await import('./enqueue.ts')).runEnqueue,
};
