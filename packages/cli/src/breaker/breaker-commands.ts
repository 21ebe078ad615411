import type { CommandGroup, CommandSpec, JsonField } from '../command/command-spec.ts';
import {
  DRY_RUN_OPTION,
  NEXT_FIELD,
  REASON_OPTION,
  STORE_COMMAND_OPTIONS,
} from '../command/common-options.ts';
import { NO_STORE } from '../status/status-command.ts';

const ARGS: CommandSpec['args'] = [
  { name: '<dependency>', summary: 'what the breaker guards, as handlers and policies name it' },
];

/** The state document of a breaker, and what an operator wants to know besides, under `at`. */
export const breakerFields = (at = ''): JsonField[] => [
  {
    path: `${at}policy_id`,
    type: 'text',
    meaning: 'the dependency: jobs that name it share the breaker',
  },
  { path: `${at}state`, type: '"closed", "open" or "half_open"', meaning: 'what holds now' },
  { path: `${at}failure_count`, type: 'number', meaning: 'failures in a row' },
  {
    path: `${at}last_failure_time`,
    type: 'time',
    meaning: 'the newest of them; absent: there was none',
  },
  {
    path: `${at}last_error`,
    type: 'object or null',
    meaning: '`type` and `message` of the newest failure; null: none is known',
  },
  { path: `${at}threshold`, type: 'number', meaning: 'so many open it' },
  {
    path: `${at}timeout`,
    type: 'number',
    meaning: 'seconds between two probes, and up to a tenth more',
  },
  { path: `${at}last_state_change`, type: 'time', meaning: 'ISO 8601' },
  {
    path: `${at}redrive`,
    type: 'object',
    meaning: '`schema_version`, `calls`, and `isolated`: whether it is forced open',
  },
  {
    path: `${at}next_probe_at`,
    type: 'time or null',
    meaning: 'null: closed, forced, one is under way, or no live worker would probe',
  },
  {
    path: `${at}forced`,
    type: 'object or null',
    meaning: "an operator's word: `state`, `until` (null: until it is reset), `since`, `by`, `why`",
  },
  { path: `${at}parked`, type: 'number', meaning: 'jobs that wait for it, counted up to 10,000' },
];

const CHANGE_FIELDS: readonly JsonField[] = [
  ...breakerFields(),
  { path: 'changed', type: 'boolean', meaning: 'false: --dry-run' },
  { path: 'dry_run', type: 'boolean', meaning: 'nothing was done' },
];

const FORCE_OPTIONS: CommandSpec['options'] = [
  { flags: '--for <time>', summary: 'so long, such as 30m; default: until it is reset' },
  {
    flags: '--until <time>',
    summary: 'until this time, such as 2027-01-31T08:00:00Z',
    conflicts: ['for'],
  },
  REASON_OPTION,
  DRY_RUN_OPTION,
  ...STORE_COMMAND_OPTIONS,
];

const ACT_OPTIONS = [REASON_OPTION, DRY_RUN_OPTION, ...STORE_COMMAND_OPTIONS];
const NO_BREAKER = 'there is no breaker of that name';

/** `redrive breakers …` */
export const BREAKER_COMMANDS: CommandGroup = {
  name: 'breakers',
  aliases: ['breaker'],
  summary: 'look at the circuit breakers that all workers share, and set them by hand',
  commands: [
    {
      name: 'list',
      summary: 'list the breakers, those that are not closed first',
      options: [REASON_OPTION, ...STORE_COMMAND_OPTIONS],
      reads: 'metrics',
      rows: ['dependency', 'state', 'changed', 'failures', 'next probe', 'parked', 'ends'],
      details:
        'A breaker is listed once it has counted a failure or was set by somebody: a dependency whose calls all go well has none.',
      examples: ['redrive breakers list', 'redrive breakers list --json'],
      json: [
        { path: 'breakers', type: 'list', meaning: 'not closed first, then by name' },
        ...breakerFields('breakers[].'),
        NEXT_FIELD,
      ],
      exits: { unreachable: NO_STORE },
      load: async () => (await import('./list.ts')).runBreakerList,
    },
    {
      name: 'show',
      summary:
        'print one breaker: its state, since when, its failures, the last error, the next probe, parked jobs',
      args: ARGS,
      options: [REASON_OPTION, ...STORE_COMMAND_OPTIONS],
      reads: 'metrics',
      examples: ['redrive breakers show bank', 'redrive breakers show bank --json'],
      json: breakerFields(),
      exits: { no_match: NO_BREAKER, unreachable: NO_STORE },
      load: async () => (await import('./show.ts')).runBreakerShow,
    },
    {
      name: 'force-open',
      emergency: true,
      summary: 'let no job of a dependency run, whatever happens',
      args: ARGS,
      options: FORCE_OPTIONS,
      details:
        'Its jobs are parked together, and no probe tries. A dependency that nobody has told anything about can be forced as well.',
      examples: ["redrive breakers force-open bank --for 30m --reason 'maintenance window'"],
      json: CHANGE_FIELDS,
      exits: { unreachable: NO_STORE },
      load: async () => (await import('./act.ts')).runForceOpen,
    },
    {
      name: 'force-closed',
      summary: 'let all jobs of a dependency run, whatever fails',
      args: ARGS,
      options: FORCE_OPTIONS,
      details: 'What waits for it comes back at a growing pace.',
      examples: ['redrive breakers force-closed bank --for 10m'],
      json: CHANGE_FIELDS,
      exits: { unreachable: NO_STORE },
      load: async () => (await import('./act.ts')).runForceClosed,
    },
    {
      name: 'half-open',
      summary: 'let one job try at once whether a dependency is back',
      args: ARGS,
      options: ACT_OPTIONS,
      details:
        "It ends an operator's word. A closed breaker is opened by it, because somebody doubts it.",
      examples: ['redrive breakers half-open bank'],
      json: CHANGE_FIELDS,
      exits: { no_match: NO_BREAKER, unreachable: NO_STORE },
      load: async () => (await import('./act.ts')).runHalfOpen,
    },
    {
      name: 'reset',
      summary: 'close a breaker and forget what it has counted',
      args: ARGS,
      options: ACT_OPTIONS,
      details: "An operator's word ends too. What waits for it comes back at a growing pace.",
      examples: ['redrive breakers reset bank --reason fixed'],
      json: CHANGE_FIELDS,
      exits: { no_match: NO_BREAKER, unreachable: NO_STORE },
      load: async () => (await import('./act.ts')).runReset,
    },
  ],
};
