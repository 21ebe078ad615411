import { memoryStore } from '@redrive/durable';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { telemetry } from '../telemetry.ts';

function setUp(parts: Partial<ReturnType<typeof memoryStore>> = {}) {
  const clock = virtualClock({ startMs: Date.parse('2026-01-29T12:00:00Z') });
  const store = memoryStore({ clock });
  const asked = { counts: 0 };
  const counts: typeof store.counts = () => {
    asked.counts += 1;
    return store.counts();
  };
  const metrics = telemetry({ store: { ...store, counts, ...parts }, clock });
  onTestFinished(() => metrics.close());
  const lines = async () => (await metrics.scrape()).body.split('\n');
  return { clock, asked, metrics, lines };
}

test('the store is asked at most once in 5 s, however many scrape', async () => {
  const { clock, asked, metrics } = setUp();
  await Promise.all(Array.from({ length: 100 }, () => metrics.scrape()));
  clock.tick(4_999);
  await metrics.scrape();
  expect(asked.counts).toBe(1);
  clock.tick(1);
  await metrics.scrape();
  expect(asked.counts).toBe(2);
});

test('a question that fails leaves its series out and is counted; the others stay', async () => {
  let away = true;
  const { clock, lines } = setUp({
    parks: async () => {
      if (away) throw new Error('away');
      return [{ cause: 'breaker:bank', count: 3, bounded: false }];
    },
  });
  const without = await lines();
  expect(without.filter((line) => line.includes('redrive_parked_jobs'))).toEqual([]);
  expect(without).toContain('redrive_collector_failures_total{collector="parks"} 1');
  expect(without).toContain('redrive_collector_failures_total{collector="counts"} 0');
  expect(without).toContain('redrive_dead_letters 0');
  away = false;
  clock.tick(5_000);
  const back = await lines();
  expect(back).toContain('redrive_parked_jobs{cause="breaker"} 3');
  expect(back).toContain('redrive_parked_jobs{cause="gate"} 0');
  const atSeconds = Date.parse('2026-01-29T12:00:05Z') / 1_000;
  expect(back).toContain(
    `redrive_collector_success_timestamp_seconds{collector="parks"} ${atSeconds}`,
  );
  away = true;
  clock.tick(5_000);
  const again = await lines();
  expect(again.filter((line) => line.includes('redrive_parked_jobs'))).toEqual([]);
  expect(again).toContain('redrive_collector_failures_total{collector="parks"} 2');
});

test('a question has 1 s, and a store that hangs gets no second one until it has answered', async () => {
  let asked = 0;
  let answer: (parks: []) => void = () => {};
  const { clock, lines } = setUp({
    parks: () => {
      asked += 1;
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
  });
  const first = lines();
  await clock.advance(1_000);
  expect(await first).toContain('redrive_collector_failures_total{collector="parks"} 1');
  clock.tick(5_000);
  expect(await lines()).toContain('redrive_collector_failures_total{collector="parks"} 2');
  expect(asked).toBe(1);
  answer([]);
  await clock.advance(5_000);
  const third = lines();
  await clock.advance(1);
  answer([]);
  expect(await third).toContain('redrive_parked_jobs{cause="breaker"} 0');
  expect([asked, clock.pendingTimers]).toEqual([2, 0]);
});

test('an answer that comes after its second changes nothing', async () => {
  let answer: (parks: { cause: string; count: number; bounded: boolean }[]) => void = () => {};
  const { clock, lines } = setUp({
    parks: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  const first = lines();
  await clock.advance(1_000);
  await first;
  answer([{ cause: 'gate:x', count: 9, bounded: false }]);
  await clock.advance(1);
  expect((await lines()).filter((line) => line.includes('redrive_parked_jobs'))).toEqual([]);
});

test('an answer that cannot be read counts as a failure, and the scrape goes on', async () => {
  const parks = [{ count: 1, bounded: false }] as unknown as []; // Of a store with a fault.
  const { clock, lines } = setUp({ parks: async () => parks });
  const shown = await lines();
  expect(shown).toContain('redrive_collector_failures_total{collector="parks"} 1');
  expect(shown.filter((line) => line.includes('redrive_parked_jobs'))).toEqual([]);
  expect(clock.pendingTimers).toBe(0);
});
