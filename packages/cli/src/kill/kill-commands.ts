import type { CommandGroup, CommandSpec, JsonField } from '../command/command-spec.ts';
import {
  DRY_RUN_OPTION,
  NEXT_FIELD,
  PACE_OPTION,
  REASON_OPTION,
  STORE_COMMAND_OPTIONS,
} from '../command/common-options.ts';
import { NO_STORE } from '../status/status-command.ts';

const ARGS: CommandSpec['args'] = [
  {
    name: '<scope>',
    summary: 'all, queue, handler or tenant',
    choices: ['all', 'queue', 'handler', 'tenant'],
  },
  { name: '[name]', summary: 'name of the queue, the handler or the tenant' },
];

/** A kill switch, under `at`. */
export const killFields = (at: string): JsonField[] => [
  {
    path: `${at}scope`,
    type: '"all", "queue", "operation" or "tenant"',
    meaning: 'what it stops; operation: a handler',
  },
  {
    path: `${at}name`,
    type: 'text or null',
    meaning: 'name of the queue, handler or tenant; null: everything',
  },
  {
    path: `${at}mode`,
    type: '"finish" or "interrupt"',
    meaning: 'finish: running jobs may finish; interrupt: they are interrupted and released',
  },
  { path: `${at}since`, type: 'time', meaning: 'ISO 8601' },
  { path: `${at}by`, type: 'text', meaning: 'who engaged it' },
  { path: `${at}why`, type: 'text or null', meaning: 'the reason that was given' },
];

/** `redrive kill …` */
export const KILL_COMMANDS: CommandGroup = {
  name: 'kill',
  summary: 'stop all work, or that of a queue, a handler or a tenant, until somebody releases it',
  commands: [
    {
      name: 'engage',
      emergency: true,
      summary: 'engage a kill switch: no process starts a job until it is released',
      args: ARGS,
      options: [
        {
          flags: '--mode <mode>',
          summary:
            'finish: running jobs may finish; interrupt: they are interrupted and released; default finish',
          choices: ['finish', 'interrupt'],
        },
        {
          flags: '--confirm <name>',
          summary: 'the confirmation for the scope all: --confirm=all, because it stops everything',
        },
        REASON_OPTION,
        DRY_RUN_OPTION,
        ...STORE_COMMAND_OPTIONS,
      ],
      details:
        'It applies in every process within a second, also after a restart; a process that cannot read the switch starts no job. Jobs can still be enqueued, and wait. No attempt is charged. A call in process makes no further attempt if its program passes it killSwitchOf(store). If the switch is already engaged, only its mode changes. A store that does not exist is created, and the output says so.',
      examples: [
        "redrive kill engage queue default --reason 'INC-7: wrong invoices'",
        'redrive kill engage handler resize --mode interrupt',
        'redrive kill engage all --confirm=all --reason INC-7',
      ],
      json: [
        ...killFields(''),
        {
          path: 'changed',
          type: 'boolean',
          meaning: 'false: it was in that state already, or --dry-run',
        },
        {
          path: 'running',
          type: 'number or null',
          meaning: 'running jobs that it stops; null: not known',
        },
        {
          path: 'waiting',
          type: 'number or null',
          meaning: 'waiting jobs that it stops; null: not known',
        },
        { path: 'bounded', type: 'boolean', meaning: 'true: counting stopped, and there are more' },
        { path: 'store', type: 'text', meaning: 'URL of the store, without credentials' },
        {
          path: 'created',
          type: 'boolean',
          meaning: 'true: the store did not exist and was created, or with --dry-run would be',
        },
        { path: 'dry_run', type: 'boolean', meaning: 'true: nothing was changed' },
      ],
      exits: {
        refused: 'it would stop everything, and --confirm=all is missing',
        unreachable: NO_STORE,
      },
      load: async () => (await import('./engage.ts')).runKillEngage,
    },
    {
      name: 'release',
      emergency: true,
      summary: 'release a kill switch: its jobs may start again',
      args: ARGS,
      options: [PACE_OPTION, REASON_OPTION, DRY_RUN_OPTION, ...STORE_COMMAND_OPTIONS],
      details:
        'A kill switch stays engaged until this command releases it. Without --pace all waiting jobs may start at once. With --pace, jobs that were submitted before the release start at a growing pace, and later ones start at once.',
      examples: [
        'redrive kill release queue default',
        'redrive kill release all --pace 5/s --reason fixed',
      ],
      json: [
        {
          path: 'scope',
          type: '"all", "queue", "operation" or "tenant"',
          meaning: 'what it stopped; operation: a handler',
        },
        {
          path: 'name',
          type: 'text or null',
          meaning: 'name of the queue, handler or tenant; null: everything',
        },
        { path: 'changed', type: 'boolean', meaning: 'false: --dry-run' },
        {
          path: 'released',
          type: 'object',
          meaning: 'the switch as it was, as `kill list` prints one',
        },
        {
          path: 'pace',
          type: 'number or null',
          meaning: 'jobs per second at first; null: all at once',
        },
        { path: 'dry_run', type: 'boolean', meaning: 'true: nothing was changed' },
      ],
      exits: {
        no_match: 'this switch is not engaged; nothing was changed',
        unreachable: NO_STORE,
      },
      load: async () => (await import('./release.ts')).runKillRelease,
    },
    {
      name: 'list',
      emergency: true,
      aliases: ['status'],
      summary: 'list the kill switches that are engaged',
      options: [REASON_OPTION, ...STORE_COMMAND_OPTIONS],
      reads: 'metrics',
      rows: ['scope', 'name', 'since', 'by', 'mode', 'why'],
      examples: ['redrive kill list', 'redrive kill list --json'],
      json: [
        { path: 'engaged', type: 'list', meaning: 'by name; empty: none is engaged' },
        ...killFields('engaged[].'),
        NEXT_FIELD,
      ],
      exits: { unreachable: NO_STORE },
      load: async () => (await import('./list.ts')).runKillList,
    },
  ],
};
