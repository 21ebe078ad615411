import type { CommandGroup, CommandSpec, JsonField } from '../command/command-spec.ts';
import {
  DRY_RUN_OPTION,
  NEXT_FIELD,
  REASON_OPTION,
  STORE_COMMAND_OPTIONS,
} from '../command/common-options.ts';
import { NO_STORE } from '../status/status-command.ts';

const ARGS: CommandSpec['args'] = [
  { name: '<dependency>', summary: 'the dependency, as handlers and policies name it' },
];

/** The state document of a breaker, and what an operator wants to know besides, under `at`. */
export const breakerFields = (at = ''): JsonField[] => [
  {
    path: `${at}policy_id`,
    type: 'text',
    meaning: 'the dependency: jobs that name it share the breaker',
  },
  { path: `${at}state`, type: '"closed", "open" or "half_open"', meaning: 'the state in force' },
  { path: `${at}failure_count`, type: 'number', meaning: 'failures in a row' },
  {
    path: `${at}last_failure_time`,
    type: 'time',
    meaning: 'time of the newest failure; absent: there was none',
  },
  {
    path: `${at}last_error`,
    type: 'object or null',
    meaning: '`type` and `message` of the newest failure; null: none is known',
  },
  { path: `${at}threshold`, type: 'number', meaning: 'failures in a row that open it' },
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
    meaning:
      'time of the next probe; null: the breaker is closed or forced, a probe is running, or no live worker has a handler for it',
  },
  {
    path: `${at}forced`,
    type: 'object or null',
    meaning: 'set by an operator: `state`, `until` (null: until it is reset), `since`, `by`, `why`',
  },
  { path: `${at}parked`, type: 'number', meaning: 'jobs that wait for it, counted up to 10,000' },
];

const CHANGE_FIELDS: readonly JsonField[] = [
  ...breakerFields(),
  { path: 'changed', type: 'boolean', meaning: 'false: --dry-run' },
  { path: 'dry_run', type: 'boolean', meaning: 'true: nothing was changed' },
];

const FORCE_OPTIONS: CommandSpec['options'] = [
  { flags: '--for <time>', summary: 'for how long, such as 30m; default: until it is reset' },
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
        'A breaker is listed after its first failure, or after an operator has forced it: a dependency whose calls all succeed is not listed.',
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
      summary: 'force a breaker open: no job of the dependency runs',
      args: ARGS,
      options: FORCE_OPTIONS,
      details:
        'Its jobs are parked, and there is no probe. A dependency without a breaker can be forced open too.',
      examples: ["redrive breakers force-open bank --for 30m --reason 'maintenance window'"],
      json: CHANGE_FIELDS,
      exits: { unreachable: NO_STORE },
      load: async () => (await import('./act.ts')).runForceOpen,
    },
    {
      name: 'force-closed',
      summary: 'force a breaker closed: all jobs of the dependency run, even if they fail',
      args: ARGS,
      options: FORCE_OPTIONS,
      details: 'The parked jobs are released at a growing pace.',
      examples: ['redrive breakers force-closed bank --for 10m'],
      json: CHANGE_FIELDS,
      exits: { unreachable: NO_STORE },
      load: async () => (await import('./act.ts')).runForceClosed,
    },
    {
      name: 'half-open',
      summary: 'probe a dependency now: let one job run',
      args: ARGS,
      options: ACT_OPTIONS,
      details:
        'It ends a forced state. A closed breaker is opened by it: other jobs wait until the probe has succeeded.',
      examples: ['redrive breakers half-open bank'],
      json: CHANGE_FIELDS,
      exits: { no_match: NO_BREAKER, unreachable: NO_STORE },
      load: async () => (await import('./act.ts')).runHalfOpen,
    },
    {
      name: 'reset',
      summary: 'close a breaker and set its count of failures to 0',
      args: ARGS,
      options: ACT_OPTIONS,
      details: 'It ends a forced state too. The parked jobs are released at a growing pace.',
      examples: ['redrive breakers reset bank --reason fixed'],
      json: CHANGE_FIELDS,
      exits: { no_match: NO_BREAKER, unreachable: NO_STORE },
      load: async () => (await import('./act.ts')).runReset,
    },
  ],
};
