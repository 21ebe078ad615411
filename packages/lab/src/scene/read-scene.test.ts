import { expect, test } from 'vitest';
import { SHIPPED_SCENES } from '../scenes/shipped-scenes.ts';
import { readScene } from './read-scene.ts';

const POLICY = { max_attempts: 4, base_delay: 0.1 };
const SCENE = {
  arrivals: { rate: 10, for: 60 },
  dependency: { capacity: 100, latency: { median: 0.02, sigma: 0.5 } },
  callers: { layers: [POLICY] },
};

const problemsOf = (value: unknown) =>
  (readScene(value).problems ?? []).map(({ path, message }) => `${path}: ${message}`);
const withDependency = (dependency: object) => ({ ...SCENE, dependency });
const withCallers = (callers: object) => ({ ...SCENE, callers: { ...SCENE.callers, ...callers } });

test('a scene is read in seconds, with the defaults of files for policies', () => {
  const { scene } = readScene(SCENE);
  expect(scene).toMatchObject({
    arrivals: { kind: 'rate', perSecond: 10, forMs: 60_000, spacing: 'random' },
    dependency: {
      capacityPerSecond: 100,
      latency: { kind: 'lognormal', medianMs: 20, sigma: 0.5 },
      expired: 'executed',
    },
    callers: { kind: 'calls', processes: 1, concurrency: Infinity, breaker: 'process' },
  });
  expect(scene?.callers.layers[0]).toMatchObject({
    maxAttempts: 4,
    baseDelayMs: 100,
    jitter: 'none',
    jitterAmount: 0.1,
  });
});

test.each(Object.entries(SHIPPED_SCENES))('the shipped scene %s is valid', (name, scene) => {
  expect(problemsOf(scene)).toEqual([]);
  expect(scene.name).toBe(name);
});

test('a layer may name a policy of the configuration', () => {
  const named = (name: string) => (name === 'runs.default' ? { maxAttempts: 8 } : undefined);
  const read = (name: string) => readScene({ ...SCENE, callers: { layers: [name] } }, named);
  expect(read('runs.default').scene?.callers.layers[0]?.maxAttempts).toBe(8);
  expect(read('runs.defualt').problems).toEqual([
    { path: 'callers.layers[0]', message: 'there is no policy with the name runs.defualt' },
  ]);
});

test('all problems are reported at once, each with its path', () => {
  const wrong = {
    version: 2,
    arrivals: { rate: -1, for: 60 },
    dependency: { capacty: 5, latency: { median: 0.1 }, errors: [{ share: 0.7 }, { share: 0.7 }] },
    callers: { processes: 10_001, layers: [{ max_attempts: 0 }] },
  };
  expect(problemsOf(wrong)).toEqual([
    'version: it must be a whole number from 1 to 1, not 2',
    'arrivals.rate: it must be a number above 0, up to 1000000, not -1',
    'dependency.capacty: it is unknown (did you mean capacity?)',
    'dependency.errors: the shares add up to more than 1',
    'dependency.latency.sigma: it must be a number from 0 to 5, not undefined',
    'callers.processes: it must be a whole number from 1 to 10000, not 10001',
    'callers.layers[0].max_attempts: it must be a whole number from 1 to 1000000000, not 0',
  ]);
});

test.each<[string, unknown, string]>([
  ['NaN', { ...SCENE, after: Number.NaN }, 'after: it must be a number from 0 to 2592000, not NaN'],
  [
    'a negative rate',
    { ...SCENE, arrivals: { rate: -5, for: 1 } },
    'arrivals.rate: it must be a number above 0',
  ],
  [
    'an unknown version',
    { ...SCENE, version: 2 },
    'version: it must be a whole number from 1 to 1, not 2',
  ],
  [
    'overlapping outages',
    withDependency({
      outages: [
        { from: 0, for: 10 },
        { from: 5, for: 10 },
      ],
    }),
    'dependency.outages[1]: it begins before the outage before it ends',
  ],
  ['too many processes', withCallers({ processes: 10_001 }), 'callers.processes: it must be'],
  [
    'too many layers',
    withCallers({ layers: Array(9).fill(POLICY) }),
    'callers.layers: there must be 1 to 8 layers',
  ],
  [
    'a field of a policy',
    withCallers({ layers: [{ max_attempts: 0 }] }),
    'callers.layers[0].max_attempts: it must be',
  ],
  [
    'an unknown field',
    withCallers({ layers: [{ max_atempts: 3 }] }),
    'callers.layers[0].max_atempts: it is unknown',
  ],
  [
    'two kinds of arrivals',
    { ...SCENE, arrivals: { rate: 1, at_once: 5 } },
    'arrivals: it must have one of rate, at_once, times',
  ],
  [
    'a list with a hole',
    { ...SCENE, arrivals: { times: [0, 'x'] } },
    'arrivals.times[1]: it must be a number of seconds',
  ],
  [
    'percentiles that sink',
    withDependency({ latency: { percentiles: { 50: 2, 99: 1 } } }),
    'dependency.latency.percentiles: a higher percentile',
  ],
  [
    'shares above 1',
    withDependency({ errors: [{ share: 0.7 }, { share: 0.7 }] }),
    'dependency.errors: the shares add up',
  ],
  [
    'jobs in layers',
    withCallers({ kind: 'jobs', layers: [POLICY, POLICY] }),
    'callers.layers: jobs have one layer',
  ],
  [
    'more sessions than a run can have',
    { ...SCENE, arrivals: { rate: 1_000_000, for: 11 } },
    'arrivals.rate: it makes too many sessions: at most 10,000,000, not 11,000,000',
  ],
  [
    'more calls of others than a run can have',
    withDependency({ others: { rate: 1_000_000 } }),
    'dependency.others.rate: it makes too many calls: at most 10,000,000, not 660,000,000',
  ],
  [
    'more outages than a run can have',
    { ...withDependency({ outages: { every: 1, lasts: { fixed: 1 } } }), after: 2_592_000 },
    'dependency.outages.every: it makes too many outages: at most 100,000, not 2,592,060',
  ],
  [
    'NaN in a list',
    { ...SCENE, arrivals: { times: [Number.NaN] } },
    'arrivals.times[0]: it must be a number of seconds',
  ],
  [
    'half a call at once',
    withCallers({ concurrency: 1.5 }),
    'callers.concurrency: it must be a whole number from 1, not 1.5',
  ],
  ['no object', 'herd', 'arrivals: it must be an object'],
  ['null', null, 'arrivals: it must be an object'],
])('%s is refused with its path', (_, value, problem) => {
  expect(problemsOf(value).join('\n')).toContain(problem);
});
