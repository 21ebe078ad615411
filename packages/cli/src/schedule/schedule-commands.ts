import type { CommandGroup, CommandSpec } from '../command/command-spec.ts';
import { under } from '../command/json-fields.ts';

const ARGS: CommandSpec['args'] = [
  { name: '<name>', summary: 'as "redrive schedules list" names it' },
];

/** A schedule, under `at`. */
const SCHEDULE_FIELDS = `
  name | text | its name
  every_ms | number or null | its interval; null: it has a cron expression
  cron | text or null | its cron expression; null: it has an interval
  time_zone | text or null | the time zone of the cron expression
  handler | text | the handler of its jobs
  queue | text | the queue of its jobs
  tenant | text or null | the tenant of its jobs
  priority | number | the priority of its jobs
  overlap | "skip" or "queue" | for a tick while the job of an earlier tick is unfinished
  missed | "none" or "last" | for ticks that passed while no worker ran, or while it was stopped
  state | "active", "stopped" or "no_worker" | stopped: by a pause or a kill switch; no_worker: a tick is due, and no worker enqueues it
  next | time or null | its next tick; null: it is stopped
  last_tick | time or null | the last tick that was due
  last_result | "enqueued", "skipped", "missed" or null | the result of that tick
  last_job | text or null | the job that was enqueued, or that was unfinished
  holder | text | the worker that enqueues its ticks
  totals | object | ticks that were enqueued, skipped and missed, and counts that its handler adds
  stopped_by | text or null | who stopped it
  stopped_why | text or null | the reason that was given
`;

const CHANGE: Partial<CommandSpec> = {
  args: ARGS,
  acts: true,
  uses: 'store',
  json: `
    name | text | its name
    paused | boolean | whether it is paused now
    changed | boolean | false: it was in that state already, or --dry-run
  `,
  exits: { no_match: 'there is no such schedule' },
};

export const SCHEDULE_COMMANDS: CommandGroup = {
  name: 'schedules',
  aliases: ['schedule'],
  summary: 'list, run, pause, resume and remove schedules',
  commands: [
    {
      name: 'list',
      summary: 'list the schedules, their next and last ticks',
      uses: 'store',
      reads: 'metrics',
      rows: 'name, times, handler, next, last, enqueued, skipped, missed',
      details:
        'A schedule is listed as soon as a worker that declares it has started: in redrive.yaml under schedules, or with jobs.schedule() in an application. It stays in the list with its totals when it is declared no more, until "redrive schedules remove".',
      examples: ['redrive schedules list', 'redrive schedules list --json'],
      json: `
        schedules | list | by name
        ${under('schedules[].', SCHEDULE_FIELDS)}
      `,
      load: async () => (await import('./schedule-view.ts')).runScheduleList,
    },
    {
      name: 'show',
      summary: 'show a schedule with its next ticks',
      args: ARGS,
      uses: 'store',
      reads: 'payloads',
      examples: ['redrive schedules show nightly'],
      json: SCHEDULE_FIELDS,
      exits: { no_match: 'there is no such schedule' },
      load: async () => (await import('./schedule-view.ts')).runScheduleShow,
    },
    {
      name: 'run',
      summary: 'enqueue the job of a schedule now',
      args: ARGS,
      acts: true,
      uses: 'store',
      details:
        'The ticks of the schedule stay as they are. It also works while the schedule is paused.',
      examples: ["redrive schedules run nightly --reason 'the night was missed'"],
      json: `
        name | text | its name
        job | text or null | the id of the new job; null: --dry-run
      `,
      exits: {
        no_match: 'there is no such schedule',
        conflict: 'its overlap is skip, and a job of it is unfinished',
      },
      load: async () => (await import('./act.ts')).runScheduleRun,
    },
    {
      ...CHANGE,
      name: 'pause',
      summary: 'pause a schedule: it enqueues nothing until it is resumed',
      details:
        'Jobs that are enqueued go on. A kill switch or a pause over its queue, handler or tenant stops its ticks, too.',
      examples: ["redrive schedules pause nightly --reason 'the database moves'"],
      load: async () => (await import('./act.ts')).runSchedulePause,
    },
    {
      ...CHANGE,
      name: 'resume',
      summary: 'resume a schedule',
      details:
        'If a tick was missed meanwhile and its missed is last, its job is enqueued at once.',
      examples: ['redrive schedules resume nightly'],
      load: async () => (await import('./act.ts')).runScheduleResume,
    },
    {
      name: 'remove',
      summary: 'remove a schedule that no process declares any more, with its totals and its pause',
      args: ARGS,
      acts: true,
      uses: 'store',
      details:
        'Its jobs stay. It is refused while the configuration has the schedule, and while the worker runs that enqueues its ticks. A process that still declares it creates it again.',
      examples: ["redrive schedules remove hourly --reason 'replaced by nightly'"],
      json: `
        name | text | its name
        removed | boolean | false: --dry-run
      `,
      exits: {
        no_match: 'there is no such schedule',
        conflict: 'the configuration has it, or a worker that declares it runs',
      },
      load: async () => (await import('./act.ts')).runScheduleRemove,
    },
  ],
};
