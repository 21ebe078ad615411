import type { FieldRule } from '@redrive/core/fields';
import type { MapShape, ObjectShape } from '../shape/shape.ts';
import {
  count,
  defineSection,
  durationOrNone,
  MAX_SECONDS,
  optional,
  policyName,
  required,
  seconds,
  text,
  texts,
  value,
  yesOrNo,
} from './section.ts';

const DAY = 86_400;
/** The same limits as the options of `createJobs`. */
const atOnce: FieldRule = { kind: 'integer', min: 1, max: 10_000 };
const rateCount: FieldRule = { kind: 'integer', min: 1, max: 1_000_000 };
const lease: FieldRule = { kind: 'number', min: 0.1, max: DAY };

const request: ObjectShape = {
  kind: 'object',
  optional: true,
  meaning:
    'A request. It is sent once per attempt, with the payload as its body, and its answer is classified by the table of HTTP statuses.',
  fields: {
    url: required(text, 'The address. Its host must be in `jobs.http.targets`.'),
    method: value(
      { kind: 'choice', values: ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'] },
      'The method. GET and DELETE send no body.',
      'POST',
    ),
    headers: {
      kind: 'map',
      key: 'header',
      meaning: 'Headers of the request. Secrets belong in `headers_env`.',
      of: value(text, 'The value of the header.'),
    },
    headers_env: {
      kind: 'map',
      key: 'header',
      meaning: 'Headers whose values are in environment variables.',
      of: value(text, 'The name of the variable.'),
    },
    secret_env: optional(
      text,
      'The environment variable with the secret that signs each request: `whsec_` and Base64, or a text; at least 24 bytes.',
      'none',
    ),
    timeout: seconds('The time for one attempt.', 30, { kind: 'number', min: 0.001, max: DAY }),
  },
};

const targets: ObjectShape = {
  kind: 'object',
  meaning: 'Which addresses handlers with `http` may call.',
  fields: {
    targets: value(
      texts,
      'Hosts that may be called, with their port unless it is the default one: `shop.example`, `shop.example:8443`.',
      [],
    ),
    allow_http: value(texts, 'Hosts that may be called without TLS.', []),
    allow_private: value(
      texts,
      'Addresses and ranges that may be called although they are not public, such as `10.1.0.0/16`.',
      [],
    ),
    ca: value(
      text,
      "The path of a file with certificates of authorities (PEM), relative to the directory of this file. They are trusted beside Node's own.",
    ),
  },
};

const rates: MapShape = {
  kind: 'map',
  key: 'rate',
  meaning:
    'Limits on starts, over all processes, by names of your own. A job above one stays ready. Reloading changes them at once.',
  of: {
    kind: 'object',
    meaning: 'A limit on starts.',
    fields: {
      limit: required(rateCount, 'The number of starts that it allows in its time.'),
      per_seconds: {
        ...required(
          { kind: 'number', min: 0.001, max: 31 * DAY },
          'The time in which so many may start.',
        ),
        unit: 'seconds',
      },
      by: optional(
        { kind: 'choice', values: ['handler', 'tenant', 'key'] },
        'What is counted apart: each tenant, each rate key of a tenant, or (of a queue) each handler.',
        'all its jobs together',
      ),
      burst: optional(
        rateCount,
        'The number of starts that may come at once after a pause.',
        '`limit`',
      ),
    },
  },
};

/** The module's own definition may set keys that the file leaves out: hence defaults in words, not as values. */
const handler: ObjectShape = {
  kind: 'object',
  meaning:
    'A handler: a command, an export of a module, or a request. Leave all three out for a handler that an application registers itself.',
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
    http: request,
    policy: policyName('The policy of its jobs.', '`runs.default`'),
    concurrency: optional(
      atOnce,
      'The number of its jobs that one process runs at once.',
      '`jobs.concurrency`',
    ),
    concurrency_per_key: optional(
      count,
      'The number of its jobs with the same limit key that run at once, in all processes together.',
      '`1`',
    ),
    rates,
    dependency: optional(
      text,
      'The dependency that the handler calls. Handlers with the same dependency share its retry budget, its gates and its circuit breaker.',
      "the policy's `dependency`",
    ),
    credential: optional(
      text,
      'A name for the account that the handler uses at its dependency, never the secret itself. A Retry-After closes the gate of this credential only; handlers with another credential go on.',
      'none',
    ),
    idempotent: value(yesOrNo, '`true`: running it twice for the same job does no harm.'),
    on_unknown: optional(
      { kind: 'choice', values: ['retry', 'dead_letter'] },
      'For an attempt that may have had its effect (after a crash, a timeout, or an error that leaves it open): `retry` runs the job again, `dead_letter` leaves the decision to a person.',
      '`retry`',
    ),
    up_to: optional(
      atOnce,
      'The most jobs of one tenant that one call does. A command gets them as JSON lines; a module exports `runMany`. `concurrency` should be at least as much.',
      '`1`: one job per call',
    ),
    wait_seconds: {
      ...optional(
        { kind: 'number', min: 0, max: 60 },
        'How long the first job of a call waits for others, with `up_to`.',
        '`0.02`',
      ),
      unit: 'seconds',
    },
    stall_after_seconds: {
      ...optional(
        { kind: 'number', min: 0.1, max: MAX_SECONDS },
        'An attempt that reports no other progress (`context.progress`) for this long has stalled: the worker logs it, and `redrive status` names it. It counts from the start of the attempt, and is at least a third of `lease_seconds`.',
        'never',
      ),
      unit: 'seconds',
    },
    on_stall: optional(
      { kind: 'choice', values: ['report', 'interrupt'] },
      '`interrupt`: a stalled attempt is interrupted and counts as failed, as one that took too long. `report`: it goes on.',
      '`report`',
    ),
    dead_handler: optional(
      { kind: 'string' },
      'Another handler that gets a job when a job of this one dies, with the dead letter as its payload. It has no `dead_handler` itself. The name is stored with each job when it is enqueued.',
      'none',
    ),
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
      queues: optional(texts, 'The queues whose jobs the worker runs.', 'all'),
      queue_rates: {
        kind: 'map',
        key: 'queue',
        meaning: 'Limits on starts of whole queues, by the queue.',
        of: rates,
      },
      health_port: value(
        { kind: 'integer', min: 0, max: 65_535 },
        'The port of `/livez`, `/readyz` and `/metrics` on 127.0.0.1; 0 takes any free port. If the port is in use, the worker logs a warning and runs without them; with `--health-port` it fails to start instead.',
        9_470,
      ),
      retention,
      http: targets,
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
