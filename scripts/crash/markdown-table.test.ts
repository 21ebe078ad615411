import { expect, test } from 'vitest';
import { markdownTable } from './markdown-table.ts';

test('a report is a line that says what was counted, and whether something was found', () => {
  const figures = { kills: 200, lost: 0, 'a long text: memory, MiB': '3 (at most 64)', other: 1 };
  const report = { fault: 'kill and pause', store: 'sqlite', seed: 7, figures, violations: [] };
  expect(markdownTable([report, { ...report, violations: ['lost: k1'] }]).split('\n')).toEqual([
    '| fault | store | measured |',
    '|---|---|---|',
    '| kill and pause | sqlite | seed 7; kills: 200; lost: 0; memory at most + 3 MiB; no violations |',
    '| kill and pause | sqlite | seed 7; kills: 200; lost: 0; memory at most + 3 MiB; **1 violations** |',
  ]);
});
