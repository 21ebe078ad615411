import type { FieldRule } from '@redrive/core/fields';
import type { ObjectShape } from '../shape/shape.ts';
import {
  count,
  defineSection,
  durationOrNone,
  policyName,
  seconds,
  text,
  texts,
  value,
  yesOrNo,
} from './section.ts';

const DAY = 86_400;
/** The same limits as the options of `createJobs`. */
const atOnce: FieldRule = { kind: 'integer', min: 1, max: 10_000 };
const lease: FieldRule = { kind: 'number', min: 0.1, max: DAY };

/** The module's own definition may set keys that the file leaves out: hence defaults in words, not as values. */
const handler: ObjectShape = {
  kind: 'object',
  meaning:
    'A handler: a command, or an export of a module. Leave both out for a handler that an application registers itself.',
  fields: {
    command: value(
      texts,
      'A program and its arguments. It runs once per attempt, in the directory of this file, without a shell.',
    ),
    module: value(
      text,
      'The path of a module that exports the handler, relative to the directory of this file.',
    ),
    export: value(
      text,
      'The name of the export: a function, or a definition with `run`.',
      'default',
    ),
    policy: policyName('The policy of its jobs.', '`runs.default`'),
    concurrency: {
      ...value(atOnce, 'The number of its jobs that one process runs at once.'),
      fallbackText: '`jobs.concurrency`',
    },
    concurrency_per_key: {
      ...value(
        count,
        'The number of its jobs with the same limit key that run at once, in all processes together.',
      ),
      fallbackText: '`1`',
    },
    dependency: {
      ...value(
        text,
        'The dependency that the handler calls. Handlers with the same dependency share its retry budget, its gates and its circuit breaker.',
      ),
      fallbackText: "the policy's `dependency`",
    },
    credential: {
      ...value(
        text,
        'A name for the account that the handler uses at its dependency, never the secret itself. A Retry-After closes the gate of this credential only; handlers with another credential go on.',
      ),
      fallbackText: 'none',
    },
    idempotent: value(yesOrNo, '`true`: running it twice for the same job does no harm.'),
    on_unknown: {
      ...value(
        { kind: 'choice', values: ['retry', 'dead_letter'] },
        'For an attempt that may have had its effect (after a crash, a timeout, or an error that leaves it open): `retry` runs the job again, `dead_letter` leaves the decision to a person.',
      ),
      fallbackText: '`retry`',
    },
  },
};

const retention: ObjectShape = {
  kind: 'object',
  meaning:
    'How long the store keeps finished jobs with their results and history, counted from the time at which they finished.',
  fields: {
    succeeded: seconds('Retention of succeeded jobs.', 7 * DAY),
    cancelled: seconds('Retention of cancelled jobs.', 7 * DAY),
    dead: seconds('Retention of dead letters.', 90 * DAY),
    purged: seconds(
      'Retention of purged dead letters. Until then `redrive dlq restore` brings them back.',
      7 * DAY,
    ),
    archive: value(
      text,
      'A directory, relative to the directory of this file. Before dead letters are deleted, they are written there in full: one file of JSON lines per day on which they died.',
    ),
  },
};

/** Durable jobs, which `redrive start` runs. */
export const jobsSection = defineSection(
  'jobs',
  {
    kind: 'object',
    meaning: 'Durable jobs and their handlers.',
    fields: {
      lease_seconds: seconds(
        'How long a claim holds without a heartbeat. After that another worker may claim the job.',
        30,
        lease,
      ),
      grace_seconds: seconds(
        'How long a stopping worker waits for running jobs before it aborts them and releases their claims.',
        30,
        durationOrNone,
      ),
      concurrency: value(atOnce, 'The number of jobs that one process runs at once.', 10),
      queues: {
        ...value(texts, 'The queues whose jobs the worker runs.'),
        fallbackText: 'all',
      },
      health_port: value(
        { kind: 'integer', min: 0, max: 65_535 },
        'The port of `/livez` and `/readyz` on 127.0.0.1; 0 takes any free port. If the port is in use, the worker logs a warning and runs without health checks; with `--health-port` it fails to start instead.',
        9_470,
      ),
      retention,
      handlers: {
        kind: 'map',
        key: 'handler',
        meaning: 'Handlers, by the name that jobs are enqueued with.',
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
