import type { FieldRule, OptionTable } from '@redrive/core/fields';

// The fields of a scene as it is written: names with underscores, times in seconds. Core checks them; `read-scene.ts`
// makes the scene of them. A default of `null`: it must be given.

const DAYS_30 = 2_592_000;
export const MAX_PROCESSES = 10_000;
export const MAX_LAYERS = 8;
/** Sessions of a scene, calls of others, and outages that are drawn: all before a run begins. */
export const MAX_SESSIONS = 10_000_000;
export const MAX_OTHERS = 10_000_000;
export const MAX_OUTAGES = 100_000;
const time: FieldRule = { kind: 'number', min: 0, max: DAYS_30 };
const someTime: FieldRule = { kind: 'number', min: Number.MIN_VALUE, max: DAYS_30 };
const rate: FieldRule = { kind: 'number', min: Number.MIN_VALUE, max: 1_000_000 };
const share: FieldRule = { kind: 'number', min: Number.MIN_VALUE, max: 1 };
const amount: FieldRule = { kind: 'number', min: 0, max: 1_000_000_000 };
const anObject: FieldRule = {
  kind: 'check',
  must: 'an object',
  obeys: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};
const aList: FieldRule = { kind: 'check', must: 'a list', obeys: Array.isArray };
const anything: FieldRule = { kind: 'check', must: 'given', obeys: (value) => value !== null };
const scope: FieldRule = { kind: 'choice', values: ['process', 'fleet'] };
const outageKind: FieldRule = { kind: 'choice', values: ['refuses', 'stalls'] };

type Table = OptionTable<Readonly<Record<string, unknown>>>;

export const SCENE: Table = {
  version: [1, { kind: 'integer', min: 1, max: 1 }],
  name: ['scene', { kind: 'string' }],
  description: ['', { kind: 'string', empty: true }],
  arrivals: [null, anObject],
  after: [600, time],
  dependency: [{}, anObject],
  callers: [null, anObject],
};

export const ARRIVALS = {
  rate: {
    rate: [null, rate],
    for: [null, someTime],
    spacing: ['random', { kind: 'choice', values: ['even', 'random'] }],
  },
  at_once: { at_once: [null, { kind: 'integer', min: 1, max: 1_000_000 }] },
  times: { times: [null, aList] },
} as const satisfies Record<string, Table>;

export const DEPENDENCY: Table = {
  capacity: [Infinity, { ...rate, max: Infinity }],
  latency: [{ fixed: 0 }, anObject],
  expired: ['executed', { kind: 'choice', values: ['executed', 'dropped'] }],
  errors: [[], aList],
  outages: [[], anything],
  others: [undefined, anObject],
  row: [undefined, anObject],
};

export const ERROR: Table = {
  share: [null, share],
  class: ['retryable', { kind: 'choice', values: ['retryable', 'rate_limited', 'final'] }],
  retry_after: [undefined, time],
};

export const OUTAGE: Table = {
  from: [null, time],
  for: [null, someTime],
  kind: ['refuses', outageKind],
};

export const DRAWN_OUTAGES: Table = {
  every: [null, { ...someTime, min: 1 }],
  lasts: [null, anything],
  kind: ['refuses', outageKind],
};

export const OTHERS: Table = { rate: [null, rate], timeout: [1, someTime] };
export const ROW: Table = { network: [null, anObject] };

/** By the field that names the kind. */
export const SPREADS = {
  fixed: { fixed: [null, time] },
  median: { median: [null, someTime], sigma: [null, { kind: 'number', min: 0, max: 5 }] },
  mean: { mean: [null, time], deviation: [null, time], min: [0, time] },
  exponential: { exponential: [null, someTime] },
  percentiles: { percentiles: [null, anObject] },
} as const satisfies Record<string, Table>;

export const CALLERS: Table = {
  kind: ['calls', { kind: 'choice', values: ['calls', 'jobs'] }],
  processes: [1, { kind: 'integer', min: 1, max: MAX_PROCESSES }],
  concurrency: [
    Infinity,
    {
      kind: 'check',
      must: 'a whole number from 1',
      obeys: (value) => value === Infinity || (Number.isSafeInteger(value) && Number(value) > 0),
    },
  ],
  layers: [null, aList],
  stored_layers: [0, { kind: 'integer', min: 0, max: MAX_LAYERS }],
  budget: [undefined, anObject],
  breaker: ['process', scope],
  parking: [true, { kind: 'boolean' }],
  carries: [[], { kind: 'list', of: ['string'] }],
};

export const BUDGET: Table = {
  scope: ['process', scope],
  ratio: [0.2, amount],
  floor_per_second: [10, amount],
  burst: [100, amount],
};
