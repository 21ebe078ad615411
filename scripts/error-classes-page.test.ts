import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMON_ERRORS } from './error-classes/common-errors.ts';
import { errorClassesPage } from './error-classes/error-classes-page.ts';

test('the page of error classes says what 40 common errors become on each rung; `npx vitest run -u` writes it anew', async () => {
  expect(COMMON_ERRORS.length).toBeGreaterThanOrEqual(40);
  const page = join(dirname(import.meta.dirname), 'docs/reference/error-classes.md');
  await expect(await errorClassesPage()).toMatchFileSnapshot(page);
});
