import { actionCommand } from '../action/action-command.ts';
import type { CommandGroup } from '../command/command-spec.ts';
import { FILE_EXIT } from '../command/common-options.ts';

export const SIGN_INS_COMMANDS: CommandGroup = {
  name: 'sign-ins',
  aliases: ['sign-in'],
  summary: 'list and revoke sign-ins of the console',
  commands: [
    actionCommand({
      name: 'list',
      action: 'signIns.list',
      exits: { failed: FILE_EXIT },
      rows: 'id, name, role, from, token, began, expires',
      examples: ['redrive sign-ins list'],
      render: async () => (await import('./sign-ins.ts')).SIGN_IN_LIST,
    }),
    actionCommand({
      name: 'revoke',
      action: 'signIns.revoke',
      args: [{ name: '<sign-in>' }],
      exits: { failed: FILE_EXIT },
      examples: ['redrive sign-ins revoke local --reason stolen'],
      render: async () => (await import('./sign-ins.ts')).SIGN_IN_REVOKE,
    }),
  ],
};
