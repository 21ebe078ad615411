import type { CommandGroup } from '../command/command-spec.ts';
import { BAD_CONFIG } from '../command/common-options.ts';
import { under } from '../command/json-fields.ts';
import { LAB_POLICY_COMMANDS } from './lab-policy-commands.ts';

const NAME_SUMMARY =
  'a policy id, a category (NATS_CONNECT) or a subsystem path (browser.state_operations.timeout)';
const NO_MATCH = 'no policy, category or path has that name';

/** The waits of one policy under `at`. */
const DELAY_FIELDS = `
  delays_ms | list | one per wait; at most 1,000
  delays_ms[].attempt | number | the attempt that follows the wait
  delays_ms[].nominal | number | the wait before jitter, in whole ms
  delays_ms[].min | number | the least that jitter may make of it
  delays_ms[].max | number | the most that jitter may make of it
`;

const MATCHED_BY =
  'matched_by | "policy", "category", "path", "group_default" or "global_defaults" | the rule that found it';

export const POLICY_COMMANDS: CommandGroup = {
  name: 'policies',
  aliases: ['policy'],
  summary: 'list, show, explain, plot, simulate and compare retry policies',
  commands: [
    {
      name: 'list',
      summary: 'list every policy: those of the file and those of the presets',
      uses: 'config',
      rows: 'id, attempts, back-off, first wait, longest wait, jitter, from',
      examples: ['redrive policies list', 'redrive policies list --json --config redrive.yaml'],
      json: `
        file | text or null | the configuration file; null: the presets alone
        policies | list | the file's first, then the presets'
        policies[].id | text | the id that look-ups and mappings use
        policies[].name | text | the name for people
        policies[].preset | text or null | the preset policy that it is or extends
        policies[].enabled | boolean | false: one attempt
        policies[].max_attempts | number | the first call included
        policies[].backoff_type | text | how waits grow
        policies[].base_delay_ms | number | the wait after the first failure
        policies[].max_delay_ms | number | the cap of every wait
        policies[].jitter_type | text | how waits are spread
        policies[].ttl_ms | number or null | the limit of the whole session; null: none
      `,
      exits: { failed: BAD_CONFIG },
      load: async () => (await import('./policies.ts')).runList,
    },
    {
      name: 'show',
      summary: 'print every value of a policy and where it came from',
      args: [{ name: '<id>', summary: NAME_SUMMARY }],
      uses: 'config',
      details: 'Names and units are those of the file: times are seconds.',
      examples: ['redrive policies show events.default'],
      json: `
        id | text | the policy that was found
        ${MATCHED_BY}
        preset | text or null | the preset policy that it is or extends
        values | list | one per field, in the order of the file format
        values[].field | text | its name in files
        values[].value | any | in the unit of the file; null is "no limit"
        values[].unit | "seconds" or null | unit of a number
        values[].source | text | flag, environment, file, preset or default
        values[].where | text | the source: \`redrive.yaml:12\`, a variable, a preset
      `,
      exits: { failed: BAD_CONFIG, no_match: NO_MATCH },
      load: async () => (await import('./policies.ts')).runShowPolicy,
    },
    {
      name: 'explain',
      summary: 'say which policy applies, how long each wait is and when it gives up',
      args: [{ name: '<name>', summary: NAME_SUMMARY }],
      uses: 'config',
      examples: [
        'redrive policies explain RETRY_NATS_CONNECT',
        'redrive policies explain browser.state_operations.timeout --json',
      ],
      json: `
        id | text | the policy that was found
        name | text | the name for people
        description | text | when to use it
        ${MATCHED_BY}
        rule | text | the same rule in words
        preset | text or null | the preset policy that it is or extends
        enabled | boolean | false: one attempt
        max_attempts | number | the first call included
        backoff_type | text | how waits grow
        jitter_type | text | how waits are spread
        jitter_amount | number | the share of a wait that jitter may move
        ${DELAY_FIELDS}
        delays_truncated | boolean | whether there are more waits than are listed
        total_nominal_ms | number | all waits together, before jitter
        total_min_ms | number | all waits together, at the least
        total_max_ms | number | all waits together, at the most
        ttl_ms | number or null | the limit of the whole session; null: none
        attempt_timeout_ms | number or null | the limit of one attempt; null: none
        horizon_ms | number or null | the longest wait in process; null: any
        unclassified_errors | "retryable" or "final" | class of an error that no rule matches
        attempts_within_ttl | number | attempts that start in time if each fails at once
        gives_up | text | when it gives up, in a sentence
        sources | object | where each value came from, by field: \`{ kind, where }\`
        worst_cases | list | if every call fails: one entry per declared load (\`load\`) with this policy as a layer
        worst_cases[].dependency | text | the dependency of the load
        worst_cases[].layers | list | the policies, the outermost first
        worst_cases[].attempts | number | attempts of the stored layers together; 1: no layer is stored
        worst_cases[].calls_per_attempt | number | the largest number of attempts of an in-process layer: such layers count their retries together
        worst_cases[].calls | number | the product of the two
        worst_cases[].waits_max_ms | number | all waits, each as long as jitter allows, without the time of the calls
        worst_cases[].text | text | the same in words
      `,
      exits: { failed: BAD_CONFIG, no_match: NO_MATCH },
      load: async () => (await import('./explain.ts')).runExplain,
    },
    {
      name: 'plot',
      summary: 'draw the wait before each attempt, with its jitter band',
      args: [{ name: '<names...>', summary: NAME_SUMMARY }],
      options: [
        '--scale <kind> | linear, log or auto (log where waits differ a lot) [one of auto, linear, log]',
        '--ascii | draw with ASCII; the default where the locale is not UTF-8',
      ],
      uses: 'config',
      details:
        'Several policies are drawn side by side on one scale. The drawing is as wide as the terminal, and 80 columns without one.',
      examples: [
        'redrive policies plot events.default',
        'redrive policies plot NATS_CONNECT KV_GET API_REQUEST',
      ],
      json: `
        scale | "linear" or "log" | the scale that fits
        policies | list | in the order of the arguments
        policies[].id | text | the policy that was found
        ${under('policies[].', DELAY_FIELDS)}
      `,
      exits: { failed: BAD_CONFIG, no_match: NO_MATCH },
      load: async () => (await import('./policies.ts')).runPlot,
    },
    {
      name: 'simulate',
      summary: 'simulate an outage, a herd or a fleet, and count what the policies make of it',
      args: [
        {
          name: '<scene>',
          summary:
            'a file with a scene (YAML or JSON), or a scene that comes with Redrive: herd, partial-failure, outage-half-hour, layers, fleet',
        },
      ],
      options: ['--seeds <n> | the number of runs, 1 to 1,000; default 20'],
      uses: 'config',
      details:
        'A layer of a scene is a policy as the configuration writes it, or the name of one. Each figure is the median of all seeds, with its quartiles. Ctrl-C ends it with the results so far. docs/explanation/lab.md describes the fields of a scene.',
      examples: [
        'redrive policies simulate outage-half-hour --seeds 1',
        'redrive policies simulate fleet --seeds 2 --json',
      ],
      json: `
        scene | text | the name of the scene
        seeds | number | runs that were made
        cut | number | runs that ended early, at 10,000,000 attempts, 1,000,000 open sessions or 100,000,000 events
        layers | list | the layers of callers, the outermost first
        layers[].attempts | object | \`{ q1, median, q3 }\`
        layers[].amplification | object | attempts per session: \`{ q1, median, q3 }\`
        figures | fields | every figure as \`{ q1, median, q3 }\`; null: never
        figures.sessions | object | sessions that arrived
        figures.succeeded | object | sessions that succeeded
        figures.exhausted | object | sessions that were given up
        figures.parked | object | jobs that were parked at the end
        figures.most_parked | object | the most jobs parked at a time
        figures.attempts | object | attempts of all layers
        figures.attempts_while_down | object | calls that began while the dependency refused or stalled
        figures.peak_per_second | object | the most calls at the dependency in one second
        figures.goodput_after_ms | object | from the end of the last outage to ten seconds with 95 % goodput
        figures.drained99_after_ms | object | from the end of the last outage, or the beginning, until 99 % of the sessions had ended
        figures.drained_after_ms | object | the same for all sessions
        figures.latency_p50_ms | object | of sessions that succeeded, from their arrival
        figures.latency_p95_ms | object | of sessions that succeeded, from their arrival
        figures.latency_p99_ms | object | of sessions that succeeded, from their arrival
        figures.others_succeeded | object | share of others' calls that succeeded in the two minutes after the last outage
        series | fields | one number per step, the mean of all seeds
        series.step_ms | number | the length of a step
        series.arrivals | list | sessions that arrived
        series.attempts | list | calls at the dependency
        series.succeeded | list | sessions that succeeded
        series.exhausted | list | sessions that were given up
        series.parked | list | the most jobs parked at a time
      `,
      exits: {
        failed: 'the scene is not valid, or cannot be read',
        no_match: 'no file and no scene has that name',
        partial: 'some runs ended at 10,000,000 attempts',
        interrupted: 'Ctrl-C: the results are of the runs so far',
      },
      load: async () => (await import('./simulate.ts')).runSimulate,
    },
    {
      name: 'diff',
      summary: 'compare two policies: the fields and the waits that differ',
      args: [
        { name: '<a>', summary: 'a policy, category or path; or file:policy' },
        { name: '<b>', summary: 'the policy to compare it with; or file:policy' },
      ],
      uses: 'config',
      details: 'Only the behaviour is compared, not ids, names and descriptions.',
      examples: [
        'redrive policies diff KV_GET KV_PUT',
        'redrive policies diff old.yaml:browser_disk_full redrive.yaml:browser_disk_full',
      ],
      json: `
        equal | boolean | whether both policies behave the same
        a | text | the first policy: id, or file:id
        b | text | the second policy: id, or file:id
        fields | list | the fields that differ
        fields[].field | text | its name in files
        fields[].a | any | in the unit of the file; null is "no limit"
        fields[].b | any | in the unit of the file; null is "no limit"
        delays_ms | list | the waits that differ
        delays_ms[].attempt | number | the attempt that follows the wait
        delays_ms[].a | object or null | \`{ nominal, min, max }\`; null: no such attempt
        delays_ms[].b | object or null | \`{ nominal, min, max }\`; null: no such attempt
      `,
      exits: {
        failed: BAD_CONFIG,
        no_match: 'one of the policies does not exist',
        differs: 'the policies differ',
      },
      load: async () => (await import('./policies.ts')).runDiff,
    },
    ...LAB_POLICY_COMMANDS,
  ],
};
