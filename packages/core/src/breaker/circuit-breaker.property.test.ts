import { type VirtualClock, virtualClock } from '@redrive/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ErrorClass } from '../classify/classification.ts';
import type { RetryRecord } from '../records/record.ts';
import { type BreakerStateName, REFUSED } from './breaker.ts';
import { type CircuitBreaker, circuitBreaker } from './circuit-breaker.ts';

const NUM_RUNS = 10_000;

interface Settings {
  readonly threshold: number;
  readonly timeoutMs: number;
  readonly probes: number;
  readonly probeRatio: number;
  readonly probeTimeoutMs: number;
}

const settings: fc.Arbitrary<Settings> = fc.record({
  threshold: fc.integer({ min: 1, max: 4 }),
  timeoutMs: fc.integer({ min: 1, max: 100 }),
  probes: fc.integer({ min: 1, max: 4 }),
  probeRatio: fc.constantFrom(0.25, 0.5, 0.6, 1),
  probeTimeoutMs: fc.integer({ min: 1, max: 100 }),
});

type End = 'success' | ErrorClass;

/** `pick` chooses among the calls under way, the ended ones or the handles, whatever their number is. */
type Step =
  | { readonly do: 'call' | 'isolate' | 'reset' }
  | { readonly do: 'end' | 'end again'; readonly pick: number; readonly end: End }
  | { readonly do: 'release'; readonly pick: number }
  | { readonly do: 'pass'; readonly ms: number };

const pick = fc.nat(20);
const end = fc.constantFrom<End>(
  'success',
  'success',
  'retryable',
  'retryable',
  'rate_limited',
  'final',
  'ignored',
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('call' as const) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('end' as const), pick, end }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end again' as const), pick, end }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.nat(120) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('isolate' as const, 'reset' as const) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const), pick }) },
);

interface Call {
  readonly permit: number;
  /** The model's era in which it was admitted. */
  readonly era: number;
  readonly sinceMs: number;
}

/**
 * What the breaker should be, told by its history rather than by counters: an era begins with every change, and the
 * outcomes of an era decide about its end.
 */
class Model {
  name: BreakerStateName = 'closed';
  era = 0;
  outcomes: boolean[] = [];
  openedAtMs = 0;
  handles = 0;
  live: Call[] = [];
  readonly settings: Settings;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  get shown(): BreakerStateName {
    return this.handles > 0 ? 'open' : this.name;
  }

  /** What the next call should meet. */
  admits(nowMs: number): boolean {
    const { timeoutMs, probes, probeTimeoutMs } = this.settings;
    if (this.handles > 0) return false;
    if (this.name === 'closed') return true;
    if (this.name === 'open') return nowMs >= this.openedAtMs + timeoutMs;
    const hasTime = this.live.filter((call) => nowMs < call.sinceMs + probeTimeoutMs);
    return hasTime.length + this.outcomes.length < probes;
  }

  admitted(call: Call): void {
    if (
      this.name === 'half_open' &&
      this.live.length + this.outcomes.length >= this.settings.probes
    )
      this.live.shift();
    this.live.push(call);
  }

  begin(name: BreakerStateName, outcomes: boolean[] = []): void {
    this.name = name;
    this.era += 1;
    this.outcomes = outcomes;
    this.live = [];
  }

  ended(call: Call, end: End, nowMs: number): void {
    if (this.handles > 0 || !this.live.includes(call)) return;
    this.live = this.live.filter((one) => one !== call);
    if (end === 'ignored') return;
    this.outcomes.push(end === 'success' || end === 'final');
    const { threshold, probes, probeRatio } = this.settings;
    if (this.name === 'closed') {
      const row = this.outcomes.slice(-threshold);
      if (row.length === threshold && !row.includes(true)) this.open(nowMs);
    } else {
      const successes = this.outcomes.filter(Boolean).length;
      const failures = this.outcomes.length - successes;
      if (successes / probes >= probeRatio) this.begin('closed');
      else if ((probes - failures) / probes < probeRatio) this.open(nowMs);
    }
  }

  open(nowMs: number): void {
    this.begin('open');
    this.openedAtMs = nowMs;
  }
}

class Run {
  readonly clock: VirtualClock = virtualClock({ startMs: 1_000_000, monotonicMs: 50 });
  readonly model: Model;
  readonly breaker: CircuitBreaker;
  readonly under: Call[] = [];
  readonly over: Call[] = [];
  readonly releases: (() => void)[] = [];
  /** Changes of state since the last step. */
  readonly changes: string[] = [];

  constructor(options: Settings) {
    this.model = new Model(options);
    const emit = (record: RetryRecord) => {
      if (record.kind === 'breaker_changed') this.changes.push(`${record.from} ${record.to}`);
    };
    this.breaker = circuitBreaker({ ...options, clock: this.clock, events: { emit } });
  }

  take(step: Step): void {
    const { model, breaker, clock } = this;
    const nowMs = clock.monotonic();
    if (step.do === 'call') this.call(nowMs);
    else if (step.do === 'pass') clock.tick(step.ms);
    else if (step.do === 'end') {
      const call = pickFrom(this.under, step.pick);
      if (call === undefined) return;
      this.under.splice(this.under.indexOf(call), 1);
      this.over.push(call);
      this.end(call, step.end, nowMs);
    } else if (step.do === 'end again') {
      const call = pickFrom(this.over, step.pick);
      // A closed breaker cannot know a call that reports twice; any other does.
      if (call && (call.era !== model.era || model.name !== 'closed'))
        this.end(call, step.end, nowMs);
    } else if (step.do === 'isolate') {
      if (model.handles === 0) model.begin(model.name, keptBy(model));
      model.handles += 1;
      this.releases.push(breaker.isolate());
    } else if (step.do === 'release') {
      const release = pickFrom(this.releases, step.pick);
      if (release === undefined) return;
      this.releases.splice(this.releases.indexOf(release), 1);
      model.handles -= 1;
      release();
      // Once released, a handle is of no use.
      release();
    } else {
      model.begin('closed');
      breaker.reset();
    }
  }

  call(nowMs: number): void {
    const { model, breaker } = this;
    const expected = model.admits(nowMs);
    expect(breaker.openForMs() === 0).toBe(expected);
    const permit = breaker.admit();
    expect(permit !== REFUSED).toBe(expected);
    if (!expected) return;
    if (model.name === 'open') model.begin('half_open');
    const call = { permit, era: model.era, sinceMs: nowMs };
    model.admitted(call);
    this.under.push(call);
    if (model.name === 'half_open')
      expect(model.live.length).toBeLessThanOrEqual(model.settings.probes);
  }

  end(call: Call, end: End, nowMs: number): void {
    const { model, breaker } = this;
    const isLive = model.handles === 0 && model.live.includes(call);
    const before = isLive ? undefined : breaker.toState();
    const errorClass = end === 'success' ? undefined : end;
    breaker.record(call.permit, errorClass && { errorClass, effect: 'unknown' });
    model.ended(call, end, nowMs);
    // A late outcome leaves no trace.
    if (before) expect(breaker.toState()).toEqual(before);
  }
}

const LEGAL = ['closed open', 'open half_open', 'half_open closed', 'half_open open'];
/** A reset, or the end of an isolation. */
const LEGAL_BY_HAND = [...LEGAL, 'open closed'];

function pickFrom<T>(items: readonly T[], pick: number): T | undefined {
  return items[pick % items.length];
}

/** Isolation keeps the row of failures, and gives a half-open breaker new probes. */
function keptBy(model: Model): boolean[] {
  return model.name === 'closed' ? model.outcomes : [];
}

test('follows its history, whatever happens', () => {
  const property = fc.property(settings, fc.array(step, { maxLength: 40 }), (options, steps) => {
    const run = new Run(options);
    for (const one of steps) {
      run.take(one);
      const byHand = one.do === 'reset' || one.do === 'release';
      expect(byHand ? LEGAL_BY_HAND : LEGAL).toEqual(expect.arrayContaining(run.changes.splice(0)));
      expect(run.breaker.state).toBe(run.model.shown);
    }
    // Never stuck: unless somebody holds it open, a call gets through in the end.
    run.clock.tick(options.timeoutMs + options.probeTimeoutMs);
    expect(run.breaker.admit() !== REFUSED).toBe(run.model.handles === 0);
    expect(run.clock.pendingTimers).toBe(0);
  });
  fc.assert(property, { numRuns: NUM_RUNS });
});

test('mode ratio opens exactly when the window says so', () => {
  const outcomes = fc.array(
    fc.record({ waitMs: fc.oneof(fc.nat(300), fc.nat(5_000)), failed: fc.boolean() }),
    { maxLength: 40 },
  );
  const options = fc.record({
    ratio: fc.constantFrom(0.1, 0.5, 0.75, 1),
    windowMs: fc.integer({ min: 10, max: 2_000 }),
    minimumCalls: fc.integer({ min: 1, max: 8 }),
  });
  const property = fc.property(options, outcomes, fc.nat(1e6), (given, calls, monotonicMs) => {
    const clock = virtualClock({ monotonicMs });
    const breaker = circuitBreaker({ ...given, mode: 'ratio', clock });
    const seen: { tenth: number; failed: boolean }[] = [];
    for (const { waitMs, failed } of calls) {
      clock.tick(waitMs);
      const tenth = Math.floor((clock.monotonic() * 10) / given.windowMs);
      seen.push({ tenth, failed });
      const inWindow = seen.filter((call) => call.tenth > tenth - 10);
      const failures = inWindow.filter((call) => call.failed).length;
      const opens =
        failed &&
        inWindow.length >= given.minimumCalls &&
        failures / inWindow.length >= given.ratio;

      breaker.record(
        breaker.admit(),
        failed ? { errorClass: 'retryable', effect: 'unknown' } : undefined,
      );
      expect(breaker.state).toBe(opens ? 'open' : 'closed');
      expect(breaker.failureCount).toBe(failures);
      if (opens) return;
    }
  });
  fc.assert(property, { numRuns: NUM_RUNS });
});
