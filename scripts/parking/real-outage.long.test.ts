import { expect, test } from 'vitest';
import { withPlace } from '../crash/place.ts';
import { realOutage } from './real-outage.ts';

// The short form of `npm run parking -- sqlite|postgres`. The tests beside it share two cores: bounds are wide.
test.each(['sqlite', 'postgres'] as const)(
  'on %s, two processes leave a dead dependency alone but for one probe at a time, and come back to it at a pace',
  { timeout: 120_000 },
  async (kind) => {
    const report = await withPlace(kind, (place) =>
      realOutage(place, { downMs: 5_000, perSecond: 30, breakerTimeoutMs: 1_000 }),
    );
    expect(report).toMatchObject({ succeeded: report.jobs, dead: 0, workers: 2 });
    // What ran when it opened, and five probes. Without parking every job would try, some of them five times.
    expect(report.attemptsWhileDown).toBeLessThan(40);
    expect(report.mostParked).toBeGreaterThan(60);
    // The probe, what is submitted after it, and the first few of those that wait: not all at once.
    expect(report.perSecondAfter[0]).toBeLessThan(75);
  },
);
