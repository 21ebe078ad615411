import { expect, test } from 'vitest';
import { readScene } from '../scene/read-scene.ts';
import { SHIPPED_SCENES } from '../scenes/shipped-scenes.ts';
import { EventHeap } from './event-heap.ts';
import { Queue } from './queue.ts';
import { simulate, startSimulation } from './simulation.ts';
import { SummaryOfRuns } from './summary.ts';

function run(value: object, seed = 1) {
  const { scene, problems } = readScene(value);
  if (scene === undefined) throw new Error(JSON.stringify(problems));
  return simulate(scene, seed);
}

const FIXED = { max_attempts: 4, backoff_type: 'fixed', base_delay: 1, max_delay: 1 };
const ONE = { max_attempts: 1, backoff_type: 'fixed', base_delay: 1, max_delay: 1 };

test('events come by time, and in the order of their adding where times are equal', () => {
  const heap = new EventHeap();
  const seen: number[] = [];
  const target = { wake: (code: number) => seen.push(code) };
  const times = Array.from({ length: 5_000 }, (_, n) => (n * 7_919) % 251);
  times.forEach((atMs, code) => {
    heap.add(atMs, target, code);
  });
  while (heap.size > 0) heap.fire();
  const expected = times
    .map((atMs, code) => ({ atMs, code }))
    .toSorted((a, b) => a.atMs - b.atMs || a.code - b.code);
  expect(seen).toEqual(expected.map(({ code }) => code));
});

test.each(['herd', 'partial-failure', 'layers', 'fleet'] as const)(
  'the scene %s gives the same bytes twice, and others with another seed',
  (name) => {
    const bytes = (seed: number) => JSON.stringify(run(SHIPPED_SCENES[name], seed));
    expect(bytes(7)).toBe(bytes(7));
    expect(bytes(7)).not.toBe(bytes(8));
  },
);

test('every wait, charge and give-up is that of decide: four calls, a second apart', () => {
  const result = run({
    arrivals: { times: [0] },
    dependency: { outages: [{ from: 0, for: 100 }] },
    callers: { layers: [FIXED] },
  });
  expect(result).toMatchObject({ attempts: 4, succeeded: 0, exhausted: 1, attemptsWhileDown: 4 });
  expect(result.series.attempts.slice(0, 5)).toEqual([1, 1, 1, 1, 0]);
  expect(result.layers).toEqual([{ attempts: 4, amplification: 4 }]);
});

test('a hint is obeyed, and a final error is not retried', () => {
  const failing = (error: object) =>
    run({
      arrivals: { times: [0] },
      dependency: { errors: [{ share: 1, ...error }] },
      callers: { layers: [FIXED] },
    });
  const hinted = failing({ class: 'rate_limited', retry_after: 10 });
  expect(hinted.attempts).toBe(4);
  expect(hinted.series.attempts.slice(1, 10)).toEqual(Array(9).fill(0));
  expect(failing({ class: 'final' }).attempts).toBe(1);
});

test('a server that executes expired calls serves nobody after a stall; one that drops them does', () => {
  const after = (expired: string) =>
    run({
      arrivals: { rate: 80, for: 60, spacing: 'even' },
      dependency: { capacity: 100, expired, outages: [{ from: 0, for: 20, kind: 'stalls' }] },
      callers: { layers: [{ ...ONE, attempt_timeout: 1 }] },
    });
  expect(after('dropped').goodputAfterMs).toBe(0);
  expect(after('executed').goodputAfterMs).toBeUndefined();
});

test('concurrency: a process makes no more calls at once, and the others wait', () => {
  const scene = (concurrency: number) => ({
    arrivals: { at_once: 10 },
    dependency: { latency: { fixed: 1 } },
    callers: { concurrency, layers: [ONE] },
  });
  expect(run(scene(2))).toMatchObject({ succeeded: 10, drainedAfterMs: 5_000, peakPerSecond: 2 });
  expect(run(scene(10))).toMatchObject({ succeeded: 10, drainedAfterMs: 1_000 });
});

test('a breaker of the fleet refuses after five failures of any process', () => {
  const calls = (breaker: string) =>
    run({
      arrivals: { rate: 10, for: 10, spacing: 'even' },
      dependency: { outages: [{ from: 0, for: 100 }] },
      callers: { processes: 10, breaker, layers: [{ ...ONE, enable_circuit_breaker: true }] },
    }).attempts;
  expect(calls('fleet')).toBe(5);
  expect(calls('process')).toBeGreaterThan(40);
});

test('a deadline that is carried ends the calls of inner layers; otherwise they go on for nobody', () => {
  const outer = { ...ONE, attempt_timeout: 2.5 };
  const calls = (carries: string[]) =>
    run({
      arrivals: { times: [0] },
      dependency: { outages: [{ from: 0, for: 100 }] },
      callers: { carries, layers: [outer, { ...FIXED, max_attempts: 10 }] },
    });
  expect(calls(['deadline']).attempts).toBe(1 + 3);
  expect(calls([]).attempts).toBe(1 + 10);
  expect(calls([])).toMatchObject({ sessions: 1, exhausted: 1 });
});

test('a stored layer begins its inner layers anew; layers in process share an allowance', () => {
  const calls = (stored_layers: number) =>
    run({
      arrivals: { times: [0] },
      dependency: { outages: [{ from: 0, for: 1_000 }] },
      callers: { carries: ['allowance'], stored_layers, layers: [FIXED, FIXED] },
    }).layers[1]?.attempts;
  expect(calls(0)).toBe(4);
  expect(calls(1)).toBe(16);
});

test('jobs: a hint to one of them closes the gate of its dependency for all, with parking', () => {
  const hinted = (policy: object, parking = true) =>
    run({
      arrivals: { times: [0, 1, 2, 3, 4] },
      dependency: {
        outages: [],
        errors: [{ share: 1, class: 'rate_limited', retry_after: 3_000 }],
      },
      after: 600,
      callers: { kind: 'jobs', parking, layers: [{ ...FIXED, ...policy }] },
    });
  const gated = { attempts: 1, mostParked: 4, parked: 4 };
  expect(hinted({ dependency: 'api', enable_circuit_breaker: true })).toMatchObject(gated);
  // As in production: a gate needs the name of a dependency, and no breaker.
  expect(hinted({ dependency: 'api' })).toMatchObject(gated);
  expect(hinted({ enable_circuit_breaker: true })).toMatchObject({ attempts: 5, mostParked: 0 });
  expect(hinted({ dependency: 'api' }, false)).toMatchObject({ attempts: 5, mostParked: 0 });
});

test.each([
  ['attempts', { attempts: 15_000 }],
  ['events', { events: 20_000 }],
  ['open sessions', { openSessions: 9_000 }],
])('a run that reaches its limit of %s is cut', (_, limit) => {
  const { scene } = readScene({
    arrivals: { at_once: 10_000 },
    dependency: { outages: [{ from: 0, for: 86_400 }] },
    callers: { layers: [FIXED] },
  });
  const most = { attempts: Infinity, events: Infinity, openSessions: Infinity };
  const cut = (limits: typeof most) => {
    const simulation = scene && startSimulation(scene, 1, limits);
    while (simulation?.step(1_000));
    return simulation?.result().isCut;
  };
  expect(cut(most)).toBe(false);
  expect(cut({ ...most, ...limit })).toBe(true);
});

test('a queue gives its items in their order, also after its front was dropped', () => {
  const queue = new Queue<number>();
  for (let n = 0; n < 300_000; n += 1) queue.push(n);
  const seen: number[] = [];
  while (queue.size > 0) seen.push(...queue.take(1));
  expect([seen.length, seen[0], seen.at(-1)]).toEqual([300_000, 0, 299_999]);
});

test('a run goes in steps, and its result so far can be read', () => {
  const storm = {
    arrivals: { at_once: 100_000 },
    dependency: { outages: [{ from: 0, for: 86_400 }] },
    callers: { layers: [{ ...FIXED, max_attempts: 1_000, backoff_type: 'immediate' }] },
  };
  const { scene } = readScene(storm);
  const simulation = scene && startSimulation(scene, 1);
  expect(simulation?.step(10_000)).toBe(true);
  expect(simulation?.attempts).toBeLessThan(20_000);
  expect(simulation?.result().isCut).toBe(false);
});

test('the median and the quartiles of seeds; a run that never got there is behind all others', () => {
  const summary = new SummaryOfRuns();
  const base = run({ arrivals: { times: [0] }, callers: { layers: [ONE] } });
  for (const goodputAfterMs of [1, 2, 3, undefined, undefined])
    summary.add({ ...base, goodputAfterMs });
  const { figures, seeds, series } = summary.get();
  expect(seeds).toBe(5);
  expect(figures.goodputAfterMs).toEqual({ q1: 2, median: 3, q3: null });
  expect(series.arrivals[0]).toBe(1);
});
