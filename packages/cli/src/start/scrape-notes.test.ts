import { type FullStore, memoryStore } from '@redrive/durable';
import { recordsIn } from '@redrive/durable/store';
import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { ScrapeNotes } from './scrape-notes.ts';

const PROMETHEUS = { agent: 'Prometheus/2.42.0', address: '127.0.0.1' };
const HOUR_MS = 3_600_000;

function setUp() {
  const clock = virtualClock({ startMs: Date.parse('2026-01-29T12:00:00Z') });
  const store = memoryStore({ clock });
  let away = false;
  const warned: string[] = [];
  const log = {
    info: () => {},
    warn: (_: object, text: string) => warned.push(text),
    error: () => {},
  };
  const apply: FullStore['apply'] = async (commands) => {
    if (away) throw new Error('disk full');
    return store.apply(commands);
  };
  // The test reads warnings only.
  const notes = new ScrapeNotes({ apply }, clock, log as never);
  const recorded = async () => {
    await clock.advance(0);
    const blocks = await store.auditBlocks(0, 1_000);
    return blocks
      .flatMap((block) => recordsIn(block))
      .map((record) => [record.event, record.detail]);
  };
  const setAway = (isAway: boolean) => {
    away = isAway;
  };
  return { clock, notes, recorded, warned, setAway };
}

test('a scrape is a read of metrics: recorded once an hour per scraper, with its count', async () => {
  const { clock, notes, recorded } = setUp();
  // Every 15 s, for two and a half hours.
  for (let scrape = 0; scrape < 600; scrape += 1) {
    notes.scraped(PROMETHEUS);
    if (scrape === 300) notes.scraped({ agent: 'curl/8', address: '::1' });
    clock.tick(15_000);
  }
  await notes.close();
  const by = 'scraper:Prometheus/2.42.0@127.0.0.1';
  const at = (time: string) => `2026-01-29T${time}.000Z`;
  expect(await recorded()).toEqual([
    ['read', { by, reads: 'metrics', scrapes: 1, since: at('12:00:00') }],
    ['read', { by, reads: 'metrics', scrapes: 240, since: at('12:00:00') }],
    ['read', { by: 'scraper:curl/8@::1', reads: 'metrics', scrapes: 1, since: at('13:15:00') }],
    ['read', { by, reads: 'metrics', scrapes: 240, since: at('13:00:00') }],
    ['read', { by, reads: 'metrics', scrapes: 119, since: at('14:00:00') }],
  ]);
});

test('a store that is away loses no count, and says so once', async () => {
  const { clock, notes, recorded, warned, setAway } = setUp();
  setAway(true);
  for (let scrape = 0; scrape < 20; scrape += 1) {
    notes.scraped(PROMETHEUS);
    await clock.advance(15_000);
  }
  expect(warned).toEqual([
    'Scrapes of the metrics could not be recorded; they are answered and counted: disk full',
  ]);
  setAway(false);
  await clock.advance(60_000);
  notes.scraped(PROMETHEUS);
  expect(await recorded()).toMatchObject([['read', { scrapes: 21 }]]);
});

test('a thousand scrapers do not fill the log, and a secret in an agent is masked', async () => {
  const { notes, recorded } = setUp();
  notes.scraped({ agent: 'x Authorization: Bearer hunter2hunter2', address: '::1' });
  for (let index = 0; index < 1_000; index += 1) {
    notes.scraped({ agent: `agent ${index}`, address: '::1' });
  }
  await notes.close();
  const all = await recorded();
  expect(all.length).toBeLessThanOrEqual(22);
  expect(JSON.stringify(all)).not.toContain('hunter2');
  expect(all.reduce((sum, [, detail]) => sum + Number(Object(detail).scrapes), 0)).toBe(1_001);
});

test('a clock that is set back does not silence it', async () => {
  const { clock, notes, recorded } = setUp();
  clock.tick(10 * HOUR_MS);
  notes.scraped(PROMETHEUS);
  clock.setWall(Date.parse('2026-01-29T12:00:00Z'));
  notes.scraped(PROMETHEUS);
  expect(await recorded()).toHaveLength(2);
});
