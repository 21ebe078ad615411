import type { CommandGroup } from '../command/command-spec.ts';

/** `redrive store …` */
export const STORE_COMMANDS: CommandGroup = {
  name: 'store',
  summary: 'the tables of the store',
  commands: [
    {
      name: 'migrate',
      summary: 'create the tables of the store, or bring them up to date',
      options: ['-n, --dry-run | print the SQL for Postgres, and do nothing'],
      uses: 'store',
      details:
        'A worker does the same when it starts, unless store.migrate of redrive.yaml is false; so does "redrive kill engage". All other commands change no tables. On Postgres the role must own the schema, or be allowed to create it; --dry-run prints the SQL for psql, so that somebody else can run it. Older processes go on working: the schema says from which version on it works.',
      examples: ['redrive store migrate', 'redrive store migrate --dry-run'],
      json: `
        store | text | its name, without credentials
        from | number | version before; 0: it did not exist
        to | number | version afterwards
        changed | boolean | false: nothing to do, or --dry-run
        sql | text or null | with --dry-run on Postgres
        dry_run | boolean | nothing was done
      `,
      exits: {
        not_permitted: 'the role may not change tables',
      },
      load: async () => (await import('./migrate.ts')).runStoreMigrate,
    },
  ],
};
