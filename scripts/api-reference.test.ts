import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { apiPage } from './api-reference/api-page.ts';
import { builtTypes } from './api-reference/declarations.ts';
import { calledBy } from './api-reference/executed-examples.ts';
import { publicNames } from './api-reference/public-names.ts';
import { entriesOf } from './package-entries.ts';
import { snippetsMarked } from './snippets.ts';

const root = dirname(import.meta.dirname);
const packages = Map.groupBy(entriesOf(root), ({ packageName }) => packageName);
const shortName = (name: string) => name.replace('@redrive/', '');

test.each([...packages])(
  'the page of %s has every public name; `npx vitest run -u` writes it anew',
  async (name, entries) => {
    const page = join(root, 'docs/reference/api', `${shortName(name)}.md`);
    await expect(apiPage(root, entries)).toMatchFileSnapshot(page);
  },
);

describe('api/<package>.txt, so that a new export is a decision', () => {
  const listOf = (name: string) => `api/${shortName(name)}.txt`;

  test.each([...packages])(
    'the list of %s has the names of every entry; `npx vitest run -u` writes it anew',
    async (name, entries) => {
      await expect(publicNames(root, entries)).toMatchFileSnapshot(join(root, listOf(name)));
    },
  );

  test('every list belongs to a package', () => {
    const lists = globSync('api/*', { cwd: root }).sort();
    expect(lists).toEqual([...packages.keys()].map(listOf).sort());
  });
});

/**
 * For authors of stores and for tests: `docs/reference/versions.md` says that they may change in a patch. So may the lab
 * and the list of actions, which are for the command line, the server and the console. The adapters of brokers need a server, which no page starts: their conformance tests call them.
 */
const WITHOUT_EXAMPLES =
  /^@redrive\/(?:core\/(?:stored|fields)|config\/documents|durable\/store|lab|operate(?:\/.*)?|nats|rabbitmq|mongodb|testkit(?:\/.*)?)$/;

describe('every public function has an example in the documentation, which a test runs', () => {
  const called = calledBy([...snippetsMarked('ts'), ...snippetsMarked('ts postgres')]);
  const entries = entriesOf(root).filter(({ name }) => !WITHOUT_EXAMPLES.test(name));

  test.each(entries)('$name', (entry) => {
    const functions = builtTypes(root, entry).filter(({ kind }) => kind === 'function');
    const shown = called.get(entry.name) ?? new Set();
    expect(functions.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([]);
  });
});
