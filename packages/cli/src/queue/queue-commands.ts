import { actionCommand } from '../action/action-command.ts';
import type { Sugar } from '../action/sugar.ts';
import type { CommandGroup, Invocation } from '../command/command-spec.ts';

/** The part that `pause` and `resume` share. */
const CHANGE: Pick<Sugar, 'args' | 'emergency' | 'input' | 'options' | 'render'> = {
  emergency: true,
  args: [{ name: '<name>', summary: 'name of the queue, or of the handler with --handler' }],
  options: ['--handler | the name is that of a handler'],
  input: ({ options }: Invocation) => ({ scope: options.handler ? 'handler' : 'queue' }),
  render: async () => (await import('./queues.ts')).PAUSE_CHANGE,
};

export const QUEUE_COMMANDS: CommandGroup = {
  name: 'queues',
  aliases: ['queue'],
  summary: 'list, pause and resume queues',
  commands: [
    actionCommand({
      name: 'list',
      action: 'queues.list',
      emergency: true,
      rows: 'queue, scheduled, ready, parked, leased, succeeded, dead, cancelled, paused',
      examples: ['redrive queues list', 'redrive queues list --json'],
      render: async () => (await import('./queues.ts')).QUEUE_LIST,
    }),
    actionCommand({
      ...CHANGE,
      name: 'pause',
      action: 'queues.pause',
      summary: 'pause a queue or a handler: none of its jobs is started',
      examples: [
        'redrive queues pause default --reason maintenance',
        'redrive queues pause mail --handler',
      ],
    }),
    actionCommand({
      ...CHANGE,
      name: 'resume',
      action: 'queues.resume',
      summary: 'resume a paused queue or handler',
      examples: ['redrive queues resume default'],
    }),
  ],
};
