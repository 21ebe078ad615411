import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { apiPage } from './api-reference/api-page.ts';
import { entriesOf } from './package-entries.ts';

const root = dirname(import.meta.dirname);
const packages = Map.groupBy(entriesOf(root), ({ packageName }) => packageName);

test.each([...packages])(
  'the page of %s has every public name; `npx vitest run -u` writes it anew',
  async (name, entries) => {
    const page = join(root, 'docs/reference/api', `${name.replace('@redrive/', '')}.md`);
    await expect(apiPage(root, entries)).toMatchFileSnapshot(page);
  },
);
