import { actionCommand } from '../action/action-command.ts';
import type { CommandGroup } from '../command/command-spec.ts';
import { FILE_EXIT } from '../command/common-options.ts';

const exits = { failed: FILE_EXIT };

export const TOKENS_COMMANDS: CommandGroup = {
  name: 'tokens',
  aliases: ['token'],
  summary: 'create, list and revoke tokens of the HTTP API',
  commands: [
    actionCommand({
      name: 'create',
      action: 'tokens.create',
      options: [
        '--role <role>',
        '--name <name>',
        '--tenant <name>',
        '--expires <time>',
        '--rate <rate>',
      ],
      exits,
      examples: [
        'redrive tokens create --role viewer --name grafana',
        'redrive tokens create --role operator --tenant acme --expires +30d --rate 10/s',
      ],
      render: async () => (await import('./tokens.ts')).TOKEN_CREATE,
    }),
    actionCommand({
      name: 'list',
      action: 'tokens.list',
      exits,
      rows: 'id, name, role, tenant, expires, rate',
      examples: ['redrive tokens list'],
      render: async () => (await import('./tokens.ts')).TOKEN_LIST,
    }),
    actionCommand({
      name: 'revoke',
      action: 'tokens.revoke',
      args: [{ name: '<token>' }],
      exits,
      examples: ['redrive tokens revoke grafana'],
      render: async () => (await import('./tokens.ts')).TOKEN_REVOKE,
    }),
  ],
};
