import { expect, it } from 'vitest';
import { checkedProgress, decodeProgress, encodeProgress } from './progress.ts';

const bytesOf = (text: string | undefined) => new TextEncoder().encode(text).length;

it('a fraction is a number from 0 to 1', () => {
  expect(checkedProgress(0, undefined)).toEqual({ fraction: 0 });
  expect(checkedProgress(1, 'done')).toEqual({ fraction: 1, note: 'done' });
  for (const wrong of [-0.1, 1.1, Number.NaN, Infinity, '0.5', null] as number[]) {
    expect(() => checkedProgress(wrong, undefined)).toThrow(/must be a number from 0 to 1/);
  }
  expect(() => checkedProgress(0.5, 7 as unknown as string)).toThrow(/must be a text/);
});

it('a note has 1,000 bytes at most, and ends with a whole character', () => {
  for (const [text, most] of [
    ['x', 1_000],
    ['é', 500],
    ['€', 333],
    ['😀', 250],
  ] as const) {
    for (const count of [most, most + 1, 5_000]) {
      const { note = '' } = checkedProgress(0, text.repeat(count));
      expect(bytesOf(note)).toBeLessThanOrEqual(1_000);
      expect(note).not.toContain('\uFFFD');
      expect(note.endsWith('…')).toBe(count > most);
    }
  }
});

it('a note is kept without secrets, and without what a store refuses', () => {
  const { note } = checkedProgress(0, 'password=hunter2hunter2');
  expect(note).not.toContain('hunter2');
  expect(checkedProgress(0, 'a\0b\uD800').note).toBe('ab\uFFFD');
});

it('a code that cannot be read counts as none', () => {
  const progress = { fraction: 0.5, note: 'half', sinceMs: 7 };
  expect(decodeProgress(JSON.parse(JSON.stringify(encodeProgress(progress))))).toEqual(progress);
  for (const wrong of [undefined, null, 1, {}, [], ['0.5', 7], [0.5]]) {
    expect(decodeProgress(wrong)).toBeUndefined();
  }
});
