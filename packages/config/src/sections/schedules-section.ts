import { defineSection, MAX_SECONDS, optional, required, text, value } from './section.ts';

/** Schedules, which `redrive start` runs beside the jobs. */
export const schedulesSection = defineSection(
  'schedules',
  {
    kind: 'map',
    key: 'schedule',
    meaning: 'Schedules by name: each enqueues a job at every tick.',
    of: {
      kind: 'object',
      meaning: 'A schedule, with either `every` or `cron`.',
      fields: {
        handler: required(text, 'The handler of its jobs.'),
        every: {
          kind: 'value',
          rule: { kind: 'number', min: 1, max: MAX_SECONDS },
          meaning:
            'The interval. It ticks at its multiples since 1970, so a restart does not move it.',
          unit: 'seconds',
        },
        cron: value(text, 'A cron expression of five fields, or six with seconds in front.'),
        time_zone: optional(text, 'The time zone of `cron`.', '`UTC`'),
        payload: optional(
          text,
          'The payload of every job, as JSON in quotes: at most 16 KiB.',
          'none',
        ),
        overlap: value(
          { kind: 'choice', values: ['skip', 'queue'] },
          'For a tick while the job of an earlier tick is unfinished: `skip` enqueues nothing, `queue` lets its job wait.',
          'skip',
        ),
        missed: value(
          { kind: 'choice', values: ['none', 'last'] },
          'For ticks that passed while no worker ran, or while the schedule was stopped: `last` enqueues the last one.',
          'last',
        ),
        queue: value(text, 'The queue of its jobs.', 'default'),
        tenant: optional(text, 'The tenant of its jobs.', 'none'),
        priority: value(
          { kind: 'integer', min: -1_000, max: 1_000 },
          'The priority of its jobs, higher first.',
          0,
        ),
      },
    },
  },
  `schedules:
  nightly:
    handler: resize
    cron: "30 2 * * *"
    time_zone: Europe/Berlin
`,
);
