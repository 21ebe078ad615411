import { actionCommand } from '../action/action-command.ts';
import type { CommandGroup } from '../command/command-spec.ts';
import { BAD_CONFIG } from '../command/common-options.ts';
import { LAB_POLICY_COMMANDS } from './lab-policy-commands.ts';

const SHARED = { exits: { failed: BAD_CONFIG } } as const;

export const POLICY_COMMANDS: CommandGroup = {
  name: 'policies',
  aliases: ['policy'],
  summary: 'list, show, explain, plot, simulate and compare retry policies',
  commands: [
    actionCommand({
      ...SHARED,
      name: 'list',
      action: 'policies.list',
      rows: 'id, attempts, back-off, first wait, longest wait, jitter, from',
      examples: ['redrive policies list', 'redrive policies list --json --config redrive.yaml'],
      render: async () => (await import('./policies.ts')).POLICY_LIST,
    }),
    actionCommand({
      ...SHARED,
      name: 'show',
      action: 'policies.show',
      args: [{ name: '<policy>' }],
      examples: ['redrive policies show events.default'],
      render: async () => (await import('./policies.ts')).POLICY_SHOW,
    }),
    actionCommand({
      ...SHARED,
      name: 'explain',
      action: 'policies.explain',
      args: [{ name: '<policy>' }],
      examples: [
        'redrive policies explain RETRY_NATS_CONNECT',
        'redrive policies explain browser.state_operations.timeout --json',
      ],
      render: async () => (await import('./explain.ts')).POLICY_EXPLAIN,
    }),
    actionCommand({
      ...SHARED,
      name: 'plot',
      action: 'policies.plot',
      details:
        'Several policies are drawn side by side on one scale. The drawing is as wide as the terminal, and 80 columns without one.',
      args: [
        { name: '<names...>', summary: 'policies, categories or subsystem paths; at most 20' },
      ],
      options: [
        '--scale <kind>',
        '--ascii | draw with ASCII; the default where the locale is not UTF-8',
      ],
      examples: [
        'redrive policies plot events.default',
        'redrive policies plot NATS_CONNECT KV_GET API_REQUEST',
      ],
      render: async () => (await import('./policies.ts')).POLICY_PLOT,
    }),
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
    actionCommand({
      ...SHARED,
      name: 'diff',
      action: 'policies.diff',
      args: [{ name: '<a>' }, { name: '<b>' }],
      examples: [
        'redrive policies diff KV_GET KV_PUT',
        'redrive policies diff old.yaml:browser_disk_full redrive.yaml:browser_disk_full',
      ],
      exits: { ...SHARED.exits, differs: 'the policies differ' },
      render: async () => (await import('./policies.ts')).POLICY_DIFF,
    }),
    ...LAB_POLICY_COMMANDS,
  ],
};
