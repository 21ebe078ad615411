import { MANIFEST } from '@redrive/operate/manifest';
import { actionCommand } from '../action/action-command.ts';
import type { CommandGroup } from '../command/command-spec.ts';
import { BAD_CONFIG, DRY_RUN_OPTION, JSON_OPTION, YES_OPTION } from '../command/common-options.ts';

export const CONFIG_COMMANDS: CommandGroup = {
  name: 'config',
  summary: 'write, check, show, apply and migrate redrive.yaml',
  commands: [
    {
      name: 'init',
      summary: 'write a complete sample configuration',
      args: [{ name: '[file]', summary: 'the file to write; default ./redrive.yaml' }],
      options: [YES_OPTION, DRY_RUN_OPTION, JSON_OPTION],
      details:
        'The sample has every policy that its mappings name, with comments. Without --yes the command never overwrites a file.',
      examples: ['redrive config init', 'redrive config init --dry-run | less'],
      json: `
        file | text | the file that was, or would be, written
        written | boolean | false with --dry-run
      `,
      exits: {
        failed: 'the file cannot be written',
        refused: 'the file exists, and --yes was not given',
        not_permitted: 'this user may not write the directory or the file',
      },
      load: async () => (await import('./show.ts')).runInit,
    },
    {
      name: 'validate',
      summary: 'check a configuration, and report all its problems at once',
      args: [{ name: '[file]', summary: 'the configuration; default as with --config' }],
      options: [
        '--simulate | also run every declared load through a stall of ten seconds, and print when it recovers',
      ],
      uses: 'config',
      details: MANIFEST['config.validate'].details,
      examples: [
        'redrive config validate',
        'redrive config validate redrive.yaml --json',
        'redrive config validate --simulate',
      ],
      json: `
        ${MANIFEST['config.validate'].json}
        stalls | list | with --simulate: one per declared load; otherwise empty
        stalls[].dependency | text | the dependency of the load
        stalls[].rule | text | the stability rule as a product, such as "0.5 × 4 (checkout)"
        stalls[].demand | number | the product; the rule says that it must be below 1
        stalls[].stable | boolean | whether it is below 1
        stalls[].recovers_after_ms | number or null | from the end of the stall until the goodput is 95 % again, the median of five seeds; null: not within 540 s, or not known
        stalls[].cut | boolean | whether the load is too high for a simulation: the recovery is not known
      `,
      exits: {
        failed: 'it is not valid, or cannot be read',
        partial: 'with --simulate: a load is too high for a simulation',
      },
      load: async () => (await import('./validate.ts')).runValidate,
    },
    actionCommand({
      name: 'show',
      action: 'config.show',
      options: ['--effective'],
      examples: ['redrive config show', 'redrive config show --effective --json'],
      exits: { failed: BAD_CONFIG },
      render: async () => (await import('./show.ts')).CONFIG_SHOW,
    }),
    {
      name: 'apply',
      summary: 'check a new configuration, put it in place of the present one, and say who did it',
      args: [
        { name: '<new>', summary: 'the new configuration' },
        { name: '[file]', summary: 'the file that it replaces; default as with --config' },
      ],
      options: [DRY_RUN_OPTION],
      uses: 'config',
      details:
        'It works on files of this machine alone: a server takes no configuration. It prints the changes. A new configuration with an error is not put in place. Workers that watch the file take it over, and their records in the audit log name the user of this command; of a file that another program wrote they name the owner and the time only. The user is kept in the file <file>.applied.',
      examples: [
        'redrive config apply new.yaml --dry-run',
        'redrive config apply new.yaml redrive.yaml',
      ],
      json: `
        file | text | the file that was, or would be, replaced
        by | text | user and host of this command
        changes | list | the changes of values, one text each; empty: the values are the same
        written | boolean | whether the file was replaced
      `,
      exits: {
        failed: 'the new configuration is not valid, or a file cannot be read or written',
        not_permitted: 'this user may not write the file',
        conflict: 'another process changed the file in the meantime',
      },
      load: async () => (await import('./apply.ts')).runApply,
    },
    {
      name: 'schema',
      summary: 'print the JSON Schema of redrive.yaml, for editors',
      options: [JSON_OPTION],
      details: 'The output is JSON with and without --json.',
      examples: ['redrive config schema > redrive.schema.json'],
      load: async () => (await import('./show.ts')).runSchema,
    },
    {
      name: 'migrate',
      summary: 'rewrite a configuration in the current version, comments and all',
      args: [{ name: '[file]', summary: 'the configuration; default as with --config' }],
      options: [
        '-w, --write | write the file instead of printing it [not with dryRun]',
        '-n, --dry-run | print the changes, and write nothing',
      ],
      uses: 'config',
      details:
        'Without --write or --dry-run the migrated file goes to stdout and nothing is written.',
      examples: ['redrive config migrate --dry-run', 'redrive config migrate redrive.yaml --write'],
      json: `
        file | text | the file that was read
        from | text | the version that it had
        to | text | the version that it has now, or would have
        changes | list | the changes, one text each; empty: the file was up to date
        written | boolean | whether the file was written
        text | text | the migrated file
      `,
      exits: {
        failed: 'the file cannot be read, or is not valid',
        not_permitted: 'this user may not write the file',
        conflict: 'another process changed the file in the meantime',
      },
      load: async () => (await import('./migrate.ts')).runMigrate,
    },
  ],
};
