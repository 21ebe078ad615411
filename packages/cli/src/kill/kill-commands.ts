import { actionCommand } from '../action/action-command.ts';
import type { Sugar } from '../action/sugar.ts';
import type { CommandGroup } from '../command/command-spec.ts';
import { PACE_OPTION } from '../command/common-options.ts';

const ARGS: Sugar['args'] = [
  {
    name: '<scope>',
    summary: 'all, queue, handler or tenant',
    choices: ['all', 'queue', 'handler', 'tenant'],
  },
  { name: '[name]', summary: 'name of the queue, the handler or the tenant' },
];

export const KILL_COMMANDS: CommandGroup = {
  name: 'kill',
  summary: 'stop all work, or that of a queue, a handler or a tenant, until somebody releases it',
  commands: [
    actionCommand({
      name: 'engage',
      action: 'kill.engage',
      emergency: true,
      creates: true,
      args: ARGS,
      options: ['--mode <mode>', '--confirm <name>'],
      details:
        'It applies in every process within a second, also after a restart; a process that cannot read the switch starts no job. Jobs can still be enqueued, and wait. No attempt is charged. A call in process makes no further attempt if its program passes it killSwitchOf(store). If the switch is already engaged, only its mode changes. A store that does not exist is created, and the output says so.',
      examples: [
        "redrive kill engage queue default --reason 'INC-7: wrong invoices'",
        'redrive kill engage handler resize --mode interrupt',
        'redrive kill engage all --confirm=all --reason INC-7',
      ],
      json: `
        store | text | URL of the store, without credentials
        created | boolean | true: the store did not exist and was created, or with --dry-run would be
      `,
      render: async () => (await import('./kill-switches.ts')).KILL_ENGAGE,
    }),
    actionCommand({
      name: 'release',
      action: 'kill.release',
      emergency: true,
      args: ARGS,
      options: [PACE_OPTION],
      examples: [
        'redrive kill release queue default',
        'redrive kill release all --pace 5/s --reason fixed',
      ],
      render: async () => (await import('./kill-switches.ts')).KILL_RELEASE,
    }),
    actionCommand({
      name: 'list',
      action: 'kill.list',
      emergency: true,
      aliases: ['status'],
      rows: 'scope, name, since, by, mode, why',
      examples: ['redrive kill list', 'redrive kill list --json'],
      render: async () => (await import('./kill-switches.ts')).KILL_LIST,
    }),
  ],
};
