import { actionCommand } from '../action/action-command.ts';
import type { CommandGroup, CommandSpec, OptionSpec } from '../command/command-spec.ts';
import { BAD_CONFIG } from '../command/common-options.ts';

const FULL_OPTION = '--full | print payload, result and headers unmasked and uncut';

const ID = { name: '<id>', summary: 'id of the job' };

const PARTIAL = 'some jobs were refused or do not exist';

const STATE_OPTION: OptionSpec = {
  flags: '--state <state>',
  summary: 'only jobs in this state; may be repeated',
  choices: ['scheduled', 'ready', 'parked', 'leased', 'succeeded', 'dead', 'cancelled', 'purged'],
  repeats: true,
};

const ENQUEUE_COMMAND: CommandSpec = {
  name: 'enqueue',
  summary: 'store a job, or one per line of a file',
  args: [{ name: '<handler>', summary: 'the handler that runs the job' }],
  options: [
    { flags: '--payload <json>', summary: 'the payload for the handler', conflicts: ['from'] },
    '--from <file> | one payload per line, as JSON; - is stdin [not with id, unique-key]',
    '--queue <name> | default: default',
    '--run-at <time> | earliest start: a time such as 2027-01-31T08:00:00Z, or +10m from now',
    '--deadline <time> | no attempt starts after this time; written as for --run-at',
    '--priority <n> | -1,000 to 1,000, higher first; default 0',
    '--tenant <name> | the tenant of the job; tenants take turns',
    '--id <text> | an id of yours: as long as the job is kept, it is never run again, and the same command returns it',
    '--unique-key <key> | at most one unfinished job has this key',
    '--unique-for <duration> | the unique key also counts for this time after the job was submitted, at most 366 days: 1h',
    '--on-conflict <what> | if another job has the unique key: return that job (default), refuse, or replace it [one of existing, refuse, replace]',
    '--policy <name> | instead of the policy of the handler',
    '--max-attempts <n> | attempts that count, the first one included, instead of those of its policy',
    '--batch <id> | an open batch, which then counts the job',
    '--limit-key <key> | jobs of the handler with the same key share a limit',
    '--idempotency-key <key> | lets the handler recognise a repeated job; default: the id of the job [not with from]',
    '--correlation-id <id> | the correlation id of the job',
    '--trace-id <id> | the trace that the job belongs to',
    { flags: '--tag <text>', summary: 'may be repeated', repeats: true },
    { flags: '--header <name=value>', summary: 'may be repeated', repeats: true },
    '--runs-elsewhere | allow a handler that neither a live worker nor a job nor the configuration names: another program runs it',
  ],
  acts: true,
  uses: 'store',
  remote: true,
  streams: true,
  details:
    'With exit code 0 all jobs are on disk. A file is read line by line, and committed in batches of 500 jobs. A line that is not a valid payload is reported on stderr with its number; all other lines are enqueued, and the exit code is 5. If the store fails meanwhile, the message names the lines that are stored. An unknown handler is refused, because its jobs would wait for ever; use --runs-elsewhere for a handler that an application registers and no file names. Whole numbers beyond 2^53 are refused, because they would lose digits, and numbers beyond 1.8e308, because they would become null.',
  examples: [
    `redrive jobs enqueue resize --payload '{"image": 7}'`,
    `redrive jobs enqueue resize --payload '{"image": 7}' --id image-7`,
    'redrive jobs enqueue resize --from images.jsonl --json',
  ],
  json: `
    id | text or null | id of the job; null with --dry-run
    handler | text | the handler of the job
    queue | text | its queue
    outcome | "created", "existing", "replaced" or "would_be_created" | existing: this job already has the id or the unique key
    line | number | with --from only: one object per line of output
  `,
  exits: {
    failed: 'the file cannot be read, or none of its lines is a valid payload',
    no_match: 'the handler or the policy is unknown',
    refused: 'the payload is too large',
    partial: 'some lines were not enqueued',
    conflict:
      'the job with the id has another handler or payload; or another job has the unique key, with --on-conflict refuse (or replace, for a job of another handler or tenant)',
  },
  load: async () => (await import('./enqueue.ts')).runEnqueue,
};

export const JOBS_COMMANDS: CommandGroup = {
  name: 'jobs',
  aliases: ['job'],
  summary: 'enqueue, list, show, await, cancel and retry jobs',
  commands: [
    ENQUEUE_COMMAND,
    actionCommand({
      name: 'list',
      action: 'jobs.list',
      options: [
        '--failing [not with after]',
        "--upkeep | also jobs of Redrive's own upkeep, such as sweeps.run and escalation.look",
        STATE_OPTION,
        '--handler <name>',
        '--queue <name>',
        '--tenant <name>',
        '--tag <text>',
        '--batch <id>',
        '--since <time>',
        '--until <time>',
      ],
      pages: true,
      rows: 'id, handler, state, attempts, submitted, next attempt, why',
      details:
        'Purged jobs are listed only with --state purged, and jobs of upkeep only with --upkeep or --handler. A page looks at 20,000 jobs at most: with a rare filter a page can have few jobs or none, and still have a `next` for --after. --failing lists jobs that have failed and are scheduled, running or parked; it looks at the 10,000 jobs of each state that are due first. `redrive status` counts them by cause. `redrive dlq list` lists the jobs that were given up.',
      examples: [
        'redrive jobs list',
        'redrive jobs list --failing',
        'redrive jobs list --state dead --since 2h --json',
      ],
      exits: { failed: BAD_CONFIG },
      render: async () => (await import('./list.ts')).JOB_LIST,
    }),
    actionCommand({
      name: 'show',
      action: 'jobs.show',
      args: [ID],
      options: [FULL_OPTION],
      input: ({ options }) => ({ payload: options.full ? 'full' : 'redacted' }),
      details:
        'Without --full, payload, result and headers are cut, and values that look like secrets are masked.',
      examples: ['redrive jobs show 01a2b3', 'redrive jobs show 01a2b3 --json'],
      exits: { failed: BAD_CONFIG },
      render: async () => (await import('./job-lines.ts')).JOB_SHOW,
    }),
    actionCommand({
      name: 'wait',
      action: 'jobs.wait',
      waits: true,
      args: [ID],
      options: [
        '--timeout <time> | how long to wait, such as 30s; default: without limit',
        FULL_OPTION,
      ],
      input: ({ options }) => ({ payload: options.full || !options.json ? 'full' : 'redacted' }),
      details:
        'Without --json the result goes to stdout as JSON, unmasked; for a job without a result, its final state goes to stderr. With --json it prints the whole job; payload, result and headers are masked and cut, unless --full is given.',
      examples: ['redrive jobs wait 01a2b3 --timeout 30s'],
      exits: {
        failed: 'the job is dead or cancelled',
        timed_out: 'the job did not finish within --timeout',
      },
      render: async () => (await import('./wait.ts')).JOB_WAIT,
    }),
    actionCommand({
      name: 'watch',
      action: 'jobs.watch',
      args: [ID],
      streams: true,
      details:
        'It prints a line now and one for each change, and ends with the job. With --json it prints one object per line. A worker brings progress with its heartbeats, every third of the lease: every 10 s by default.',
      examples: ['redrive jobs watch 01a2b3'],
      exits: { failed: 'the job is dead, cancelled or purged' },
      run: async () => (await import('./watch-job.ts')).runJobWatch,
    }),
    actionCommand({
      name: 'cancel',
      action: 'jobs.cancel',
      emergency: true,
      args: [{ name: '<ids...>', summary: 'ids of the jobs' }],
      examples: ['redrive jobs cancel 01a2b3 --reason duplicate'],
      exits: { partial: PARTIAL },
      render: async () => (await import('./job-acts.ts')).JOB_ACT,
    }),
    actionCommand({
      name: 'retry',
      action: 'jobs.retry',
      args: [{ name: '<ids...>', summary: 'ids of the jobs' }],
      examples: ['redrive jobs retry 01a2b3 --reason fixed'],
      exits: { partial: PARTIAL },
      render: async () => (await import('./job-acts.ts')).JOB_ACT,
    }),
  ],
};
