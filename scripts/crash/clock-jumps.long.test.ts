import { expect, test } from 'vitest';
import type { TrailRecord } from '../../packages/testkit/src/conformance/store/audit-trail.ts';
import { checkDurations, checkNeverEarly } from './check-times.ts';
import { CLOCK_JUMPS, clockJumps } from './faults/clock-jumps.ts';
import { withPlace } from './place.ts';
import { Findings } from './report.ts';

// The short form of `npm run crash -- sqlite --only clock-jumps`.
const SHORT = { ...CLOCK_JUMPS, jobs: 40, jumps: 6, everyMs: 400, workers: 2, sweepMs: 100 };

test.each(['sqlite', 'postgres'] as const)(
  'on %s, nothing begins before its time by the clock of the store, wherever clocks jump',
  { timeout: 120_000 },
  async (kind) => {
    const { figures, violations } = await withPlace(kind, (place) => clockJumps(place, SHORT));
    expect(violations).toEqual([]);
    expect(figures).toMatchObject({ jumps: 6, attempted: 40, succeeded: 40 });
    expect(figures['attempts that had to wait']).toBeGreaterThan(20);
  },
);

test('what begins before its time, or takes impossibly long, is found', () => {
  // The checks look at these fields only.
  const trail = [
    { event: 'enqueue', to: 'scheduled', atMs: 1_000, detail: { due: { inMs: 500 } } },
    { event: 'claim', to: 'leased', atMs: 1_499, detail: {} },
    { event: 'settle', to: 'scheduled', atMs: 2_000, detail: { delayMs: 100, durationMs: -1 } },
    { event: 'claim', to: 'leased', atMs: 2_100, detail: {} },
    { event: 'settle', to: 'succeeded', atMs: 2_200, detail: { durationMs: 3_600_000 } },
  ] as unknown as TrailRecord[];
  const findings = new Findings();
  checkNeverEarly(new Map([['job', trail]]), () => undefined, findings);
  checkDurations(new Map([['job', trail]]), 10_000, findings);
  expect(findings.violations).toEqual([
    'early attempts: job by 1 ms',
    'impossible durations: job: -1 ms',
    'impossible durations: job: 3600000 ms',
  ]);
});
