import { MANIFEST } from '@redrive/operate/manifest';
import { actionCommand } from '../action/action-command.ts';
import type { Sugar } from '../action/sugar.ts';
import type { CommandGroup } from '../command/command-spec.ts';

const ID = {
  name: '<id>',
  summary: 'id of the bulk operation, printed by the command that started it',
};

/** The part that all acts share. */
const ACT: Pick<Sugar, 'args' | 'render'> = {
  args: [ID],
  render: async () => (await import('./operations.ts')).OPERATION_CHANGE,
};

/** The fields of a line: those of the list. */
const LINE_FIELDS = MANIFEST['operations.list'].json
  .split('\n')
  .flatMap((line) => (line.startsWith('operations[].') ? [line.slice('operations[].'.length)] : []))
  .join('\n');

const WATCH: Sugar = {
  name: 'watch',
  action: 'operations.show',
  summary: 'follow a bulk operation until it is finished',
  args: [ID],
  options: ['--timeout <time> | how long to wait, such as 30s; default: without limit'],
  details:
    'It shows progress, rate, estimated time left and the share of jobs that failed again. It exits when the bulk operation is finished, aborted, or stopped by its ramp; while it is paused, it waits. Ctrl-C stops only the watching. With --json it prints one line per update.',
  examples: ['redrive ops watch incident-7'],
  exits: {
    partial: 'the bulk operation was stopped by its ramp, or aborted',
    timed_out: 'the bulk operation did not finish within --timeout',
    interrupted: 'stopped by Ctrl-C; the bulk operation continues',
  },
  render: async () => (await import('./operations.ts')).OPERATION_SHOW,
};

export const OPS_COMMANDS: CommandGroup = {
  name: 'ops',
  aliases: ['op'],
  summary: 'list bulk operations, pause them, change their rate, abort them',
  commands: [
    actionCommand({
      name: 'list',
      action: 'operations.list',
      pages: true,
      rows: 'id, act, state, begun, done, failed again, why',
      examples: ['redrive ops list', 'redrive ops list --json'],
      render: async () => (await import('./operations.ts')).OPERATION_LIST,
    }),
    actionCommand({
      name: 'show',
      action: 'operations.show',
      args: [ID],
      examples: ['redrive ops show incident-7'],
      render: async () => (await import('./operations.ts')).OPERATION_SHOW,
    }),
    {
      ...actionCommand(WATCH),
      streams: true,
      json: LINE_FIELDS,
      load: async () => (await import('./operations.ts')).watchCommand(WATCH),
    },
    actionCommand({
      ...ACT,
      name: 'pause',
      action: 'operations.pause',
      examples: ['redrive ops pause incident-7'],
    }),
    actionCommand({
      ...ACT,
      name: 'resume',
      action: 'operations.resume',
      examples: ['redrive ops resume incident-7 --reason fixed'],
    }),
    actionCommand({
      ...ACT,
      name: 'set-rate',
      action: 'operations.setRate',
      args: [ID, { name: '<rate>', summary: 'such as 50/s; none: no limit' }],
      input: ({ args: [, rate] }) => ({ rate: rate === 'none' ? null : rate }),
      examples: ['redrive ops set-rate incident-7 200/s'],
    }),
    actionCommand({
      ...ACT,
      name: 'abort',
      action: 'operations.abort',
      examples: ['redrive ops abort incident-7 --reason wrong'],
    }),
  ],
};
