import type { FieldRule } from '@redrive/core/fields';
import type { ObjectShape } from '../shape/shape.ts';
import { defineSection } from './section.ts';
import {
  count,
  durationOrNone,
  policyName,
  seconds,
  text,
  texts,
  value,
  yesOrNo,
} from './value-shapes.ts';

const DAY = 86_400;
/** As the worker takes them. */
const atOnce: FieldRule = { kind: 'integer', min: 1, max: 10_000 };
const lease: FieldRule = { kind: 'number', min: 0.1, max: DAY };

/** What the file leaves out, the module's own definition may say: hence defaults in words where there are any. */
const handler: ObjectShape = {
  kind: 'object',
  meaning:
    'A handler: a command, or an export of a module. One that has neither is registered by an application.',
  fields: {
    command: value(
      texts,
      'A program and its arguments, run for each job in the directory of this file; not through a shell.',
    ),
    module: value(text, 'A module that exports the handler, from the directory of this file.'),
    export: value(
      text,
      'The name of the export: a function, or a definition with `run`.',
      'default',
    ),
    policy: policyName('How its jobs are retried.', '`runs.default`'),
    concurrency: {
      ...value(atOnce, 'Jobs of it that one process runs at once.'),
      fallbackText: '`jobs.concurrency`',
    },
    concurrency_per_key: {
      ...value(count, 'Jobs of it with one limit key that run at once, over all processes.'),
      fallbackText: '`1`',
    },
    dependency: {
      ...value(
        text,
        'The dependency of the handler: names its retry budget, its gate and its circuit breaker.',
      ),
      fallbackText: "the policy's `dependency`",
    },
    credential: {
      ...value(
        text,
        'Names what it shows to its dependency, never the secret itself: who uses another one is not held up by a Retry-After that this one got.',
      ),
      fallbackText: 'none',
    },
    idempotent: value(yesOrNo, 'Whether running it again for the same job does no harm.'),
    on_unknown: {
      ...value(
        { kind: 'choice', values: ['retry', 'dead_letter'] },
        'What to do when nobody knows whether an attempt had its effect: after a crash, a timeout, or an error that does not rule it out.',
      ),
      fallbackText: '`retry`',
    },
  },
};

const retention: ObjectShape = {
  kind: 'object',
  meaning: 'How long finished jobs are kept with their results and history, from their end.',
  fields: {
    succeeded: seconds('Jobs that succeeded.', 7 * DAY),
    cancelled: seconds('Jobs that were cancelled.', 7 * DAY),
    dead: seconds('Jobs that were given up.', 90 * DAY),
    purged: seconds('Jobs that were purged, and can be restored for so long.', 7 * DAY),
    archive: value(
      text,
      'A directory, from that of this file: dead letters are written there in full, as JSON lines per day of death, before they are deleted.',
    ),
  },
};

/** Durable jobs: what `redrive start` runs. */
export const jobsSection = defineSection(
  'jobs',
  {
    kind: 'object',
    meaning: 'Durable jobs and what handles them.',
    fields: {
      lease_seconds: seconds('How long a worker holds a job without a sign of life.', 30, lease),
      grace_seconds: seconds(
        'How long a stopping worker lets running jobs end before it gives them back.',
        30,
        durationOrNone,
      ),
      concurrency: value(atOnce, 'Jobs that one process runs at once.', 10),
      queues: { ...value(texts, 'Only jobs of these queues.'), fallbackText: 'all' },
      health_port: value(
        { kind: 'integer', min: 0, max: 65_535 },
        'Port of `/livez` and `/readyz` on 127.0.0.1; 0: any free one. Where another process has it, the worker warns and works without; for one that must be had, use `--health-port`.',
        9_470,
      ),
      retention,
      handlers: {
        kind: 'map',
        key: 'handler',
        meaning: 'What runs for a job, by the name that jobs are enqueued under.',
        of: handler,
      },
    },
  },
  `jobs:
  handlers:
    resize:
      command: ["./resize.sh"]
      policy: runs.default
      concurrency: 4
      dependency: images
      idempotent: true
`,
);
