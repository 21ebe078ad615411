import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  defaultSteps,
  layoutTimeline,
  MIN_BAR,
  type Span,
  type TimelineTimes,
} from './timeline-layout.ts';

const START = Date.parse('2027-01-31T08:00:00Z');

/** A life of attempts and waits, one after the other, as the server sends it. */
const lives = fc
  .record({
    parts: fc.array(
      fc.record({
        ranMs: fc.integer({ min: 0, max: 100_000 }),
        waits: fc.array(fc.integer({ min: 0, max: 90_000_000 }), { maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 30 },
    ),
    isOver: fc.boolean(),
    planned: fc.array(fc.option(fc.integer({ min: 0, max: 9_000_000 }), { nil: undefined }), {
      maxLength: 3,
    }),
    eventMs: fc.integer({ min: -10_000, max: 100_000 }),
  })
  .map(({ parts, isOver, planned, eventMs }): TimelineTimes => {
    let ms = START;
    const rows = parts.map(({ ranMs, waits }) => {
      const startedMs = ms;
      ms += ranMs;
      const endedMs = ms;
      const spans = waits.map((wait) => {
        const fromMs = ms;
        ms += wait;
        return { fromMs, untilMs: ms };
      });
      return { startedMs, endedMs, waits: spans };
    });
    const at = planned.map((wait) => (wait === undefined ? undefined : ms + wait));
    const life = { nowMs: ms, startMs: START, rows, events: [START + eventMs] };
    return isOver ? { ...life, endMs: ms, planned: [] } : { ...life, planned: at };
  });

const right = ({ left, width }: Span) => left + width;

test('bars are at least 4 px, inside the axis, and never overlap their waits', () => {
  const widths = fc.integer({ min: 200, max: 1_600 });
  fc.assert(
    fc.property(lives, widths, fc.constantFrom('scale', 'even'), (times, width, steps) => {
      const { rows, planned, events, now, ticks } = layoutTimeline(times, width, steps);
      for (const { bar, waits } of rows) {
        expect(bar.width).toBeGreaterThanOrEqual(MIN_BAR);
        let free = right(bar);
        for (const wait of waits) {
          expect(wait.left).toBeGreaterThanOrEqual(free - 1e-6);
          expect(wait.width).toBeGreaterThanOrEqual(0);
          free = right(wait);
        }
        expect(bar.left).toBeGreaterThanOrEqual(0);
        expect(free).toBeLessThanOrEqual(width + 1e-6);
      }
      const places = [...planned.flatMap((each) => [each.left, right(each)]), ...events];
      for (const at of [...places, now ?? 0, ...ticks.map((tick) => tick.at)]) {
        expect(at).toBeGreaterThanOrEqual(0);
        expect(at).toBeLessThanOrEqual(width + 1e-6);
      }
    }),
    { numRuns: 200 },
  );
});

test('planned attempts without a time stand behind now, one after the other', () => {
  const row = { startedMs: START, endedMs: START + 1_000, waits: [] };
  const times = { nowMs: START + 60_000, startMs: START, rows: [row], events: [] };
  const layout = layoutTimeline({ ...times, planned: [undefined, undefined] }, 800, 'scale');
  const [first, second] = layout.planned;
  expect(first?.left).toBeGreaterThan(layout.now ?? Infinity);
  expect(second?.left).toBeGreaterThan(right(first ?? { left: Infinity, width: 0 }));
});

test('to scale: twice the time is twice the width; even steps: every step is as wide', () => {
  const waits = (fromMs: number, ms: number) => [{ fromMs, untilMs: fromMs + ms }];
  const rows = [
    { startedMs: START, endedMs: START + 10_000, waits: waits(START + 10_000, 100_000) },
    {
      startedMs: START + 110_000,
      endedMs: START + 120_000,
      waits: waits(START + 120_000, 200_000),
    },
  ];
  const times = { nowMs: START + 320_000, startMs: START, rows, planned: [], events: [] };
  const widths = (steps: 'scale' | 'even') =>
    layoutTimeline(times, 800, steps).rows.map((row) => row.waits[0]?.width ?? 0);
  const [short = 0, long = 0] = widths('scale');
  expect(long / short).toBeCloseTo(2, 5);
  const [one = 0, other = 0] = widths('even');
  expect(one).toBeCloseTo(other, 5);
});

test('even steps are the default for a life over 100 times its shortest wait', () => {
  const row = {
    startedMs: START,
    endedMs: START,
    waits: [{ fromMs: START, untilMs: START + 100 }],
  };
  const life = (ms: number) =>
    defaultSteps({ nowMs: START + ms, startMs: START, rows: [row], planned: [], events: [] });
  expect([life(9_000), life(11_000)]).toEqual(['scale', 'even']);
});
