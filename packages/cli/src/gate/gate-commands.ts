import { actionCommand } from '../action/action-command.ts';
import type { CommandGroup } from '../command/command-spec.ts';

export const GATE_COMMANDS: CommandGroup = {
  name: 'gates',
  aliases: ['gate'],
  summary: 'list dependencies that are rate-limited, and release their jobs early',
  commands: [
    actionCommand({
      name: 'list',
      action: 'gates.list',
      rows: 'dependency, credential, tenant, opens, closed, parked, note',
      examples: ['redrive gates list', 'redrive gates list --json'],
      render: async () => (await import('./gates.ts')).GATE_LIST,
    }),
    actionCommand({
      name: 'release',
      action: 'gates.release',
      args: [{ name: '<dependency>', summary: 'as "redrive gates list" names it' }],
      options: ['--credential <name>', '--tenant <name>'],
      examples: ["redrive gates release search --reason 'limit was raised'"],
      render: async () => (await import('./gates.ts')).GATE_RELEASE,
    }),
  ],
};
