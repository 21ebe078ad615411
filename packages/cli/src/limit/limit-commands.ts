import { actionCommand } from '../action/action-command.ts';
import type { CommandGroup } from '../command/command-spec.ts';

export const LIMIT_COMMANDS: CommandGroup = {
  name: 'limits',
  aliases: ['limit'],
  summary: 'list the rates of handlers and queues, and change them',
  commands: [
    actionCommand({
      name: 'list',
      action: 'limits.list',
      rows: 'rate, limit, burst, waiting, since, values, note',
      examples: ['redrive limits list', 'redrive limits list --json'],
      render: async () => (await import('./limit-lines.ts')).LIMIT_LIST,
    }),
    actionCommand({
      name: 'set',
      action: 'limits.set',
      args: [{ name: '<name>', summary: 'as "redrive limits list" names it' }],
      options: ['--limit <n>', '--burst <n>', '--reset'],
      examples: [
        "redrive limits set handler:mail/all/1000ms --limit 5 --reason 'the provider asks for it'",
        "redrive limits set handler:mail/all/1000ms --reset --reason 'back to normal'",
      ],
      render: async () => (await import('./limit-lines.ts')).LIMIT_SET,
    }),
  ],
};
