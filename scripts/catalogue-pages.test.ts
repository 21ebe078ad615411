import { dirname, join } from 'node:path';
import { catalogue } from '@redrive/telemetry';
import { expect, test } from 'vitest';
import { catalogueOfPages } from './catalogue-pages/catalogue-pages.ts';

test('log events, notices and reason codes of the catalogue are made from their pages; `npx vitest run -u` writes them anew', async () => {
  const file = 'packages/telemetry/src/catalogue/pages.ts';
  await expect(catalogueOfPages()).toMatchFileSnapshot(join(dirname(import.meta.dirname), file));
});

test('every one of them has a meaning', () => {
  const meanings = [
    ...catalogue.logEvents.map(({ name, meaning }) => [name, meaning]),
    ...Object.entries(catalogue.reasonCodes),
  ];
  expect(meanings.length).toBeGreaterThan(80);
  const without = meanings.filter(([, meaning]) => !/^\S+ \S+ .*\.$/.test(meaning ?? ''));
  expect(without).toEqual([]);
});
