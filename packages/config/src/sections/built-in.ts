import type { FieldRule } from '@redrive/core/fields';
import type { ValueShape } from '../shape/shape.ts';
import { defineSection, type Section } from './section.ts';

/** Ten years, as in policies. */
const MAX_SECONDS = 315_360_000;
const MANY = 1_000_000_000;
const count: FieldRule = { kind: 'integer', min: 1, max: MANY };
const amount: FieldRule = { kind: 'number', min: 0, max: MANY };
const share: FieldRule = { kind: 'number', min: Number.MIN_VALUE, max: 1 };
const text: FieldRule = { kind: 'string' };
const duration: FieldRule = { kind: 'number', min: Number.MIN_VALUE, max: MAX_SECONDS };

function value(rule: FieldRule, meaning: string, fallback?: unknown): ValueShape {
  return { kind: 'value', rule, meaning, ...(fallback === undefined ? {} : { fallback }) };
}

function seconds(meaning: string, fallback: number): ValueShape {
  return { kind: 'value', rule: duration, meaning, unit: 'seconds', fallback };
}

function policyName(meaning: string, fallbackText: string): ValueShape {
  return { kind: 'value', rule: text, meaning, fallbackText, names: 'policy' };
}

const budgets = defineSection(
  'budgets',
  {
    kind: 'map',
    key: 'dependency',
    meaning:
      'Retry budgets, by the `dependency` that policies name. One that is not here has the defaults.',
    of: {
      kind: 'object',
      meaning: 'A budget: what successes earn, retries spend.',
      fields: {
        ratio: value(amount, 'Retries that each success earns.', 0.2),
        floor_per_second: value(
          amount,
          'Retries that come by themselves, so that a quiet client can retry too.',
          10,
        ),
        burst: value(amount, 'The most that it holds, and what it starts with.', 100),
      },
    },
  },
  `budgets:
  images:
    ratio: 0.1
`,
);

const breakers = defineSection('breakers', {
  kind: 'map',
  key: 'dependency',
  meaning:
    'Circuit breakers, by `dependency`, for policies that enable one. What is not here comes from the policy.',
  of: {
    kind: 'object',
    meaning: 'A circuit breaker.',
    fields: {
      mode: value(
        { kind: 'choice', values: ['consecutive', 'ratio'] },
        '`consecutive` opens after failures in a row, `ratio` by the share of failures in a window.',
        'consecutive',
      ),
      threshold: {
        ...value(count, 'Mode `consecutive`: failures in a row that open it.'),
        fallbackText: "the policy's `circuit_breaker_threshold`",
      },
      timeout: {
        ...value(duration, 'How long it stays open before it lets a probe through.'),
        unit: 'seconds',
        fallbackText: "the policy's `circuit_breaker_timeout`",
      },
      ratio: value(share, 'Mode `ratio`: the share of failed calls that opens it.', 0.5),
      window: seconds('Mode `ratio`: how far back calls count.', 10),
      minimum_calls: value(
        count,
        'Mode `ratio`: with fewer calls in the window it stays closed.',
        10,
      ),
      probes: value(count, 'Calls let through when half-open, until it is decided.', 1),
      probe_ratio: value(share, 'The share of the probes that must succeed.', 1),
      probe_timeout: seconds('A probe that has not ended after this time loses its place.', 30),
    },
  },
});

const load = defineSection('load', {
  kind: 'map',
  key: 'dependency',
  meaning: 'What you know of the load of a dependency. Only lints read it.',
  of: {
    kind: 'object',
    meaning: 'A load, and who retries on the way to it.',
    fields: {
      utilisation: {
        ...value(
          { kind: 'number', min: 0, max: 1 },
          'The share of its capacity that is used without any retry.',
        ),
        required: 'always',
      },
      layers: {
        ...value(
          { kind: 'list', of: ['string'] },
          'The policies that retry a call to it, the outermost first.',
        ),
        required: 'always',
        names: 'policy',
      },
    },
  },
});

const jobs = defineSection(
  'jobs',
  {
    kind: 'object',
    meaning: 'Durable jobs and what handles them.',
    fields: {
      lease_seconds: { ...seconds('How long a worker holds a job without a sign of life.', 30) },
      handlers: {
        kind: 'map',
        key: 'handler',
        meaning: 'What runs for a job, by the name that jobs are enqueued under.',
        of: {
          kind: 'object',
          meaning: 'A handler: a command, or an export of a module.',
          fields: {
            command: value(
              { kind: 'list', of: ['string'] },
              'A program and its arguments, run for each job.',
            ),
            module: value(text, 'A module that exports the handler.'),
            export: value(text, 'The name of the export.', 'default'),
            policy: policyName('How its jobs are retried.', '`runs.default`'),
            concurrency: value(count, 'Jobs of it that one process runs at once.', 1),
            dependency: value(text, 'What it talks to.'),
            idempotent: value(
              { kind: 'boolean' },
              'Whether running it again for the same job does no harm.',
            ),
            on_unknown: value(
              { kind: 'choice', values: ['retry', 'dead_letter'] },
              'What to do when nobody knows whether an attempt had its effect.',
              'retry',
            ),
          },
        },
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

const sweeps = defineSection('sweeps', {
  kind: 'object',
  meaning: 'Sweeps of stuck documents.',
  fields: {
    interval: seconds('From the start of one sweep to the next.', 900),
    stuck_threshold: seconds(
      'How old the last attempt must be before a document counts as stuck.',
      86_400,
    ),
  },
});

/** The sections that are known without other packages. */
export const BUILT_IN_SECTIONS: readonly Section[] = [budgets, breakers, load, jobs, sweeps];
