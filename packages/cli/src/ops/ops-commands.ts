import type { CommandGroup, CommandSpec, JsonField } from '../command/command-spec.ts';
import {
  AFTER_OPTION,
  DRY_RUN_OPTION,
  LIMIT_OPTION,
  NEXT_FIELD,
  REASON_OPTION,
  STORE_COMMAND_OPTIONS,
} from '../command/common-options.ts';
import { NO_STORE } from '../status/status-command.ts';

const ID = {
  name: '<id>',
  summary: 'of the bulk operation, as the command that began it printed it',
};
const NO_OPERATION = 'there is no bulk operation with that id';

/** An operation, under `at`. */
const operationFields = (at = ''): JsonField[] => [
  { path: `${at}id`, type: 'text', meaning: 'its id' },
  { path: `${at}act`, type: 'text', meaning: 'requeue, cancel, purge, reset or restore' },
  {
    path: `${at}state`,
    type: '"running", "paused", "stopped", "aborted" or "finished"',
    meaning: 'stopped: by its ramp, because too many came back',
  },
  { path: `${at}by`, type: 'text', meaning: 'who began it, or last said something about it' },
  { path: `${at}why`, type: 'text or null', meaning: 'the reason that was given' },
  { path: `${at}started_at`, type: 'time', meaning: 'ISO 8601' },
  { path: `${at}updated_at`, type: 'time', meaning: 'of its newest step' },
  { path: `${at}done`, type: 'number', meaning: 'jobs that were acted on' },
  { path: `${at}refused`, type: 'number', meaning: 'jobs that refused it' },
  { path: `${at}total`, type: 'number or null', meaning: 'jobs that it is about; null: not known' },
  { path: `${at}total_bounded`, type: 'boolean', meaning: 'true: there are more than `total`' },
  { path: `${at}in_flight`, type: 'number', meaning: 'sent back, and not at their end' },
  { path: `${at}succeeded`, type: 'number', meaning: 'of those that were followed' },
  { path: `${at}came_back`, type: 'number', meaning: 'of those that were followed: failed again' },
  { path: `${at}held`, type: 'number', meaning: 'of those: wait until the ramp is decided' },
  { path: `${at}rate`, type: 'number or null', meaning: 'a second at most; null: no limit' },
  { path: `${at}max_in_flight`, type: 'number or null', meaning: 'null: no limit' },
  {
    path: `${at}ramp`,
    type: 'object or null',
    meaning:
      '`stages`, `stop_share`, and of the stage under way `stage` (from 1), `sent`, `succeeded`, `came_back`',
  },
  {
    path: `${at}in_background`,
    type: 'boolean',
    meaning:
      'workers carry it out, or did so; false: only the process that began it, or it is long over',
  },
  {
    path: `${at}runner`,
    type: 'text or null',
    meaning: 'the process that carries it out; null: none just now',
  },
  { path: `${at}time_left`, type: 'number or null', meaning: 'seconds, as it goes now' },
];

const ACT: Pick<CommandSpec, 'args' | 'options' | 'json' | 'exits'> = {
  args: [ID],
  options: [REASON_OPTION, DRY_RUN_OPTION, ...STORE_COMMAND_OPTIONS],
  json: [
    ...operationFields(),
    {
      path: 'dry_run',
      type: 'boolean',
      meaning: 'true: nothing was done, and this is how it would be',
    },
  ],
  exits: {
    no_match: NO_OPERATION,
    conflict: 'the state of the bulk operation does not allow it',
    unreachable: NO_STORE,
  },
};

/** `redrive ops …` */
export const OPS_COMMANDS: CommandGroup = {
  name: 'ops',
  aliases: ['op'],
  summary: 'list bulk operations, pause them, change their rate, abort them',
  commands: [
    {
      name: 'list',
      summary: 'list bulk operations, the newest first',
      options: [LIMIT_OPTION, AFTER_OPTION, REASON_OPTION, ...STORE_COMMAND_OPTIONS],
      reads: 'metrics',
      rows: ['id', 'act', 'state', 'begun', 'done', 'came back', 'why'],
      details: 'Finished ones are kept for 30 days.',
      examples: ['redrive ops list', 'redrive ops list --json'],
      json: [
        { path: 'operations', type: 'list', meaning: 'newest first' },
        ...operationFields('operations[].'),
        NEXT_FIELD,
      ],
      exits: { unreachable: NO_STORE },
      load: async () => (await import('./list.ts')).runOpsList,
    },
    {
      name: 'show',
      summary: 'print a bulk operation: what it does to what, how far it is, what came back',
      args: [ID],
      options: [REASON_OPTION, ...STORE_COMMAND_OPTIONS],
      reads: 'metrics',
      examples: ['redrive ops show incident-7'],
      json: [
        ...operationFields(),
        { path: 'request', type: 'object', meaning: 'what is to be done to what, as it is kept' },
      ],
      exits: { no_match: NO_OPERATION, unreachable: NO_STORE },
      load: async () => (await import('./show.ts')).runOpsShow,
    },
    {
      name: 'watch',
      summary: 'follow a bulk operation to its end',
      args: [ID],
      options: [
        { flags: '--timeout <time>', summary: 'at most so long, such as 30s; default: for ever' },
        REASON_OPTION,
        ...STORE_COMMAND_OPTIONS,
      ],
      reads: 'metrics',
      streams: true,
      details:
        'It shows progress, rate, the time that is left and the share that came back. It ends when the operation is finished, aborted, or stopped by its ramp; while it is paused, it waits. Ctrl-C ends only the watching. With --json it prints a line per look.',
      examples: ['redrive ops watch incident-7'],
      json: operationFields(),
      exits: {
        no_match: NO_OPERATION,
        partial: 'the operation was stopped by its ramp, or aborted',
        unreachable: NO_STORE,
        timed_out: 'the operation has not ended in time',
        interrupted: 'stopped by Ctrl-C; the operation goes on',
      },
      load: async () => (await import('./watch.ts')).runOpsWatch,
    },
    {
      name: 'pause',
      summary: 'act on nothing more until it is resumed',
      details: 'What was sent back already goes on.',
      ...ACT,
      examples: ['redrive ops pause incident-7'],
      load: async () => (await import('./act.ts')).runOpsPause,
    },
    {
      name: 'resume',
      summary: 'go on with a bulk operation that is paused or was stopped by its ramp',
      details:
        'One that was stopped begins its ramp again at the first stage, with those that came back. It is carried out wherever "redrive start" runs.',
      ...ACT,
      examples: ['redrive ops resume incident-7 --reason fixed'],
      load: async () => (await import('./act.ts')).runOpsResume,
    },
    {
      name: 'set-rate',
      summary: 'change how many jobs a second a bulk operation acts on at most',
      ...ACT,
      args: [ID, { name: '<rate>', summary: 'such as 50/s; none: as fast as it goes' }],
      examples: ['redrive ops set-rate incident-7 200/s'],
      load: async () => (await import('./act.ts')).runOpsSetRate,
    },
    {
      name: 'abort',
      summary: 'end a bulk operation for good; what was done stays done',
      ...ACT,
      examples: ['redrive ops abort incident-7 --reason wrong'],
      load: async () => (await import('./act.ts')).runOpsAbort,
    },
  ],
};
