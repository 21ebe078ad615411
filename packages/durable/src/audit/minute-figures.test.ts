import { seededRandom } from '@redrive/testkit';
import { expect, test } from 'vitest';
import type { AuditBlock } from './audit-block.ts';
import { MinuteFigures } from './minute-figures.ts';

const START = Date.parse('2027-01-31T08:00:00Z');
const MINUTE = 60_000;

let seq = 0;
function block(...records: readonly unknown[]): AuditBlock {
  seq += 1;
  const rest = { writer: 'w', atMs: 0, prevHash: '', hash: '' };
  return { seq, ...rest, body: JSON.stringify(records) };
}

const enqueued = (id: unknown, atMs: number, queue = 'default') => [
  ...[id, 1, 'enqueue', null, 'ready', atMs, 0, 1, 0, 0],
  { handler: 'mail', queue },
];
const settled = (id: unknown, to: string, atMs: number, executions: unknown = 1, more = {}) => [
  ...[id, 3, 'settle', 'leased', to, atMs, 1, 1, executions, 0],
  { action: to === 'scheduled' ? 'retry' : 'succeed', own: ['attempt'], ...more },
];

function read(blocks: readonly AuditBlock[], nowMs: number, windowMs = 60 * MINUTE) {
  const figures = new MinuteFigures();
  for (const each of blocks) figures.take([each], nowMs);
  return figures.read(windowMs, nowMs);
}

test('figures: jobs per minute by result, retry ratio, time to success, new dead letters', () => {
  const nowMs = START + 2 * MINUTE + 1;
  const figures = read(
    [
      block(enqueued(['a', 'b', 'c'], START)),
      block(settled('a', 'succeeded', START + 1_000)),
      block(settled('b', 'scheduled', START + 2_000)),
      block(settled('b', 'succeeded', START + MINUTE, 2)),
      block(
        settled('c', 'dead', START + MINUTE),
        ['c', 4, 'purge', 'dead', 'purged', START + MINUTE, 1, 1, 1, 0, {}],
        ['c', 5, 'restore', 'purged', 'dead', START + MINUTE, 1, 1, 1, 0, {}],
      ),
    ],
    nowMs,
    3 * MINUTE,
  );
  expect(figures).toMatchObject({
    from: '2027-01-31T08:00:00.000Z',
    first_try: [1, 0, 0],
    recovered: [0, 1, 0],
    dead: [0, 1, 0],
    retries: [1, 0, 0],
    total: { first_try: 1, recovered: 1, dead: 1, retries: 1, retry_ratio: 1 / 3 },
    queues: [{ queue: 'default', succeeded: [1, 1, 0] }],
  });
  expect(figures.time_to_success.samples).toBe(2);
  expect(figures.time_to_success.p50).toBeCloseTo(1, 1);
  expect(figures.time_to_success.p99).toBeGreaterThan(54);
  expect(figures.time_to_success.p99).toBeLessThan(66);
});

test('records of a group are counted one by one', () => {
  const group = [...settled(['a', 'b', 'c'], 'succeeded', START, [1, 1, 4]), [[1], [1], [4]]];
  expect(read([block(group)], START).total).toMatchObject({ first_try: 2, recovered: 1 });
});

test('blocks in any order give the same figures', () => {
  const random = seededRandom(5);
  const blocks = Array.from({ length: 300 }, (_, n) => {
    const atMs = START + Math.round(random() * 50 * MINUTE);
    const tookMs = Math.round(random() * 1e5);
    return [block(enqueued(`j${n}`, atMs)), block(settled(`j${n}`, 'succeeded', atMs + tookMs))];
  }).flat();
  const nowMs = START + 55 * MINUTE;
  const inOrder = read(blocks, nowMs);
  expect(inOrder.time_to_success.samples).toBe(300);
  for (let round = 0; round < 5; round += 1) {
    const shuffled = blocks.map((each) => [random(), each] as const).sort(([a], [b]) => a - b);
    expect(
      read(
        shuffled.map(([, each]) => each),
        nowMs,
      ),
    ).toEqual(inOrder);
  }
  expect(read([...blocks].reverse(), nowMs)).toEqual(inOrder);
});

test('percentiles are within 9 percent', () => {
  const random = seededRandom(11);
  const tookMs = Array.from({ length: 2_000 }, () => Math.round(1_000 ** (random() * 2)));
  const blocks = tookMs.map((ms, n) =>
    block(enqueued(`j${n}`, START), settled(`j${n}`, 'succeeded', START + ms)),
  );
  const { p50, p95, p99 } = read(blocks, START + 20 * MINUTE).time_to_success;
  tookMs.sort((a, b) => a - b);
  for (const [share, got] of [
    [0.5, p50],
    [0.95, p95],
    [0.99, p99],
  ] as const) {
    const exact = (tookMs[Math.ceil(2_000 * share) - 1] ?? 0) / 1_000;
    expect(Math.abs((got ?? 0) / exact - 1)).toBeLessThan(0.09);
  }
});

test('a job that was submitted before the window has the time that its id says', () => {
  const id = `${(START - 30 * 3_600_000).toString(36).padStart(9, '0')}000abcdefgh`;
  const { time_to_success } = read([block(settled(id, 'succeeded', START))], START);
  expect(time_to_success.samples).toBe(1);
  expect((time_to_success.p50 ?? 0) / 3_600).toBeCloseTo(30, -0.5);
});

test('memory is bounded: minutes and unfinished jobs of more than a day ago are forgotten', () => {
  const figures = new MinuteFigures();
  const day = 24 * 60 * MINUTE;
  const ids = Array.from({ length: 150_000 }, (_, n) => `j${n}`);
  figures.take([block(enqueued(ids, START))], START);
  // Above 100,000 open jobs the rest has no time of its own.
  const ended = settled(ids, 'succeeded', START + 1_000, 1);
  figures.take([block(ended)], START + 1_000);
  const { total, time_to_success } = figures.read(day, START + 1_000);
  expect([total.first_try, time_to_success.samples]).toEqual([150_000, 100_000]);
  figures.take([], START + day + 2 * MINUTE);
  expect(figures.read(day, START + day).total.first_try).toBe(0);
  expect(figures.read(2 * day, START + day).first_try).toHaveLength(24 * 60);
});
