import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMON_ERRORS } from './error-classes/common-errors.ts';
import { errorClassesPage } from './error-classes/error-classes-page.ts';
import { judgeStored, retriesInPlace } from './error-classes/judge-errors.ts';

test('the page of error classes says what 40 common errors become on each rung; `npx vitest run -u` writes it anew', async () => {
  expect(COMMON_ERRORS.length).toBeGreaterThanOrEqual(40);
  const page = join(dirname(import.meta.dirname), 'docs/reference/error-classes.md');
  await expect(await errorClassesPage()).toMatchFileSnapshot(page);
});

test('handleEventWithRetry tries again after the same errors as stored events', async () => {
  const { events } = await judgeStored(COMMON_ERRORS);
  const named = (retried: readonly boolean[]) =>
    COMMON_ERRORS.flatMap(({ name }, at) => (retried[at] ? [name] : []));
  expect(named(await retriesInPlace(COMMON_ERRORS))).toEqual(
    named(events.map((fate) => fate !== 'final')),
  );
});
