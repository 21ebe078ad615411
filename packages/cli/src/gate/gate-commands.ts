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
  { path: `${at}dependency`, type: 'text', meaning: 'the dependency that is rate-limited' },
  {
    path: `${at}credential`,
    type: 'text or null',
    meaning: 'the credential that is rate-limited; null: all',
  },
  {
    path: `${at}tenant`,
    type: 'text or null',
    meaning: 'the tenant that is rate-limited; null: all',
  },
  { path: `${at}until`, type: 'time', meaning: 'when it opens by itself' },
  { path: `${at}since`, type: 'time', meaning: 'when it was closed' },
  {
    path: `${at}cut`,
    type: 'boolean',
    meaning: 'true: the Retry-After was longer than the hour that a gate may be closed',
  },
  { path: `${at}parked`, type: 'number', meaning: 'jobs that wait for it, counted up to 10,000' },
];

/** `redrive gates …` */
export const GATE_COMMANDS: CommandGroup = {
  name: 'gates',
  aliases: ['gate'],
  summary: 'list dependencies that are rate-limited, and release their jobs early',
  commands: [
    {
      name: 'list',
      summary: 'list the closed gates, and when they open',
      options: [REASON_OPTION, ...STORE_COMMAND_OPTIONS],
      reads: 'metrics',
      rows: ['dependency', 'credential', 'tenant', 'opens', 'closed', 'parked', 'note'],
      details:
        'When one attempt gets a Retry-After, the gate closes for all jobs with the same dependency, credential and tenant, in every process, for an hour at most.',
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
      summary: 'open the gates of a dependency now',
      args: [{ name: '<dependency>', summary: 'as "redrive gates list" names it' }],
      options: [
        { flags: '--credential <name>', summary: 'only the gate of this credential' },
        { flags: '--tenant <name>', summary: 'only of this tenant' },
        REASON_OPTION,
        DRY_RUN_OPTION,
        ...STORE_COMMAND_OPTIONS,
      ],
      details:
        'The parked jobs are released at a growing pace. The next Retry-After closes the gate again.',
      examples: ["redrive gates release search --reason 'limit was raised'"],
      json: [
        { path: 'released', type: 'list', meaning: 'the gates that were opened, or would be' },
        ...gateFields('released[].'),
        { path: 'dry_run', type: 'boolean', meaning: 'true: nothing was changed' },
      ],
      exits: { no_match: 'no gate of that name is closed', unreachable: NO_STORE },
      load: async () => (await import('./release.ts')).runGateRelease,
    },
  ],
};
