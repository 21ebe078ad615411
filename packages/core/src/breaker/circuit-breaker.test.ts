import { virtualClock } from '@redrive/testkit';
import { describe, expect, test } from 'vitest';
import type { Classification, ErrorClass } from '../classify/classification.ts';
import type { RetryRecord } from '../records/record.ts';
import { REFUSED } from './breaker.ts';
import type { CircuitBreakerOptions } from './breaker-options.ts';
import { type CircuitBreaker, circuitBreaker } from './circuit-breaker.ts';

const START_MS = Date.parse('2026-01-29T12:00:00.000Z');

function setUp(options: CircuitBreakerOptions = {}) {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const events: RetryRecord[] = [];
  const emit = (record: RetryRecord) => void events.push(record);
  const breaker = circuitBreaker({ key: 'payments', clock, events: { emit }, ...options });
  return { clock, breaker, events };
}

function outcome(errorClass: ErrorClass): Classification {
  return { errorClass, effect: 'unknown' };
}

const failure = outcome('retryable');
const cancelled = outcome('ignored');

/** Admits a call and ends it. */
function call(breaker: CircuitBreaker, end?: Classification): void {
  const permit = breaker.admit();
  expect(permit).not.toBe(REFUSED);
  breaker.record(permit, end);
}

function fail(breaker: CircuitBreaker, times: number): void {
  for (let i = 0; i < times; i++) call(breaker, failure);
}

describe('closed', () => {
  test('opens at the fifth failure in a row by default, and refuses', () => {
    const { breaker } = setUp();
    fail(breaker, 4);
    expect(breaker.state).toBe('closed');
    expect(breaker.openForMs()).toBe(0);
    fail(breaker, 1);
    expect(breaker.state).toBe('open');
    expect(breaker.failureCount).toBe(5);
    expect(breaker.admit()).toBe(REFUSED);
  });

  test('a success in between starts the count again', () => {
    const { breaker } = setUp();
    fail(breaker, 4);
    call(breaker);
    fail(breaker, 4);
    expect(breaker.state).toBe('closed');
    expect(breaker.failureCount).toBe(4);
  });

  test.each<[ErrorClass, number]>([
    ['retryable', 5],
    ['rate_limited', 5],
    // The dependency has answered: like a success, it ends the row.
    ['final', 0],
    ['ignored', 4],
  ])('after four failures, %s makes the count %i', (errorClass, failureCount) => {
    const { breaker } = setUp();
    fail(breaker, 4);
    call(breaker, outcome(errorClass));
    expect(breaker.failureCount).toBe(failureCount);
    expect(breaker.state).toBe(failureCount === 5 ? 'open' : 'closed');
  });

  test('admission reads no clock and gives all calls the same number', () => {
    const { clock } = setUp();
    let reads = 0;
    const counting = {
      ...clock,
      now: () => ++reads,
      monotonic: () => ++reads,
    };
    const breaker = circuitBreaker({ clock: counting });
    reads = 0;
    expect(breaker.admit()).toBe(breaker.admit());
    call(breaker);
    expect(reads).toBe(0);
  });
});

describe('open', () => {
  test('counts down by monotonic time, then lets one probe through', () => {
    const { breaker, clock } = setUp();
    fail(breaker, 5);
    expect(breaker.openForMs()).toBe(60_000);
    clock.tick(59_999.5);
    expect(breaker.openForMs()).toBe(1);
    expect(breaker.admit()).toBe(REFUSED);
    clock.tick(0.5);
    expect(breaker.openForMs()).toBe(0);
    expect(breaker.state).toBe('open');
    expect(breaker.admit()).not.toBe(REFUSED);
    expect(breaker.state).toBe('half_open');
    expect(breaker.admit()).toBe(REFUSED);
  });

  test.each([-3_600_000, 3_600_000])(
    'a wall clock that jumps by %i ms changes nothing',
    (jumpMs) => {
      const { breaker, clock } = setUp();
      fail(breaker, 5);
      clock.setWall(START_MS + jumpMs);
      expect(breaker.openForMs()).toBe(60_000);
      expect(breaker.admit()).toBe(REFUSED);
      clock.tick(60_000);
      expect(breaker.admit()).not.toBe(REFUSED);
    },
  );

  test('a success of a call from before the opening does not close it', () => {
    const { breaker } = setUp();
    const early = breaker.admit();
    fail(breaker, 5);
    breaker.record(early, undefined);
    expect(breaker.state).toBe('open');
  });
});

describe('half-open', () => {
  function halfOpen(options?: CircuitBreakerOptions) {
    const setting = setUp(options);
    const early = setting.breaker.admit();
    fail(setting.breaker, 5);
    setting.clock.tick(60_000);
    const probe = setting.breaker.admit();
    expect(setting.breaker.state).toBe('half_open');
    return { ...setting, early, probe };
  }

  test('closes on the success of the probe, with nothing counted', () => {
    const { breaker, probe } = halfOpen();
    breaker.record(probe, undefined);
    expect(breaker.state).toBe('closed');
    expect(breaker.failureCount).toBe(0);
    fail(breaker, 4);
    expect(breaker.state).toBe('closed');
  });

  test('opens for the whole timeout again on its failure', () => {
    const { breaker, probe } = halfOpen();
    breaker.record(probe, failure);
    expect(breaker.state).toBe('open');
    expect(breaker.failureCount).toBe(6);
    expect(breaker.openForMs()).toBe(60_000);
  });

  test('a late success of a call from before the opening does not close it', () => {
    const { breaker, early } = halfOpen();
    breaker.record(early, undefined);
    expect(breaker.state).toBe('half_open');
  });

  test('a cancelled probe frees its place and counts for nothing', () => {
    const { breaker, probe } = halfOpen();
    expect(breaker.openForMs()).toBe(30_000);
    breaker.record(probe, cancelled);
    expect(breaker.state).toBe('half_open');
    expect(breaker.openForMs()).toBe(0);
    call(breaker);
    expect(breaker.state).toBe('closed');
  });

  test('a hung probe loses its place after probeTimeoutMs, and its outcome then counts for nothing', () => {
    const { breaker, clock, probe } = halfOpen({ probeTimeoutMs: 10_000 });
    clock.tick(9_999);
    expect(breaker.openForMs()).toBe(1);
    expect(breaker.admit()).toBe(REFUSED);
    clock.tick(1);
    expect(breaker.openForMs()).toBe(0);
    const next = breaker.admit();
    expect(next).not.toBe(REFUSED);
    expect(breaker.admit()).toBe(REFUSED);
    breaker.record(probe, undefined);
    expect(breaker.state).toBe('half_open');
    breaker.record(next, undefined);
    expect(breaker.state).toBe('closed');
  });

  test('a slow probe whose place nobody took still counts', () => {
    const { breaker, clock, probe } = halfOpen();
    clock.tick(3_600_000);
    breaker.record(probe, undefined);
    expect(breaker.state).toBe('closed');
  });

  test('a probe counts once', () => {
    const { breaker, probe } = halfOpen({ probes: 2 });
    breaker.record(probe, undefined);
    breaker.record(probe, undefined);
    expect(breaker.state).toBe('half_open');
  });

  test('two of three probes are enough at a ratio of 0.6', () => {
    const { breaker, probe } = halfOpen({ probes: 3, probeRatio: 0.6 });
    const [second, third] = [breaker.admit(), breaker.admit()];
    expect(breaker.admit()).toBe(REFUSED);
    breaker.record(probe, failure);
    // A decided probe does not make room for a fourth.
    expect(breaker.admit()).toBe(REFUSED);
    breaker.record(second, undefined);
    expect(breaker.state).toBe('half_open');
    breaker.record(third, undefined);
    expect(breaker.state).toBe('closed');
  });

  test('opens as soon as too many probes have failed', () => {
    const { breaker, probe } = halfOpen({ probes: 3, probeRatio: 0.6 });
    const second = breaker.admit();
    const third = breaker.admit();
    breaker.record(probe, failure);
    breaker.record(second, failure);
    expect(breaker.state).toBe('open');
    expect(breaker.failureCount).toBe(7);
    breaker.record(third, undefined);
    expect(breaker.state).toBe('open');
  });

  test('0.07 of 100 probes are 7', () => {
    const { breaker, probe } = halfOpen({ probes: 100, probeRatio: 0.07 });
    breaker.record(probe, undefined);
    for (let i = 0; i < 6; i++) call(breaker);
    expect(breaker.state).toBe('closed');
  });
});

describe('mode ratio', () => {
  const ratio = { mode: 'ratio', ratio: 0.5, windowMs: 10_000, minimumCalls: 10 } as const;

  test('opens at the failure that makes half of at least ten calls', () => {
    const { breaker } = setUp(ratio);
    for (let i = 0; i < 5; i++) call(breaker);
    fail(breaker, 4);
    expect(breaker.state).toBe('closed');
    fail(breaker, 1);
    expect(breaker.state).toBe('open');
    expect(breaker.failureCount).toBe(5);
  });

  test('stays closed below the minimum of calls, however bad they are', () => {
    const { breaker } = setUp(ratio);
    fail(breaker, 9);
    expect(breaker.state).toBe('closed');
    // A success never opens it, even if it completes the minimum.
    call(breaker);
    expect(breaker.state).toBe('closed');
    fail(breaker, 1);
    expect(breaker.state).toBe('open');
  });

  test('calls leave the window with their tenth of it', () => {
    const { breaker, clock } = setUp(ratio);
    fail(breaker, 9);
    clock.tick(9_000);
    expect(breaker.failureCount).toBe(9);
    clock.tick(1_000);
    expect(breaker.failureCount).toBe(0);
    fail(breaker, 1);
    expect(breaker.state).toBe('closed');
  });

  test('after an idle hour it takes as many failures as at the start', () => {
    const { breaker, clock } = setUp(ratio);
    fail(breaker, 9);
    clock.tick(3_600_000);
    fail(breaker, 9);
    expect(breaker.state).toBe('closed');
    fail(breaker, 1);
    expect(breaker.state).toBe('open');
  });

  test('7 failures of 100 calls are 0.07 of them', () => {
    const { breaker } = setUp({ ...ratio, ratio: 0.07, minimumCalls: 100 });
    for (let i = 0; i < 93; i++) call(breaker);
    fail(breaker, 6);
    expect(breaker.state).toBe('closed');
    fail(breaker, 1);
    expect(breaker.state).toBe('open');
  });
});

describe('by hand', () => {
  test('stays open until the last of those who isolated it lets go, and keeps its count', () => {
    const { breaker, clock, events } = setUp();
    fail(breaker, 3);
    const early = breaker.admit();
    const release = breaker.isolate();
    const releaseToo = breaker.isolate();
    expect(breaker).toMatchObject({ state: 'open', isolated: true, failureCount: 3 });
    clock.tick(3_600_000);
    expect(breaker.admit()).toBe(REFUSED);
    expect(breaker.openForMs()).toBe(60_000);
    breaker.record(early, failure);
    release();
    release();
    expect(breaker.isolated).toBe(true);
    releaseToo();
    expect(breaker).toMatchObject({ state: 'closed', isolated: false, failureCount: 3 });
    breaker.record(early, failure);
    expect(breaker.failureCount).toBe(3);
    fail(breaker, 2);
    expect(breaker.state).toBe('open');
    releaseToo();
    expect(breaker.state).toBe('open');
    expect(events.map((event) => event.kind === 'breaker_changed' && event.to)).toEqual([
      'open',
      'closed',
      'open',
    ]);
  });

  test('an open one is open until its own time afterwards', () => {
    const { breaker, clock } = setUp();
    fail(breaker, 5);
    const release = breaker.isolate();
    clock.tick(40_000);
    release();
    expect(breaker).toMatchObject({ state: 'open', isolated: false });
    expect(breaker.openForMs()).toBe(20_000);
  });

  test('a half-open one has new probes afterwards', () => {
    const { breaker, clock } = setUp();
    fail(breaker, 5);
    clock.tick(60_000);
    const probe = breaker.admit();
    const release = breaker.isolate();
    expect(breaker.state).toBe('open');
    release();
    expect(breaker.state).toBe('half_open');
    breaker.record(probe, undefined);
    expect(breaker.state).toBe('half_open');
    call(breaker);
    expect(breaker.state).toBe('closed');
  });

  test('reset closes it and forgets; calls from before count for nothing', () => {
    const { breaker } = setUp();
    const early = breaker.admit();
    fail(breaker, 5);
    breaker.reset();
    expect(breaker).toMatchObject({ state: 'closed', failureCount: 0 });
    breaker.record(early, failure);
    expect(breaker.failureCount).toBe(0);
  });

  test('reset does not undo an isolation, but what it goes back to', () => {
    const { breaker } = setUp();
    fail(breaker, 5);
    const release = breaker.isolate();
    breaker.reset();
    expect(breaker.isolated).toBe(true);
    release();
    expect(breaker).toMatchObject({ state: 'closed', failureCount: 0 });
  });
});

describe('events', () => {
  test('one record per change of state', () => {
    const { breaker, clock, events } = setUp({ threshold: 2 });
    fail(breaker, 2);
    clock.tick(60_000);
    fail(breaker, 1);
    clock.tick(60_000);
    call(breaker);
    const kind = 'breaker_changed';
    const key = 'payments';
    const secondMs = START_MS + 60_000;
    const thirdMs = START_MS + 120_000;
    expect(events).toEqual([
      { kind, key, atMs: START_MS, from: 'closed', to: 'open', failureCount: 2 },
      { kind, key, atMs: secondMs, from: 'open', to: 'half_open', failureCount: 2 },
      { kind, key, atMs: secondMs, from: 'half_open', to: 'open', failureCount: 3 },
      { kind, key, atMs: thirdMs, from: 'open', to: 'half_open', failureCount: 3 },
      { kind, key, atMs: thirdMs, from: 'half_open', to: 'closed', failureCount: 0 },
    ]);
  });

  test('a sink that throws does not fail the call', () => {
    const emit = () => {
      throw new Error('full');
    };
    const { breaker } = setUp({ events: { emit } });
    fail(breaker, 5);
    expect(breaker.state).toBe('open');
  });
});

test('names every wrong option at once', () => {
  const wrong = {
    key: '',
    threshold: 0,
    timeoutMs: Number.NaN,
    mode: 'always',
    ratio: 2,
    windowMs: Infinity,
    minimumCalls: 1.5,
    probes: '1',
    probeRatio: 0,
    probeTimeoutMs: -1,
    treshold: 5,
  };
  // @ts-expect-error: what a caller without types may give
  expect(() => circuitBreaker(wrong)).toThrow(
    expect.objectContaining({
      code: 'invalid_option',
      details: {
        problems: ['treshold', ...Object.keys(wrong).slice(0, -1)].map((field) =>
          expect.objectContaining({ field }),
        ),
      },
    }),
  );
});

test('needs no options and takes the machine’s clock', () => {
  const breaker = circuitBreaker();
  fail(breaker, 5);
  expect(breaker.toState()).toMatchObject({ policy_id: 'default', threshold: 5, timeout: 60 });
  expect(breaker.openForMs()).toBeGreaterThan(59_000);
});
