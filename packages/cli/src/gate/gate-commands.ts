import type { CommandGroup, JsonField } from '../command/command-spec.ts';
import {
  DRY_RUN_OPTION,
  NEXT_FIELD,
  REASON_OPTION,
  STORE_COMMAND_OPTIONS,
} from '../command/common-options.ts';
import { NO_STORE } from '../status/status-command.ts';

/** A closed gate, under `at`. */
export const gateFields = (at: string): JsonField[] => [
  { path: `${at}dependency`, type: 'text', meaning: 'who asked to be left alone' },
  { path: `${at}credential`, type: 'text or null', meaning: 'by whom; null: no one in particular' },
  { path: `${at}tenant`, type: 'text or null', meaning: 'for whom; null: no one in particular' },
  { path: `${at}until`, type: 'time', meaning: 'when it opens by itself' },
  { path: `${at}since`, type: 'time', meaning: 'when it was closed' },
  { path: `${at}cut`, type: 'boolean', meaning: 'the answer asked for more than the hour it gets' },
  { path: `${at}parked`, type: 'number', meaning: 'jobs that wait for it, counted up to 10,000' },
];

/** `redrive gates …` */
export const GATE_COMMANDS: CommandGroup = {
  name: 'gates',
  aliases: ['gate'],
  summary: 'look at dependencies that asked to be left alone for a while, and open them before',
  commands: [
    {
      name: 'list',
      summary: 'list the closed gates, and when they open',
      options: [REASON_OPTION, ...STORE_COMMAND_OPTIONS],
      reads: 'metrics',
      rows: ['dependency', 'credential', 'tenant', 'opens', 'closed', 'parked', 'note'],
      details:
        'A Retry-After that one attempt was given holds for every job of that dependency, credential and tenant, in every process, for an hour at most.',
      examples: ['redrive gates list', 'redrive gates list --json'],
      json: [
        { path: 'gates', type: 'list', meaning: 'by name; empty: none is closed' },
        ...gateFields('gates[].'),
        NEXT_FIELD,
      ],
      exits: { unreachable: NO_STORE },
      load: async () => (await import('./list.ts')).runGateList,
    },
    {
      name: 'release',
      summary: 'open the gates of a dependency before their time',
      args: [{ name: '<dependency>', summary: 'as "redrive gates list" names it' }],
      options: [
        { flags: '--credential <name>', summary: 'only of this credential' },
        { flags: '--tenant <name>', summary: 'only of this tenant' },
        REASON_OPTION,
        DRY_RUN_OPTION,
        ...STORE_COMMAND_OPTIONS,
      ],
      details:
        'What waits for them comes back at a growing pace. The next answer with a Retry-After closes the gate again.',
      examples: ["redrive gates release search --reason 'limit was raised'"],
      json: [
        { path: 'released', type: 'list', meaning: 'the gates that were opened, or would be' },
        ...gateFields('released[].'),
        { path: 'dry_run', type: 'boolean', meaning: 'nothing was done' },
      ],
      exits: { no_match: 'no gate of that name is closed', unreachable: NO_STORE },
      load: async () => (await import('./release.ts')).runGateRelease,
    },
  ],
};
