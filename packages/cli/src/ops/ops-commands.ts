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
  summary: 'id of the bulk operation, printed by the command that started it',
};
const NO_OPERATION = 'there is no bulk operation with that id';

/** An operation, under `at`. */
const operationFields = (at = ''): JsonField[] => [
  { path: `${at}id`, type: 'text', meaning: 'its id' },
  { path: `${at}act`, type: 'text', meaning: 'requeue, cancel, purge, reset or restore' },
  {
    path: `${at}state`,
    type: '"running", "paused", "stopped", "aborted" or "finished"',
    meaning: 'stopped: by its ramp, because too many jobs failed again',
  },
  { path: `${at}by`, type: 'text', meaning: 'the operator who started it, or changed it last' },
  { path: `${at}why`, type: 'text or null', meaning: 'the reason that was given' },
  { path: `${at}started_at`, type: 'time', meaning: 'ISO 8601' },
  { path: `${at}updated_at`, type: 'time', meaning: 'time of its newest step' },
  { path: `${at}done`, type: 'number', meaning: 'jobs that were changed' },
  { path: `${at}refused`, type: 'number', meaning: 'jobs whose state did not allow it' },
  { path: `${at}total`, type: 'number or null', meaning: 'jobs in all; null: not known' },
  { path: `${at}total_bounded`, type: 'boolean', meaning: 'true: there are more than `total`' },
  {
    path: `${at}in_flight`,
    type: 'number',
    meaning: 'jobs that were requeued and have no result yet',
  },
  { path: `${at}succeeded`, type: 'number', meaning: 'requeued jobs that succeeded' },
  { path: `${at}came_back`, type: 'number', meaning: 'requeued jobs that failed again' },
  {
    path: `${at}held`,
    type: 'number',
    meaning: 'jobs that failed again and stay parked until the ramp stage has its result',
  },
  { path: `${at}rate`, type: 'number or null', meaning: 'jobs per second at most; null: no limit' },
  { path: `${at}max_in_flight`, type: 'number or null', meaning: 'null: no limit' },
  {
    path: `${at}ramp`,
    type: 'object or null',
    meaning:
      '`stages`, `stop_share`, and for the current stage `stage` (from 1), `sent`, `succeeded`, `came_back` (failed again)',
  },
  {
    path: `${at}in_background`,
    type: 'boolean',
    meaning:
      'true: workers carry it out, or did; false: only the process that started it does, or it finished long ago',
  },
  {
    path: `${at}runner`,
    type: 'text or null',
    meaning: 'the process that carries it out; null: none at the moment',
  },
  {
    path: `${at}time_left`,
    type: 'number or null',
    meaning: 'estimated seconds at the current rate',
  },
];

const ACT: Pick<CommandSpec, 'args' | 'options' | 'json' | 'exits'> = {
  args: [ID],
  options: [REASON_OPTION, DRY_RUN_OPTION, ...STORE_COMMAND_OPTIONS],
  json: [
    ...operationFields(),
    {
      path: 'dry_run',
      type: 'boolean',
      meaning: 'true: nothing was changed, and the fields show the result as it would be',
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
      rows: ['id', 'act', 'state', 'begun', 'done', 'failed again', 'why'],
      details: 'A finished bulk operation is kept for 30 days.',
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
      summary: 'print a bulk operation: its request, its progress, and the jobs that failed again',
      args: [ID],
      options: [REASON_OPTION, ...STORE_COMMAND_OPTIONS],
      reads: 'metrics',
      examples: ['redrive ops show incident-7'],
      json: [
        ...operationFields(),
        { path: 'request', type: 'object', meaning: 'the stored request: the act and its target' },
      ],
      exits: { no_match: NO_OPERATION, unreachable: NO_STORE },
      load: async () => (await import('./show.ts')).runOpsShow,
    },
    {
      name: 'watch',
      summary: 'follow a bulk operation until it is finished',
      args: [ID],
      options: [
        {
          flags: '--timeout <time>',
          summary: 'how long to wait, such as 30s; default: without limit',
        },
        REASON_OPTION,
        ...STORE_COMMAND_OPTIONS,
      ],
      reads: 'metrics',
      streams: true,
      details:
        'It shows progress, rate, estimated time left and the share of jobs that failed again. It exits when the bulk operation is finished, aborted, or stopped by its ramp; while it is paused, it waits. Ctrl-C stops only the watching. With --json it prints one line per update.',
      examples: ['redrive ops watch incident-7'],
      json: operationFields(),
      exits: {
        no_match: NO_OPERATION,
        partial: 'the bulk operation was stopped by its ramp, or aborted',
        unreachable: NO_STORE,
        timed_out: 'the bulk operation did not finish within --timeout',
        interrupted: 'stopped by Ctrl-C; the bulk operation continues',
      },
      load: async () => (await import('./watch.ts')).runOpsWatch,
    },
    {
      name: 'pause',
      summary: 'pause a bulk operation until it is resumed',
      details: 'Jobs that are requeued already run as usual.',
      ...ACT,
      examples: ['redrive ops pause incident-7'],
      load: async () => (await import('./act.ts')).runOpsPause,
    },
    {
      name: 'resume',
      summary: 'resume a bulk operation that is paused or was stopped by its ramp',
      details:
        'After a stop by its ramp it begins again at the first stage, and includes the jobs that failed again. Any running "redrive start" carries it out.',
      ...ACT,
      examples: ['redrive ops resume incident-7 --reason fixed'],
      load: async () => (await import('./act.ts')).runOpsResume,
    },
    {
      name: 'set-rate',
      summary: 'change the rate of a bulk operation: jobs per second at most',
      ...ACT,
      args: [ID, { name: '<rate>', summary: 'such as 50/s; none: no limit' }],
      examples: ['redrive ops set-rate incident-7 200/s'],
      load: async () => (await import('./act.ts')).runOpsSetRate,
    },
    {
      name: 'abort',
      summary: 'abort a bulk operation for good; finished changes stay',
      ...ACT,
      examples: ['redrive ops abort incident-7 --reason wrong'],
      load: async () => (await import('./act.ts')).runOpsAbort,
    },
  ],
};
