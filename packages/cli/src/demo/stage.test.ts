import { expect, test } from 'vitest';
import { screenOf } from '../terminal/screen.ts';
import { stageOn } from './stage.ts';

const ignore = () => undefined;

test('a terminal gives time to read, and drawings stay readable on a wide one', () => {
  const stage = stageOn(screenOf({ isTTY: true, columns: 300 }, {}), ignore);
  expect(stage.pauseMs).toBeGreaterThan(0);
  expect(stage.columns).toBe(100);
});

test('a pipe gets no pauses', () => {
  expect(stageOn(screenOf({}, {}), ignore)).toMatchObject({ pauseMs: 0, columns: 80 });
});
