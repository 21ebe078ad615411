import type { CommandGroup, JsonField } from '../command/command-spec.ts';
import {
  CONFIG_OPTION,
  DRY_RUN_OPTION,
  JSON_OPTION,
  VERBOSE_OPTION,
  YES_OPTION,
} from '../command/common-options.ts';

const FILE: JsonField = {
  path: 'file',
  type: 'text or null',
  meaning: 'the configuration file; null: the presets alone',
};

/** `redrive config …` */
export const CONFIG_COMMANDS: CommandGroup = {
  name: 'config',
  summary: 'write, check, show and migrate redrive.yaml',
  commands: [
    {
      name: 'init',
      summary: 'write a complete sample configuration',
      args: [{ name: '[file]', summary: 'the file to write; default ./redrive.yaml' }],
      options: [YES_OPTION, DRY_RUN_OPTION, JSON_OPTION],
      details:
        'The sample has every policy that its mappings name, with comments. Without --yes the command never overwrites a file.',
      examples: ['redrive config init', 'redrive config init --dry-run | less'],
      json: [
        { path: 'file', type: 'text', meaning: 'the file that was, or would be, written' },
        { path: 'written', type: 'boolean', meaning: 'false with --dry-run' },
      ],
      exits: {
        failed: 'the file cannot be written',
        refused: 'the file exists, and --yes was not given',
        not_permitted: 'this user may not write the directory or the file',
      },
      load: async () => (await import('./init.ts')).runInit,
    },
    {
      name: 'validate',
      summary: 'check a configuration, and report all its problems at once',
      args: [{ name: '[file]', summary: 'the configuration; default as with --config' }],
      options: [CONFIG_OPTION, JSON_OPTION, VERBOSE_OPTION],
      details:
        'Warnings do not make a file invalid. Every code is explained in docs/reference/configuration.md.',
      examples: ['redrive config validate', 'redrive config validate redrive.yaml --json'],
      json: [
        { path: 'valid', type: 'boolean', meaning: 'true: no errors; there may be warnings' },
        { path: 'problems', type: 'list', meaning: 'all problems, in the order of the file' },
        {
          path: 'problems[].severity',
          type: '"error" or "warning"',
          meaning: 'a file with an error is not valid; a file with warnings is',
        },
        { path: 'problems[].code', type: 'text', meaning: 'the kind of problem; a fixed text' },
        {
          path: 'problems[].path',
          type: 'text',
          meaning: 'the keys that lead there, with dots; "" is the whole file',
        },
        { path: 'problems[].line', type: 'number', meaning: 'from 1' },
        { path: 'problems[].column', type: 'number', meaning: 'from 1, in characters' },
        { path: 'problems[].message', type: 'text', meaning: 'the fault, in a sentence' },
        {
          path: 'problems[].suggestion',
          type: 'text or null',
          meaning: 'the remedy; null: none is known',
        },
        {
          path: 'problems[].file',
          type: 'text or null',
          meaning: 'the file, variable or flag that has the problem',
        },
      ],
      exits: { failed: 'it is not valid, or cannot be read' },
      load: async () => (await import('./validate.ts')).runValidate,
    },
    {
      name: 'show',
      summary: 'print the values in force and where each came from',
      options: [
        {
          flags: '--effective',
          summary: 'every value, presets and defaults included; otherwise only those that were set',
        },
        CONFIG_OPTION,
        JSON_OPTION,
        VERBOSE_OPTION,
      ],
      details: 'Names and units are those of the file: times are seconds.',
      examples: ['redrive config show', 'redrive config show --effective --json'],
      json: [
        FILE,
        { path: 'version', type: 'text', meaning: "the version of the file's format" },
        { path: 'hash', type: 'text', meaning: 'SHA-256 of all values in force' },
        { path: 'values', type: 'list', meaning: 'one per value, in the order of the file format' },
        { path: 'values[].path', type: 'text', meaning: 'the keys that lead to it, with dots' },
        {
          path: 'values[].value',
          type: 'any',
          meaning: 'in the unit of the file; null is "no limit"',
        },
        {
          path: 'values[].source',
          type: '"flag", "environment", "file", "preset" or "default"',
          meaning: 'the kind of source: flag, environment, file, preset or default',
        },
        {
          path: 'values[].where',
          type: 'text',
          meaning: 'the source: `redrive.yaml:12`, a variable, a preset',
        },
      ],
      exits: { failed: 'the configuration is not valid, or cannot be read' },
      load: async () => (await import('./show.ts')).runShowConfig,
    },
    {
      name: 'schema',
      summary: 'print the JSON Schema of redrive.yaml, for editors',
      options: [JSON_OPTION],
      details: 'The output is JSON with and without --json.',
      examples: ['redrive config schema > redrive.schema.json'],
      load: async () => (await import('./schema.ts')).runSchema,
    },
    {
      name: 'migrate',
      summary: 'rewrite a configuration in the current version, comments and all',
      args: [{ name: '[file]', summary: 'the configuration; default as with --config' }],
      options: [
        {
          flags: '-w, --write',
          summary: 'write the file instead of printing it',
          conflicts: ['dryRun'],
        },
        { ...DRY_RUN_OPTION, summary: 'print the changes, and write nothing' },
        CONFIG_OPTION,
        JSON_OPTION,
        VERBOSE_OPTION,
      ],
      details:
        'Without --write or --dry-run the migrated file goes to stdout and nothing is written.',
      examples: ['redrive config migrate --dry-run', 'redrive config migrate redrive.yaml --write'],
      json: [
        { path: 'file', type: 'text', meaning: 'the file that was read' },
        { path: 'from', type: 'text', meaning: 'the version that it had' },
        { path: 'to', type: 'text', meaning: 'the version that it has now, or would have' },
        {
          path: 'changes',
          type: 'list',
          meaning: 'the changes, one text each; empty: the file was up to date',
        },
        { path: 'written', type: 'boolean', meaning: 'whether the file was written' },
        { path: 'text', type: 'text', meaning: 'the migrated file' },
      ],
      exits: {
        failed: 'the file cannot be read, or is not valid',
        not_permitted: 'this user may not write the file',
        conflict: 'another process changed the file in the meantime',
      },
      load: async () => (await import('./migrate.ts')).runMigrate,
    },
  ],
};
