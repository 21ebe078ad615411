import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = dirname(import.meta.dirname);
const REPOSITORY = 'https://github.com/redrive/redrive/';

// Examples are in no package: a reader who has the packages and these pages finds them by an address.
test('links of the pages to examples work outside the repository', () => {
  const pages = globSync('docs/{tutorial,how-to,explanation}/*.md', { cwd: root });
  const links = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/\]\(([^)#]*\bexamples\/[^)#]*)/g)].map(
      ([, link = '']) => ({ page, link }),
    ),
  );
  expect(links.length).toBeGreaterThan(10);
  const broken = links.filter(({ link }) => {
    const [, path] = /^(?:blob|tree)\/main\/(.*)$/.exec(link.replace(REPOSITORY, '')) ?? [];
    return path === undefined || !link.startsWith(REPOSITORY) || !existsSync(join(root, path));
  });
  expect(broken).toEqual([]);
});
