import { expect, test } from 'vitest';
import { stageOn } from './stage.ts';

const ignore = () => undefined;

test('a terminal with colours gets them, and time to read', () => {
  const stage = stageOn({ isTTY: true, columns: 90, hasColors: () => true }, ignore);
  expect(stage.paint('red', 'no')).toBe('\x1b[31mno\x1b[39m');
  expect(stage.pauseMs).toBeGreaterThan(0);
  expect(stage.columns).toBe(90);
});

test('a terminal that has none, or was told so by NO_COLOR, gets plain text', () => {
  const stage = stageOn({ isTTY: true, columns: 300, hasColors: () => false }, ignore);
  expect(stage.paint('red', 'no')).toBe('no');
  expect(stage.columns).toBe(100);
});

test('a pipe gets plain text of 80 columns and no pauses, whatever it claims', () => {
  const stage = stageOn({ columns: 20, hasColors: () => true }, ignore);
  expect(stage.paint('red', 'no')).toBe('no');
  expect(stage.columns).toBe(80);
  expect(stage.pauseMs).toBe(0);
});
