import type { CommandGroup, CommandSpec } from '../command/command-spec.ts';
import { under } from '../command/json-fields.ts';

const ID = {
  name: '<id>',
  summary: 'id of the bulk operation, printed by the command that started it',
};
const NO_OPERATION = 'there is no bulk operation with that id';

/** An operation, under `at`. */
const OPERATION_FIELDS = `
  id | text | its id
  act | text | requeue, cancel, purge, reset, restore or regroup (dead letters follow new rules of causes)
  state | "running", "paused", "stopped", "aborted" or "finished" | stopped: by its ramp, because too many jobs failed again
  by | text | the operator who started it, or changed it last
  why | text or null | the reason that was given
  started_at | time | ISO 8601
  updated_at | time | time of its newest step
  done | number | jobs that were changed
  refused | number | jobs whose state did not allow it
  total | number or null | jobs in all; null: not known
  total_bounded | boolean | true: there are more than \`total\`
  in_flight | number | jobs that were requeued and have made no attempt yet
  succeeded | number | requeued jobs whose first attempt succeeded
  came_back | number | requeued jobs whose first attempt failed
  rate | number or null | jobs per second at most; null: no limit
  max_in_flight | number or null | null: no limit
  ramp | object or null | \`stages\`, \`stop_share\`, and for the current stage \`stage\` (from 1), \`sent\`, \`succeeded\`, \`came_back\` (failed again)
  in_background | boolean | true: workers carry it out, or did; false: only the process that started it does, or it finished long ago
  runner | text or null | the process that carries it out; null: none at the moment
  time_left | number or null | estimated seconds at the current rate
`;

const ACT: Partial<CommandSpec> = {
  args: [ID],
  acts: true,
  uses: 'store',
  json: `
    ${OPERATION_FIELDS}
    dry_run | boolean | true: nothing was changed, and the fields show the result as it would be
  `,
  exits: {
    no_match: NO_OPERATION,
    conflict: 'the state of the bulk operation does not allow it',
  },
};

export const OPS_COMMANDS: CommandGroup = {
  name: 'ops',
  aliases: ['op'],
  summary: 'list bulk operations, pause them, change their rate, abort them',
  commands: [
    {
      name: 'list',
      summary: 'list bulk operations, the newest first',
      pages: true,
      uses: 'store',
      reads: 'metrics',
      rows: 'id, act, state, begun, done, failed again, why',
      details: 'A finished bulk operation is kept for 30 days.',
      examples: ['redrive ops list', 'redrive ops list --json'],
      json: `
        operations | list | newest first
        ${under('operations[].', OPERATION_FIELDS)}
      `,
      load: async () => (await import('./operations.ts')).runOpsList,
    },
    {
      name: 'show',
      summary: 'print a bulk operation: its request, its progress, and the jobs that failed again',
      args: [ID],
      uses: 'store',
      reads: 'metrics',
      examples: ['redrive ops show incident-7'],
      json: `
        ${OPERATION_FIELDS}
        request | object | the stored request: the act and its target
      `,
      exits: { no_match: NO_OPERATION },
      load: async () => (await import('./operations.ts')).runOpsShow,
    },
    {
      name: 'watch',
      summary: 'follow a bulk operation until it is finished',
      args: [ID],
      options: ['--timeout <time> | how long to wait, such as 30s; default: without limit'],
      uses: 'store',
      reads: 'metrics',
      streams: true,
      details:
        'It shows progress, rate, estimated time left and the share of jobs that failed again. It exits when the bulk operation is finished, aborted, or stopped by its ramp; while it is paused, it waits. Ctrl-C stops only the watching. With --json it prints one line per update.',
      examples: ['redrive ops watch incident-7'],
      json: OPERATION_FIELDS,
      exits: {
        no_match: NO_OPERATION,
        partial: 'the bulk operation was stopped by its ramp, or aborted',
        timed_out: 'the bulk operation did not finish within --timeout',
        interrupted: 'stopped by Ctrl-C; the bulk operation continues',
      },
      load: async () => (await import('./operations.ts')).runOpsWatch,
    },
    {
      name: 'pause',
      summary: 'pause a bulk operation until it is resumed',
      details: 'Jobs that are requeued already run as before.',
      ...ACT,
      examples: ['redrive ops pause incident-7'],
      load: async () => (await import('./operations.ts')).runOpsPause,
    },
    {
      name: 'resume',
      summary: 'resume a bulk operation that is paused or was stopped by its ramp',
      details:
        'After a stop by its ramp it begins again at the first stage, and includes the jobs that failed again. Any running "redrive start" carries it out.',
      ...ACT,
      examples: ['redrive ops resume incident-7 --reason fixed'],
      load: async () => (await import('./operations.ts')).runOpsResume,
    },
    {
      name: 'set-rate',
      summary: 'change the rate of a bulk operation: jobs per second at most',
      ...ACT,
      args: [ID, { name: '<rate>', summary: 'such as 50/s; none: no limit' }],
      examples: ['redrive ops set-rate incident-7 200/s'],
      load: async () => (await import('./operations.ts')).runOpsSetRate,
    },
    {
      name: 'abort',
      summary: 'abort a bulk operation for good; finished changes stay',
      ...ACT,
      examples: ['redrive ops abort incident-7 --reason wrong'],
      load: async () => (await import('./operations.ts')).runOpsAbort,
    },
  ],
};
