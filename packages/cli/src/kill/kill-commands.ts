import type { CommandGroup, CommandSpec } from '../command/command-spec.ts';
import { PACE_OPTION } from '../command/common-options.ts';
import { under } from '../command/json-fields.ts';

const ARGS: CommandSpec['args'] = [
  {
    name: '<scope>',
    summary: 'all, queue, handler or tenant',
    choices: ['all', 'queue', 'handler', 'tenant'],
  },
  { name: '[name]', summary: 'name of the queue, the handler or the tenant' },
];

/** A kill switch, under `at`. */
const KILL_FIELDS = `
  scope | "all", "queue", "operation" or "tenant" | what it stops; operation: a handler
  name | text or null | name of the queue, handler or tenant; null: everything
  mode | "finish" or "interrupt" | finish: running jobs may finish; interrupt: they are interrupted and released
  since | time | ISO 8601
  by | text | who engaged it
  why | text or null | the reason that was given
`;

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
        '--mode <mode> | finish: running jobs may finish; interrupt: they are interrupted and released; default finish [one of finish, interrupt]',
        '--confirm <name> | the confirmation for the scope all: --confirm=all, because it stops everything',
      ],
      acts: true,
      uses: 'store',
      details:
        'It applies in every process within a second, also after a restart; a process that cannot read the switch starts no job. Jobs can still be enqueued, and wait. No attempt is charged. A call in process makes no further attempt if its program passes it killSwitchOf(store). If the switch is already engaged, only its mode changes. A store that does not exist is created, and the output says so.',
      examples: [
        "redrive kill engage queue default --reason 'INC-7: wrong invoices'",
        'redrive kill engage handler resize --mode interrupt',
        'redrive kill engage all --confirm=all --reason INC-7',
      ],
      json: `
        ${KILL_FIELDS}
        changed | boolean | false: it was in that state already, or --dry-run
        running | number or null | running jobs that it stops; null: not known
        waiting | number or null | waiting jobs that it stops; null: not known
        bounded | boolean | true: counting stopped, and there are more
        store | text | URL of the store, without credentials
        created | boolean | true: the store did not exist and was created, or with --dry-run would be
      `,
      exits: {
        refused: 'it would stop everything, and --confirm=all is missing',
      },
      load: async () => (await import('./engage.ts')).runKillEngage,
    },
    {
      name: 'release',
      emergency: true,
      summary: 'release a kill switch: its jobs may start again',
      args: ARGS,
      options: [PACE_OPTION],
      acts: true,
      uses: 'store',
      details:
        'A kill switch stays engaged until this command releases it. Without --pace all waiting jobs may start at once. With --pace, jobs that were submitted before the release start at a growing pace, and later ones start at once.',
      examples: [
        'redrive kill release queue default',
        'redrive kill release all --pace 5/s --reason fixed',
      ],
      json: `
        scope | "all", "queue", "operation" or "tenant" | what it stopped; operation: a handler
        name | text or null | name of the queue, handler or tenant; null: everything
        changed | boolean | false: --dry-run
        released | object | the switch as it was, as \`kill list\` prints one
        pace | number or null | jobs per second at first; null: all at once
      `,
      exits: {
        no_match: 'this switch is not engaged; nothing was changed',
      },
      load: async () => (await import('./kill-switches.ts')).runKillRelease,
    },
    {
      name: 'list',
      emergency: true,
      aliases: ['status'],
      summary: 'list the kill switches that are engaged',
      uses: 'store',
      reads: 'metrics',
      rows: 'scope, name, since, by, mode, why',
      examples: ['redrive kill list', 'redrive kill list --json'],
      json: `
        engaged | list | by name; empty: none is engaged
        ${under('engaged[].', KILL_FIELDS)}
      `,
      load: async () => (await import('./kill-switches.ts')).runKillList,
    },
  ],
};
