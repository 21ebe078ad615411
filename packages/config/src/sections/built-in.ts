import { alertsSection } from './alerts-section.ts';
import { causesSection } from './causes-section.ts';
import { escalationSection } from './escalation-section.ts';
import { busesSection, eventsSection } from './events-section.ts';
import { jobsSection } from './jobs-section.ts';
import { schedulesSection } from './schedules-section.ts';
import {
  amount,
  count,
  defineSection,
  duration,
  optional,
  required,
  type Section,
  seconds,
  share,
  texts,
  value,
} from './section.ts';
import { serverSection } from './server-section.ts';
import { storeSection } from './store-section.ts';
import { sweepsSection } from './sweeps-section.ts';

export const budgets = defineSection(
  'budgets',
  {
    kind: 'map',
    key: 'dependency',
    meaning:
      'Retry budgets, by the `dependency` that policies name. A dependency without an entry has a budget with the defaults.',
    of: {
      kind: 'object',
      meaning: 'A retry budget: each success adds to it, each retry takes from it.',
      fields: {
        ratio: value(amount, 'The number of retries that each success adds.', 0.2),
        floor_per_second: value(
          amount,
          'The number of retries that each second adds, so that a client with few calls can retry too.',
          10,
        ),
        burst: value(
          amount,
          'The largest number of retries in the budget; the budget starts with it.',
          100,
        ),
      },
    },
  },
  `budgets:
  images:
    ratio: 0.1
`,
);

/** Jobs share a breaker in mode `consecutive`, which has one probe at a time and a timeout of its own. */
const NOT_SHARED = 'The shared breakers of jobs ignore it.';

export const breakers = defineSection('breakers', {
  kind: 'map',
  key: 'dependency',
  meaning:
    'Circuit breakers, by `dependency`, for policies that enable one. Keys that an entry leaves out come from the policy.',
  of: {
    kind: 'object',
    meaning: 'A circuit breaker.',
    fields: {
      mode: value(
        { kind: 'choice', values: ['consecutive', 'ratio'] },
        '`consecutive` opens after `threshold` failures in a row; `ratio` opens by the share of failures in a time window.',
        'consecutive',
      ),
      threshold: optional(
        count,
        'Mode `consecutive`: the number of failures in a row that opens the breaker.',
        "the policy's `circuit_breaker_threshold`",
      ),
      timeout: {
        ...value(
          duration,
          'How long the breaker stays open before it lets a probe through. A shared breaker of jobs lets one probe through per `timeout`, at most a tenth of it later.',
        ),
        unit: 'seconds',
        fallbackText: "the policy's `circuit_breaker_timeout`",
      },
      ratio: value(share, 'Mode `ratio`: the share of failed calls that opens the breaker.', 0.5),
      window: seconds('Mode `ratio`: the time window; older calls do not count.', 10),
      minimum_calls: value(
        count,
        'Mode `ratio`: with fewer calls in the window the breaker stays closed.',
        10,
      ),
      probes: value(
        count,
        `The number of probes that a half-open breaker lets through before it closes or opens again. ${NOT_SHARED}`,
        1,
      ),
      probe_ratio: value(
        share,
        `The share of the probes that must succeed to close the breaker. ${NOT_SHARED}`,
        1,
      ),
      probe_timeout: seconds(
        `After this time without a result, a probe counts no more and another call may be the probe. ${NOT_SHARED}`,
        30,
      ),
    },
  },
});

const load = defineSection('load', {
  kind: 'map',
  key: 'dependency',
  meaning:
    'The expected load of a dependency. Lints, `redrive policies explain` and `redrive config validate --simulate` use it.',
  of: {
    kind: 'object',
    meaning: 'The load of a dependency, and the policies that retry calls to it.',
    fields: {
      utilisation: required(
        { kind: 'number', min: 0, max: 1 },
        'The share of its capacity that calls use when nothing is retried.',
      ),
      capacity: value(
        { kind: 'number', min: Number.MIN_VALUE, max: 10_000 },
        'The calls a second that it can serve, for `redrive config validate --simulate`.',
        100,
      ),
      layers: {
        ...value(texts, 'The policies that retry a call to it, the outermost layer first.'),
        required: 'always',
        names: 'policy',
      },
    },
  },
});

/** The sections that a file may have. */
export const SECTIONS: readonly Section[] = [
  budgets,
  breakers,
  load,
  storeSection,
  jobsSection,
  schedulesSection,
  busesSection,
  eventsSection,
  sweepsSection,
  causesSection,
  escalationSection,
  alertsSection,
  serverSection,
];
