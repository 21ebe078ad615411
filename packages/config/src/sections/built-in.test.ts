import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseConfig } from '../parse-config.ts';
import type { ValueShape } from '../shape/shape.ts';
import { SECTIONS } from './built-in.ts';

const core = new URL('../../../core/src/', import.meta.url);

/** The option of core that a key stands for: `probe_timeout` is `probeTimeoutMs`. */
function optionOf(key: string, { unit }: ValueShape): string {
  const name = key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return unit === undefined ? name : `${name}Ms`;
}

it.each([
  ['budgets', 'budget/retry-budget.ts'],
  ['breakers', 'breaker/breaker-options.ts'],
])('%s have the names and defaults of core', (section, source) => {
  const code = readFileSync(new URL(source, core), 'utf8');
  const shape = SECTIONS.find(({ name }) => name === section)?.shape;
  const entry = shape?.kind === 'map' && shape.of.kind === 'object' ? shape.of.fields : {};
  expect(Object.keys(entry).length).toBeGreaterThan(2);
  for (const [key, field] of Object.entries(entry)) {
    if (field.kind !== 'value') throw new Error(`${key} is no value`);
    const option = optionOf(key, field);
    const [, stated] =
      new RegExp(
        String.raw`Default \`?([\w.,]+?)\`?\.\s*(?:\*/)?\s*\*?/?\n  readonly ${option}\?:`,
      ).exec(code) ?? [];
    expect(stated, `${option} in ${source}`).toBeDefined();
    const { fallback, unit } = field;
    // Some defaults come from the policy, and are stated in words.
    if (fallback === undefined) expect(field.fallbackText).toContain('the policy');
    else
      expect(stated).toBe(
        unit === undefined ? String(fallback) : (Number(fallback) * 1_000).toLocaleString('en'),
      );
  }
});

it('fill in their defaults, entry by entry', () => {
  const { config } = parseConfig('version: "1.1.0"\nbudgets: { db: { ratio: 0.5 } }');
  expect(config?.sections).toMatchObject({
    budgets: { db: { ratio: 0.5, floor_per_second: 10, burst: 100 } },
    breakers: {},
    jobs: { lease_seconds: 30, handlers: {} },
    sweeps: { interval: 900, stuck_threshold: 86_400 },
  });
  expect(config?.sources.get('budgets.db.ratio')).toEqual({
    kind: 'file',
    where: 'redrive.yaml:2',
  });
  expect(config?.sources.has('budgets.db.burst')).toBe(false);
});
