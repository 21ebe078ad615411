import type { CommandGroup } from '../command/command-spec.ts';
import {
  ACCESS_FILE_OPTION,
  CONFIG_OPTION,
  FILE_EXIT,
  JSON_OPTION,
  STORE_OPTION,
  VERBOSE_OPTION,
} from '../command/common-options.ts';

export const CONSOLE_COMMANDS: CommandGroup = {
  name: 'console',
  summary: 'the web console',
  commands: [
    {
      name: 'link',
      summary: 'print an address that signs an admin in, once, within ten minutes',
      options: [
        '--url <address> | where the console is served; default http://127.0.0.1:9480',
        // The store says where the file is.
        ...[ACCESS_FILE_OPTION, STORE_OPTION, CONFIG_OPTION, JSON_OPTION, VERBOSE_OPTION],
      ],
      details:
        'The server must use the same access file. If none answers at the address, a warning says so. There is no link where tokens exist or redrive.yaml names a trusted proxy: people sign in with a token, or at the proxy. Whoever can write the access file can make a link. The audit log has a record of each sign-in.',
      examples: ['redrive console link', 'redrive console link --url http://127.0.0.1:8080'],
      json: `
        link | text | the address to open
        expires | time | until when it is good
      `,
      exits: {
        failed: FILE_EXIT,
        refused: 'there are tokens, or a trusted proxy',
      },
      load: async () => (await import('./console-link.ts')).runConsoleLink,
    },
  ],
};
