import type { CommandSpec } from '../command/command-spec.ts';
import {
  CONFIG_OPTION,
  DRY_RUN_OPTION,
  JSON_OPTION,
  REASON_OPTION,
  STORE_OPTION,
  VERBOSE_OPTION,
} from '../command/common-options.ts';
import { NO_STORE } from '../status/status-command.ts';

/** `redrive jobs enqueue` */
export const ENQUEUE_COMMAND: CommandSpec = {
  name: 'enqueue',
  summary: 'store a job, or one per line of a file',
  args: [{ name: '<handler>', summary: 'what is to run for it' }],
  options: [
    { flags: '--payload <json>', summary: 'what the handler gets', conflicts: ['from'] },
    {
      flags: '--from <file>',
      summary: 'one payload per line, as JSON; - is stdin',
      conflicts: ['unique'],
    },
    { flags: '--queue <name>', summary: 'default: default' },
    { flags: '--run-at <time>', summary: 'not before 2027-01-31T08:00:00Z, or +10m from now' },
    { flags: '--deadline <time>', summary: 'no attempt starts after it; as --run-at' },
    { flags: '--priority <n>', summary: '-1,000 to 1,000, higher first; default 0' },
    { flags: '--tenant <name>', summary: 'tenants take turns' },
    { flags: '--unique <key>', summary: 'at most one unfinished job has this key' },
    {
      flags: '--on-conflict <what>',
      summary: 'when one has it: answer with that one (default), refuse, or replace it',
      choices: ['existing', 'refuse', 'replace'],
    },
    { flags: '--policy <name>', summary: "instead of the handler's" },
    { flags: '--limit-key <key>', summary: 'jobs of the handler with it share a limit' },
    {
      flags: '--idempotency-key <key>',
      summary: 'what the handler gets to tell a repeated job by; default: the id of the job',
      conflicts: ['from'],
    },
    { flags: '--correlation-id <id>', summary: 'ties it to what caused it' },
    { flags: '--trace-id <id>', summary: 'ties it to a trace' },
    { flags: '--tag <text>', summary: 'may be repeated', repeats: true },
    { flags: '--header <name=value>', summary: 'may be repeated', repeats: true },
    {
      flags: '--new-handler',
      summary: 'also a handler that neither the configuration nor any job knows',
    },
    REASON_OPTION,
    DRY_RUN_OPTION,
    STORE_OPTION,
    CONFIG_OPTION,
    JSON_OPTION,
    VERBOSE_OPTION,
  ],
  streams: true,
  details:
    'With exit code 0 all jobs are on disk. A file is read line by line, and committed in batches of 500 jobs. A line that is not a valid payload is reported on stderr with its number; all other lines are enqueued, and the exit code is 5. If the store fails meanwhile, the message names the lines that are stored. An unknown handler is refused, because its jobs would wait for ever; use --new-handler for a handler that an application registers and no file names. Whole numbers beyond 2^53 are refused, because they would lose digits, and numbers beyond 1.8e308, because they would become null.',
  examples: [
    `redrive jobs enqueue resize --payload '{"image": 7}'`,
    'redrive jobs enqueue resize --from images.jsonl --json',
  ],
  json: [
    { path: 'id', type: 'text or null', meaning: 'of the job; null with --dry-run' },
    { path: 'handler', type: 'text', meaning: 'what will run' },
    { path: 'queue', type: 'text', meaning: 'its queue' },
    {
      path: 'outcome',
      type: '"created", "existing", "replaced" or "would_be_created"',
      meaning: 'existing: an unfinished job has the unique key, and this is it',
    },
    { path: 'dry_run', type: 'boolean', meaning: 'nothing was done' },
    { path: 'line', type: 'number', meaning: 'with --from only: one object per line of output' },
  ],
  exits: {
    failed: 'no line of the file is a payload, or it cannot be read',
    no_match: 'nobody knows the handler or the policy',
    refused: 'the payload is too large',
    partial: 'some lines were left out',
    conflict: 'another unfinished job has the unique key, with --on-conflict refuse',
    unreachable: NO_STORE,
  },
  load: async () => (await import('./enqueue.ts')).runEnqueue,
};
