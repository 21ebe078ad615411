import { expect, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';

test('the list fits into 80 columns', async () => {
  const { stdout } = await runMain(['policy', 'list']);
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^id +attempts +back-off +first +cap +jitter +from$/);
  expect(lines[1]).toMatch(/^RETRY_NATS_CONNECT +5 +exponential +1s +30s +±10 % +preset$/);
  expect(lines).toHaveLength(1 + 17 + 4 + 1 + 1);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
});

test('show names the place of every value', async () => {
  const { stdout } = await runMain(['policy', 'show', 'events.default', '--json']);
  const { id, matched_by, preset, values } = JSON.parse(stdout);
  expect({ id, matched_by, preset }).toEqual({
    id: 'events.default',
    matched_by: 'policy',
    preset: 'events.default',
  });
  expect(values).toContainEqual({
    field: 'base_delay',
    value: 0.25,
    unit: 'seconds',
    source: 'preset',
    where: 'preset events',
  });
  expect(values).toContainEqual({
    field: 'attempt_timeout',
    value: null,
    unit: 'seconds',
    source: 'default',
    where: 'built in',
  });
});
