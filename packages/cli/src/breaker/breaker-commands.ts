import type { CommandGroup, CommandSpec } from '../command/command-spec.ts';
import { under } from '../command/json-fields.ts';

const ARGS: CommandSpec['args'] = [
  { name: '<dependency>', summary: 'the dependency, as handlers and policies name it' },
];

/** The state document of a breaker, and what an operator wants to know besides, under `at`. */
const BREAKER_FIELDS = `
  policy_id | text | the dependency: jobs that name it share the breaker
  state | "closed", "open" or "half_open" | the state in force
  failure_count | number | failures in a row
  last_failure_time | time | time of the newest failure; absent: there was none
  last_error | object or null | \`type\` and \`message\` of the newest failure; null: none is known
  threshold | number | failures in a row that open it
  timeout | number | seconds between two probes, and up to a tenth more
  last_state_change | time | ISO 8601
  redrive | object | \`schema_version\`, \`calls\`, and \`isolated\`: whether it is forced open
  next_probe_at | time or null | time of the next probe; null: the breaker is closed or forced, a probe is running, or no live worker has a handler for it
  forced | object or null | set by an operator: \`state\`, \`until\` (null: until it is reset), \`since\`, \`by\`, \`why\`
  parked | number | jobs that wait for it, counted up to 10,000
`;

const CHANGE_FIELDS = `
  ${BREAKER_FIELDS}
  changed | boolean | false: --dry-run
`;

const FORCE_OPTIONS: CommandSpec['options'] = [
  '--for <time> | for how long, such as 30m; default: until it is reset',
  '--until <time> | until this time, such as 2027-01-31T08:00:00Z [not with for]',
];

const NO_BREAKER = 'there is no breaker of that name';

export const BREAKER_COMMANDS: CommandGroup = {
  name: 'breakers',
  aliases: ['breaker'],
  summary: 'look at the circuit breakers that all workers share, and set them by hand',
  commands: [
    {
      name: 'list',
      summary: 'list the breakers, those that are not closed first',
      uses: 'store',
      reads: 'metrics',
      rows: 'dependency, state, changed, failures, opens at, next probe, parked, ends',
      details:
        'A breaker is listed after its first failure, or after an operator has forced it: a dependency whose calls all succeed is not listed.',
      examples: ['redrive breakers list', 'redrive breakers list --json'],
      json: `
        breakers | list | not closed first, then by name
        ${under('breakers[].', BREAKER_FIELDS)}
      `,
      load: async () => (await import('./breakers.ts')).runBreakerList,
    },
    {
      name: 'show',
      summary:
        'print one breaker: its state, since when, its failures, the last error, the next probe, parked jobs',
      args: ARGS,
      uses: 'store',
      reads: 'metrics',
      examples: ['redrive breakers show bank', 'redrive breakers show bank --json'],
      json: BREAKER_FIELDS,
      exits: { no_match: NO_BREAKER },
      load: async () => (await import('./breakers.ts')).runBreakerShow,
    },
    {
      name: 'force-open',
      emergency: true,
      summary: 'force a breaker open: no job of the dependency runs',
      args: ARGS,
      options: FORCE_OPTIONS,
      acts: true,
      uses: 'store',
      details:
        'Its jobs are parked, and there is no probe. A dependency without a breaker can be forced open too.',
      examples: ["redrive breakers force-open bank --for 30m --reason 'maintenance window'"],
      json: CHANGE_FIELDS,
      load: async () => (await import('./breakers.ts')).runForceOpen,
    },
    {
      name: 'force-closed',
      summary: 'force a breaker closed: all jobs of the dependency run, even if they fail',
      args: ARGS,
      options: FORCE_OPTIONS,
      acts: true,
      uses: 'store',
      details: 'The parked jobs are released at a growing pace.',
      examples: ['redrive breakers force-closed bank --for 10m'],
      json: CHANGE_FIELDS,
      load: async () => (await import('./breakers.ts')).runForceClosed,
    },
    {
      name: 'half-open',
      summary: 'probe a dependency now: let one job run',
      args: ARGS,
      acts: true,
      uses: 'store',
      details:
        'It ends a forced state. A closed breaker is opened by it: other jobs wait until the probe has succeeded.',
      examples: ['redrive breakers half-open bank'],
      json: CHANGE_FIELDS,
      exits: { no_match: NO_BREAKER },
      load: async () => (await import('./breakers.ts')).runHalfOpen,
    },
    {
      name: 'reset',
      summary: 'close a breaker and set its count of failures to 0',
      args: ARGS,
      acts: true,
      uses: 'store',
      details: 'It ends a forced state too. The parked jobs are released at a growing pace.',
      examples: ['redrive breakers reset bank --reason fixed'],
      json: CHANGE_FIELDS,
      exits: { no_match: NO_BREAKER },
      load: async () => (await import('./breakers.ts')).runReset,
    },
  ],
};
