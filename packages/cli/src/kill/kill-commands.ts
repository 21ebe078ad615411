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
  { name: '[name]', summary: 'of the queue, the handler or the tenant' },
];

/** A kill switch, under `at`. */
export const killFields = (at: string): JsonField[] => [
  {
    path: `${at}scope`,
    type: '"all", "queue", "operation" or "tenant"',
    meaning: 'what it stops; operation: a handler',
  },
  { path: `${at}name`, type: 'text or null', meaning: 'whose; null: everything' },
  {
    path: `${at}mode`,
    type: '"finish" or "interrupt"',
    meaning: 'what runs may end, or is given back',
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
      summary: 'start nothing more, in any process, until it is released',
      args: ARGS,
      options: [
        {
          flags: '--mode <mode>',
          summary: 'what runs may finish, or is interrupted and given back; default finish',
          choices: ['finish', 'interrupt'],
        },
        { flags: '--confirm <name>', summary: 'for all: say "all", because it stops everything' },
        REASON_OPTION,
        DRY_RUN_OPTION,
        ...STORE_COMMAND_OPTIONS,
      ],
      details:
        'Every process obeys within a second, also after a restart; a process that cannot read the switch starts nothing. Jobs can still be enqueued, and wait. No attempt is charged. Calls in process make no further attempt if their program passes them killSwitchOf(store). Engaging the switch again only changes its mode.',
      examples: [
        "redrive kill engage queue default --reason 'INC-7: wrong invoices'",
        'redrive kill engage handler resize --mode interrupt',
        'redrive kill engage all --confirm=all --reason INC-7',
      ],
      json: [
        ...killFields(''),
        { path: 'changed', type: 'boolean', meaning: 'false: it was so already, or --dry-run' },
        {
          path: 'running',
          type: 'number or null',
          meaning: 'jobs of it that run; null: not known',
        },
        {
          path: 'waiting',
          type: 'number or null',
          meaning: 'jobs of it that wait; null: not known',
        },
        { path: 'bounded', type: 'boolean', meaning: 'true: counting stopped, and there are more' },
        { path: 'dry_run', type: 'boolean', meaning: 'nothing was done' },
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
      summary: 'let work go on that a kill switch stopped',
      args: ARGS,
      options: [PACE_OPTION, REASON_OPTION, DRY_RUN_OPTION, ...STORE_COMMAND_OPTIONS],
      details:
        'Nothing else releases it. Without --pace all waiting jobs may start at once. With --pace, jobs that were submitted before the release start at a growing pace, and later ones start at once.',
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
        { path: 'name', type: 'text or null', meaning: 'whose; null: everything' },
        { path: 'changed', type: 'boolean', meaning: 'false: it was not engaged, or --dry-run' },
        {
          path: 'released',
          type: 'object or null',
          meaning: 'the switch as it was, as `kill list` prints one',
        },
        { path: 'pace', type: 'number or null', meaning: 'a second at first; null: all at once' },
        { path: 'dry_run', type: 'boolean', meaning: 'nothing was done' },
      ],
      exits: { unreachable: NO_STORE },
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
        { path: 'engaged', type: 'list', meaning: 'by name; empty: none is' },
        ...killFields('engaged[].'),
        NEXT_FIELD,
      ],
      exits: { unreachable: NO_STORE },
      load: async () => (await import('./list.ts')).runKillList,
    },
  ],
};
