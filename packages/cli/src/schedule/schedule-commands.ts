import { actionCommand } from '../action/action-command.ts';
import type { Sugar } from '../action/sugar.ts';
import type { CommandGroup } from '../command/command-spec.ts';

const ARGS: Sugar['args'] = [{ name: '<name>', summary: 'as "redrive schedules list" names it' }];

/** The part that `pause` and `resume` share. */
const CHANGE: Pick<Sugar, 'args' | 'fixed' | 'render'> = {
  args: ARGS,
  fixed: { scope: 'schedule' },
  render: async () => (await import('../queue/queues.ts')).PAUSE_CHANGE,
};

export const SCHEDULE_COMMANDS: CommandGroup = {
  name: 'schedules',
  aliases: ['schedule'],
  summary: 'list, run, pause, resume and remove schedules',
  commands: [
    actionCommand({
      name: 'list',
      action: 'schedules.list',
      rows: 'name, times, handler, next, last, enqueued, skipped, missed',
      examples: ['redrive schedules list', 'redrive schedules list --json'],
      render: async () => (await import('./schedule-view.ts')).SCHEDULE_LIST,
    }),
    actionCommand({
      name: 'show',
      action: 'schedules.show',
      args: ARGS,
      examples: ['redrive schedules show nightly'],
      render: async () => (await import('./schedule-view.ts')).SCHEDULE_SHOW,
    }),
    actionCommand({
      name: 'run',
      action: 'schedules.run',
      args: ARGS,
      examples: ["redrive schedules run nightly --reason 'the night was missed'"],
      render: async () => (await import('./schedule-view.ts')).SCHEDULE_RUN,
    }),
    actionCommand({
      ...CHANGE,
      name: 'pause',
      action: 'queues.pause',
      summary: 'pause a schedule: it enqueues nothing until it is resumed',
      details:
        'Jobs that are enqueued go on. A kill switch or a pause over its queue, handler or tenant stops its ticks, too.',
      examples: ["redrive schedules pause nightly --reason 'the database moves'"],
    }),
    actionCommand({
      ...CHANGE,
      name: 'resume',
      action: 'queues.resume',
      summary: 'resume a schedule',
      details:
        'If a tick was missed meanwhile and its missed is last, its job is enqueued at once.',
      examples: ['redrive schedules resume nightly'],
    }),
    actionCommand({
      name: 'remove',
      action: 'schedules.remove',
      args: ARGS,
      examples: ["redrive schedules remove hourly --reason 'replaced by nightly'"],
      render: async () => (await import('./schedule-view.ts')).SCHEDULE_REMOVE,
    }),
  ],
};
