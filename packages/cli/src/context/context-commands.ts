import type { CommandGroup } from '../command/command-spec.ts';
import { JSON_OPTION, YES_OPTION } from '../command/common-options.ts';
import { under } from '../command/json-fields.ts';

const FIELDS = `
  name | text | names it
  server | text | its address
  token_file | text or null | the file with its token; null: REDRIVE_TOKEN
  ca_file | text or null | certificates of a private authority; null: those of Node
  current | boolean | commands that name no other place run on it
`;
const EXITS = { failed: 'the contexts or a file cannot be read or written' };

export const CONTEXTS_COMMANDS: CommandGroup = {
  name: 'contexts',
  aliases: ['context'],
  summary: 'name servers, and say on which of them commands run',
  commands: [
    {
      name: 'add',
      summary: 'name a server, with the file of its token',
      args: [{ name: '<name>', summary: 'letters, digits, ".", "_" and "-"' }],
      options: [
        '--server <url> | the address of the server; must be given',
        '--token-file <file> | the file with the token; default: REDRIVE_TOKEN when a command runs',
        '--ca-file <file> | certificates of a private authority (PEM)',
        YES_OPTION,
        JSON_OPTION,
      ],
      details:
        'Contexts are in redrive/contexts.json below XDG_CONFIG_HOME or ~/.config, which only you can read. It has the names of files, and no token.',
      examples: [
        'redrive contexts add prod --server https://redrive.example.org --token-file prod.token',
      ],
      json: FIELDS,
      exits: { ...EXITS, conflict: 'the name is taken, and --yes is missing' },
      load: async () => (await import('./contexts.ts')).runContextAdd,
    },
    {
      name: 'use',
      summary: 'run commands on the server of a context from now on',
      args: [{ name: '[name]', summary: 'a context' }],
      options: ['--none | use no context: commands run on stores again', JSON_OPTION],
      details:
        'Options come first, then the environment, then the current context: --server, --context, --store or --config; REDRIVE_SERVER, REDRIVE_CONTEXT or REDRIVE_STORE. A command that changes something names the context on stderr.',
      examples: ['redrive contexts use prod', 'redrive contexts use --none'],
      json: `
        current | text or null | the context; null: none
        server | text or null | its address
      `,
      exits: { ...EXITS, no_match: 'there is no such context' },
      load: async () => (await import('./contexts.ts')).runContextUse,
    },
    {
      name: 'list',
      summary: 'list the contexts',
      options: [JSON_OPTION],
      rows: 'name, current, server, token_file, ca_file',
      examples: ['redrive contexts list'],
      json: `
        contexts | list | in the order in which they were added
        ${under('contexts[].', FIELDS)}
      `,
      exits: EXITS,
      load: async () => (await import('./contexts.ts')).runContextList,
    },
    {
      name: 'remove',
      summary: 'forget a context; its files stay',
      args: [{ name: '<name>', summary: 'a context' }],
      options: [JSON_OPTION],
      examples: ['redrive contexts remove prod'],
      json: FIELDS,
      exits: { ...EXITS, no_match: 'there is no such context' },
      load: async () => (await import('./contexts.ts')).runContextRemove,
    },
  ],
};
