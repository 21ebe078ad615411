import type { CommandGroup, CommandSpec } from '../command/command-spec.ts';
import { under } from '../command/json-fields.ts';
import { PAUSE_FIELDS, STATE_FIELDS } from '../status/status-command.ts';

/** The part that `pause` and `resume` share. */
const CHANGE: Partial<CommandSpec> = {
  args: [{ name: '<name>', summary: 'name of the queue, or of the handler with --handler' }],
  options: ['--handler | the name is that of a handler'],
  acts: true,
  uses: 'store',
  json: `
    scope | "queue" or "handler" | a queue or a handler
    name | text | its name
    paused | boolean | whether it is paused now
    changed | boolean | false: it was in that state already, or --dry-run
  `,
};

export const QUEUE_COMMANDS: CommandGroup = {
  name: 'queues',
  aliases: ['queue'],
  summary: 'list, pause and resume queues',
  commands: [
    {
      name: 'list',
      emergency: true,
      summary: 'list the queues that have jobs or are paused',
      uses: 'store',
      reads: 'metrics',
      rows: 'queue, scheduled, ready, parked, leased, succeeded, dead, cancelled, paused',
      examples: ['redrive queues list', 'redrive queues list --json'],
      json: `
        queues | list | by name
        queues[].queue | text | its name
        queues[].paused | boolean | true: none of its jobs is started
        queues[].states | map | jobs in each state
        ${under('queues[].states.', STATE_FIELDS)}
        queues[].bounded | list | the states in which there are more jobs than counted
        bounded | boolean | true: counting stopped, and there are more
        ${PAUSE_FIELDS}
      `,
      load: async () => (await import('./queues.ts')).runQueueList,
    },
    {
      name: 'pause',
      emergency: true,
      summary: 'pause a queue or a handler: none of its jobs is started',
      details: 'Running jobs finish. New jobs can be enqueued, and wait.',
      ...CHANGE,
      examples: [
        'redrive queues pause default --reason maintenance',
        'redrive queues pause mail --handler',
      ],
      load: async () => (await import('./queues.ts')).runPause,
    },
    {
      name: 'resume',
      emergency: true,
      summary: 'resume a paused queue or handler',
      details: 'Workers are notified at once.',
      ...CHANGE,
      examples: ['redrive queues resume default'],
      load: async () => (await import('./queues.ts')).runResume,
    },
  ],
};
