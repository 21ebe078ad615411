import type { CommandGroup } from '../command/command-spec.ts';
import { STORE_COMMAND_OPTIONS } from '../command/common-options.ts';
import { NO_STORE } from '../status/status-command.ts';

/** `redrive store …` */
export const STORE_COMMANDS: CommandGroup = {
  name: 'store',
  summary: 'the tables of the store',
  commands: [
    {
      name: 'migrate',
      summary: 'create the tables of the store, or bring them up to date',
      options: [
        {
          flags: '-n, --dry-run',
          summary: 'print the SQL for Postgres, and do nothing',
        },
        ...STORE_COMMAND_OPTIONS,
      ],
      details:
        'A worker does the same when it starts, unless store.migrate of redrive.yaml is false; so does "redrive kill engage". All other commands change no tables. On Postgres the role must own the schema, or be allowed to create it; --dry-run prints the SQL for psql, so that somebody else can run it. Older processes go on working: the schema says from which version on it works.',
      examples: ['redrive store migrate', 'redrive store migrate --dry-run'],
      json: [
        { path: 'store', type: 'text', meaning: 'its name, without credentials' },
        { path: 'from', type: 'number', meaning: 'version before; 0: it did not exist' },
        { path: 'to', type: 'number', meaning: 'version afterwards' },
        { path: 'changed', type: 'boolean', meaning: 'false: nothing to do, or --dry-run' },
        { path: 'sql', type: 'text or null', meaning: 'with --dry-run on Postgres' },
        { path: 'dry_run', type: 'boolean', meaning: 'nothing was done' },
      ],
      exits: {
        not_permitted: 'the role may not change tables',
        unreachable: NO_STORE,
      },
      load: async () => (await import('./migrate.ts')).runStoreMigrate,
    },
  ],
};
