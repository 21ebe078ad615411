import { expect, test } from 'vitest';
import { drawTimeline } from './narrator.ts';

const plain = { paint: (_colour: string, text: string) => text };
const failed = (atMs: number) => ({ atMs, success: false });
const answered = (atMs: number) => ({ atMs, success: true });

test('marks stand in proportion to time, each above its time', () => {
  expect(drawTimeline(plain, [failed(0), failed(200), answered(600)], 38)).toEqual([
    '✗─────────✗───────────────────✓',
    '0         200                 600 ms',
  ]);
});

test('attempts at the same time stay apart, so that their times can be read', () => {
  expect(drawTimeline(plain, [failed(0), failed(0), answered(0)], 40)).toEqual([
    '✗─────✗─────✓',
    '0     0     0 ms',
  ]);
});

test('one attempt is a mark without a line', () => {
  expect(drawTimeline(plain, [answered(0)], 40)).toEqual(['✓', '0 ms']);
});
