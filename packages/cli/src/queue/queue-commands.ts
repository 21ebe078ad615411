import type { CommandGroup, CommandSpec } from '../command/command-spec.ts';
import {
  DRY_RUN_OPTION,
  NEXT_FIELD,
  REASON_OPTION,
  STORE_COMMAND_OPTIONS,
} from '../command/common-options.ts';
import { NO_STORE, PAUSE_FIELDS, stateFields } from '../status/status-command.ts';

/** What pausing and resuming have in common. */
const CHANGE: Pick<CommandSpec, 'args' | 'options' | 'json' | 'exits'> = {
  args: [{ name: '<name>', summary: 'name of the queue, or of the handler with --handler' }],
  options: [
    { flags: '--handler', summary: 'the name is that of a handler' },
    REASON_OPTION,
    DRY_RUN_OPTION,
    ...STORE_COMMAND_OPTIONS,
  ],
  json: [
    { path: 'scope', type: '"queue" or "handler"', meaning: 'a queue or a handler' },
    { path: 'name', type: 'text', meaning: 'its name' },
    { path: 'paused', type: 'boolean', meaning: 'whether it is paused now' },
    {
      path: 'changed',
      type: 'boolean',
      meaning: 'false: it was in that state already, or --dry-run',
    },
    { path: 'dry_run', type: 'boolean', meaning: 'true: nothing was changed' },
  ],
  exits: { unreachable: NO_STORE },
};

/** `redrive queues …` */
export const QUEUE_COMMANDS: CommandGroup = {
  name: 'queues',
  aliases: ['queue'],
  summary: 'list, pause and resume queues',
  commands: [
    {
      name: 'list',
      emergency: true,
      summary: 'list the queues that have jobs or are paused',
      options: [REASON_OPTION, ...STORE_COMMAND_OPTIONS],
      reads: 'metrics',
      rows: [
        'queue',
        'scheduled',
        'ready',
        'parked',
        'leased',
        'succeeded',
        'dead',
        'cancelled',
        'paused',
      ],
      examples: ['redrive queues list', 'redrive queues list --json'],
      json: [
        { path: 'queues', type: 'list', meaning: 'by name' },
        { path: 'queues[].queue', type: 'text', meaning: 'its name' },
        { path: 'queues[].paused', type: 'boolean', meaning: 'true: none of its jobs is started' },
        { path: 'queues[].states', type: 'map', meaning: 'jobs in each state' },
        ...stateFields('queues[].states.'),
        { path: 'bounded', type: 'boolean', meaning: 'true: counting stopped, and there are more' },
        ...PAUSE_FIELDS,
        NEXT_FIELD,
      ],
      exits: { unreachable: NO_STORE },
      load: async () => (await import('./list.ts')).runQueueList,
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
      load: async () => (await import('./pause.ts')).runPause,
    },
    {
      name: 'resume',
      emergency: true,
      summary: 'resume a paused queue or handler',
      details: 'Workers are notified at once.',
      ...CHANGE,
      examples: ['redrive queues resume default'],
      load: async () => (await import('./pause.ts')).runResume,
    },
  ],
};
