import { jobsSection } from './jobs-section.ts';
import { defineSection, type Section } from './section.ts';
import { storeSection } from './store-section.ts';
import { amount, count, duration, seconds, share, texts, value } from './value-shapes.ts';

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

/** Jobs share a breaker in mode `consecutive`, which has one probe at a time and a timeout of its own. */
const NOT_SHARED = 'No effect on breakers that jobs share.';

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
        ...value(
          duration,
          'How long it stays open before it lets a probe through. The shared breaker of jobs lets one probe through per timeout, up to a tenth later.',
        ),
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
      probes: value(
        count,
        `Calls let through when half-open, until it is decided. ${NOT_SHARED}`,
        1,
      ),
      probe_ratio: value(share, `The share of the probes that must succeed. ${NOT_SHARED}`, 1),
      probe_timeout: seconds(
        `A probe that has not ended after this time loses its place. ${NOT_SHARED}`,
        30,
      ),
    },
  },
});

const load = defineSection('load', {
  kind: 'map',
  key: 'dependency',
  meaning: 'The expected load of a dependency. Lints and `redrive policies explain` use it.',
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
        ...value(texts, 'The policies that retry a call to it, the outermost first.'),
        required: 'always',
        names: 'policy',
      },
    },
  },
});

const sweeps = defineSection('sweeps', {
  kind: 'object',
  meaning: 'Sweeps of stuck documents. Checked already; nothing sweeps yet.',
  fields: {
    interval: seconds('From the start of one sweep to the next.', 900),
    stuck_threshold: seconds(
      'How old the last attempt must be before a document counts as stuck.',
      86_400,
    ),
  },
});

/** The sections that are known without other packages. */
export const BUILT_IN_SECTIONS: readonly Section[] = [
  budgets,
  breakers,
  load,
  storeSection,
  jobsSection,
  sweeps,
];
