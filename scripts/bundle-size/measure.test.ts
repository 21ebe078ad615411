import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { bundles, measureBytes } from './measure.ts';

const root = dirname(dirname(import.meta.dirname));

test.each(bundles)('$name stays within $limitBytes bytes', async ({ source, limitBytes }) => {
  const bytes = await measureBytes(root, source);
  expect(bytes).toBeGreaterThan(500); // less would mean that nothing was bundled
  expect(bytes).toBeLessThanOrEqual(limitBytes);
});

test('an import of what does not exist is an error, not a small bundle', async () => {
  await expect(measureBytes(root, `export { x } from '@redrive/nothing';`)).rejects.toThrow(
    'Could not resolve',
  );
});
