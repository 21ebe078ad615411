import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

// The page shows what was measured.
const root = dirname(import.meta.dirname);
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('docs/how-to/retry-requests.md has the table of bench/results/http.md, and its versions', () => {
  const results = read('bench/results/http.md');
  const [table = ''] = /^\|.*\|$/ms.exec(results) ?? [];
  const [versions = ''] = /^Node .*(?=\. Three)/m.exec(results) ?? [];
  expect(table.split('\n').length).toBeGreaterThan(8);
  const page = read('docs/how-to/retry-requests.md');
  expect(page).toContain(`\n${table}\n`);
  expect(page).toContain(versions);
});
