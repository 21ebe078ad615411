import type { CommandGroup, JsonField } from '../command/command-spec.ts';
import {
  CONFIG_OPTION,
  JSON_OPTION,
  NEXT_FIELD,
  VERBOSE_OPTION,
} from '../command/common-options.ts';

const OPTIONS = [CONFIG_OPTION, JSON_OPTION, VERBOSE_OPTION];
const NAME_SUMMARY =
  'a policy id, a category (NATS_CONNECT) or a subsystem path (browser.state_operations.timeout)';
const UNUSABLE = 'the configuration is not valid, or cannot be read';
const NO_MATCH = 'no policy, category or path has that name';

/** The waits of one policy under `at`. */
const delayFields = (at: string): JsonField[] => [
  { path: `${at}delays_ms`, type: 'list', meaning: 'one per wait; at most 1,000' },
  {
    path: `${at}delays_ms[].attempt`,
    type: 'number',
    meaning: 'the attempt that follows the wait',
  },
  {
    path: `${at}delays_ms[].nominal`,
    type: 'number',
    meaning: 'the wait before jitter, in whole ms',
  },
  { path: `${at}delays_ms[].min`, type: 'number', meaning: 'the least that jitter may make of it' },
  { path: `${at}delays_ms[].max`, type: 'number', meaning: 'the most that jitter may make of it' },
];

const MATCHED_BY: JsonField = {
  path: 'matched_by',
  type: '"policy", "category", "path", "group_default" or "global_defaults"',
  meaning: 'the rule that found it',
};

/** `redrive policies …` */
export const POLICY_COMMANDS: CommandGroup = {
  name: 'policies',
  aliases: ['policy'],
  summary: 'list, show, explain, plot and compare retry policies',
  commands: [
    {
      name: 'list',
      summary: 'list every policy: those of the file and those of the presets',
      options: OPTIONS,
      rows: ['id', 'attempts', 'back-off', 'first wait', 'longest wait', 'jitter', 'from'],
      examples: ['redrive policies list', 'redrive policies list --json --config redrive.yaml'],
      json: [
        {
          path: 'file',
          type: 'text or null',
          meaning: 'the configuration file; null: the presets alone',
        },
        { path: 'policies', type: 'list', meaning: "the file's first, then the presets'" },
        { path: 'policies[].id', type: 'text', meaning: 'the id that look-ups and mappings use' },
        { path: 'policies[].name', type: 'text', meaning: 'the name for people' },
        {
          path: 'policies[].preset',
          type: 'text or null',
          meaning: 'the preset policy that it is or extends',
        },
        { path: 'policies[].enabled', type: 'boolean', meaning: 'false: one attempt' },
        { path: 'policies[].max_attempts', type: 'number', meaning: 'the first call included' },
        { path: 'policies[].backoff_type', type: 'text', meaning: 'how waits grow' },
        {
          path: 'policies[].base_delay_ms',
          type: 'number',
          meaning: 'the wait after the first failure',
        },
        { path: 'policies[].max_delay_ms', type: 'number', meaning: 'the cap of every wait' },
        { path: 'policies[].jitter_type', type: 'text', meaning: 'how waits are spread' },
        {
          path: 'policies[].ttl_ms',
          type: 'number or null',
          meaning: 'the limit of the whole session; null: none',
        },
        NEXT_FIELD,
      ],
      exits: { failed: UNUSABLE },
      load: async () => (await import('./list.ts')).runList,
    },
    {
      name: 'show',
      summary: 'print every value of a policy and where it came from',
      args: [{ name: '<id>', summary: NAME_SUMMARY }],
      options: OPTIONS,
      details: 'Names and units are those of the file: times are seconds.',
      examples: ['redrive policies show events.default'],
      json: [
        { path: 'id', type: 'text', meaning: 'the policy that was found' },
        MATCHED_BY,
        {
          path: 'preset',
          type: 'text or null',
          meaning: 'the preset policy that it is or extends',
        },
        { path: 'values', type: 'list', meaning: 'one per field, in the order of the file format' },
        { path: 'values[].field', type: 'text', meaning: 'its name in files' },
        {
          path: 'values[].value',
          type: 'any',
          meaning: 'in the unit of the file; null is "no limit"',
        },
        { path: 'values[].unit', type: '"seconds" or null', meaning: 'unit of a number' },
        {
          path: 'values[].source',
          type: 'text',
          meaning: 'flag, environment, file, preset or default',
        },
        {
          path: 'values[].where',
          type: 'text',
          meaning: 'the source: `redrive.yaml:12`, a variable, a preset',
        },
      ],
      exits: { failed: UNUSABLE, no_match: NO_MATCH },
      load: async () => (await import('./show.ts')).runShowPolicy,
    },
    {
      name: 'explain',
      summary: 'say which policy applies, how long each wait is and when it gives up',
      args: [{ name: '<name>', summary: NAME_SUMMARY }],
      options: OPTIONS,
      examples: [
        'redrive policies explain RETRY_NATS_CONNECT',
        'redrive policies explain browser.state_operations.timeout --json',
      ],
      json: [
        { path: 'id', type: 'text', meaning: 'the policy that was found' },
        { path: 'name', type: 'text', meaning: 'the name for people' },
        { path: 'description', type: 'text', meaning: 'when to use it' },
        MATCHED_BY,
        { path: 'rule', type: 'text', meaning: 'the same rule in words' },
        {
          path: 'preset',
          type: 'text or null',
          meaning: 'the preset policy that it is or extends',
        },
        { path: 'enabled', type: 'boolean', meaning: 'false: one attempt' },
        { path: 'max_attempts', type: 'number', meaning: 'the first call included' },
        { path: 'backoff_type', type: 'text', meaning: 'how waits grow' },
        { path: 'jitter_type', type: 'text', meaning: 'how waits are spread' },
        {
          path: 'jitter_amount',
          type: 'number',
          meaning: 'the share of a wait that jitter may move',
        },
        ...delayFields(''),
        {
          path: 'delays_truncated',
          type: 'boolean',
          meaning: 'whether there are more waits than are listed',
        },
        { path: 'total_nominal_ms', type: 'number', meaning: 'all waits together, before jitter' },
        { path: 'total_min_ms', type: 'number', meaning: 'all waits together, at the least' },
        { path: 'total_max_ms', type: 'number', meaning: 'all waits together, at the most' },
        {
          path: 'ttl_ms',
          type: 'number or null',
          meaning: 'the limit of the whole session; null: none',
        },
        {
          path: 'attempt_timeout_ms',
          type: 'number or null',
          meaning: 'the limit of one attempt; null: none',
        },
        {
          path: 'horizon_ms',
          type: 'number or null',
          meaning: 'the longest wait in process; null: any',
        },
        {
          path: 'unclassified_errors',
          type: '"retryable" or "final"',
          meaning: 'class of an error that no rule matches',
        },
        {
          path: 'attempts_within_ttl',
          type: 'number',
          meaning: 'attempts that start in time if each fails at once',
        },
        { path: 'gives_up', type: 'text', meaning: 'when it gives up, in a sentence' },
        {
          path: 'sources',
          type: 'object',
          meaning: 'where each value came from, by field: `{ kind, where }`',
        },
        {
          path: 'worst_cases',
          type: 'list',
          meaning:
            'if every call fails: one entry per declared load (`load`) with this policy as a layer',
        },
        { path: 'worst_cases[].dependency', type: 'text', meaning: 'the dependency of the load' },
        {
          path: 'worst_cases[].layers',
          type: 'list',
          meaning: 'the policies, the outermost first',
        },
        {
          path: 'worst_cases[].attempts',
          type: 'number',
          meaning: 'attempts of the stored layers together; 1: no layer is stored',
        },
        {
          path: 'worst_cases[].calls_per_attempt',
          type: 'number',
          meaning:
            'the largest number of attempts of an in-process layer: such layers count their retries together',
        },
        { path: 'worst_cases[].calls', type: 'number', meaning: 'the product of the two' },
        {
          path: 'worst_cases[].waits_max_ms',
          type: 'number',
          meaning: 'all waits, each as long as jitter allows, without the time of the calls',
        },
        { path: 'worst_cases[].text', type: 'text', meaning: 'the same in words' },
      ],
      exits: { failed: UNUSABLE, no_match: NO_MATCH },
      load: async () => (await import('./explain.ts')).runExplain,
    },
    {
      name: 'plot',
      summary: 'draw the wait before each attempt, with its jitter band',
      args: [{ name: '<names...>', summary: NAME_SUMMARY }],
      options: [
        {
          flags: '--scale <kind>',
          summary: 'linear, log or auto (log where waits differ a lot)',
          choices: ['auto', 'linear', 'log'],
        },
        { flags: '--ascii', summary: 'draw with ASCII; the default where the locale is not UTF-8' },
        ...OPTIONS,
      ],
      details:
        'Several policies are drawn side by side on one scale. The drawing is as wide as the terminal, and 80 columns without one.',
      examples: [
        'redrive policies plot events.default',
        'redrive policies plot NATS_CONNECT KV_GET API_REQUEST',
      ],
      json: [
        { path: 'scale', type: '"linear" or "log"', meaning: 'the scale that fits' },
        { path: 'policies', type: 'list', meaning: 'in the order of the arguments' },
        { path: 'policies[].id', type: 'text', meaning: 'the policy that was found' },
        ...delayFields('policies[].'),
      ],
      exits: { failed: UNUSABLE, no_match: NO_MATCH },
      load: async () => (await import('./plot.ts')).runPlot,
    },
    {
      name: 'diff',
      summary: 'compare two policies: the fields and the waits that differ',
      args: [
        { name: '<a>', summary: 'a policy, category or path; or file:policy' },
        { name: '<b>', summary: 'the policy to compare it with; or file:policy' },
      ],
      options: OPTIONS,
      details: 'Only the behaviour is compared, not ids, names and descriptions.',
      examples: [
        'redrive policies diff KV_GET KV_PUT',
        'redrive policies diff old.yaml:browser_disk_full redrive.yaml:browser_disk_full',
      ],
      json: [
        { path: 'equal', type: 'boolean', meaning: 'whether both policies behave the same' },
        { path: 'a', type: 'text', meaning: 'the first policy: id, or file:id' },
        { path: 'b', type: 'text', meaning: 'the second policy: id, or file:id' },
        { path: 'fields', type: 'list', meaning: 'the fields that differ' },
        { path: 'fields[].field', type: 'text', meaning: 'its name in files' },
        { path: 'fields[].a', type: 'any', meaning: 'in the unit of the file; null is "no limit"' },
        { path: 'fields[].b', type: 'any', meaning: 'in the unit of the file; null is "no limit"' },
        { path: 'delays_ms', type: 'list', meaning: 'the waits that differ' },
        {
          path: 'delays_ms[].attempt',
          type: 'number',
          meaning: 'the attempt that follows the wait',
        },
        {
          path: 'delays_ms[].a',
          type: 'object or null',
          meaning: '`{ nominal, min, max }`; null: no such attempt',
        },
        {
          path: 'delays_ms[].b',
          type: 'object or null',
          meaning: '`{ nominal, min, max }`; null: no such attempt',
        },
      ],
      exits: {
        failed: UNUSABLE,
        no_match: 'one of the policies does not exist',
        differs: 'the policies differ',
      },
      load: async () => (await import('./diff.ts')).runDiff,
    },
  ],
};
