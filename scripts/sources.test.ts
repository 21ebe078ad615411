import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { DOCUMENTS } from './sources/documents.ts';
import { READINGS } from './sources/readings.ts';
import { sourcesPage } from './sources/sources-page.ts';
import type { Proof } from './sources/statement.ts';

const root = dirname(import.meta.dirname);
const statements = DOCUMENTS.flatMap(({ sections }) => sections.flatMap((one) => one.statements));

test('each statement of the source documents has a test that proves it, or a reading', () => {
  expect(statements.filter(({ by }) => by.length === 0).map(({ id }) => id)).toEqual([]);
  expect(DOCUMENTS.map(({ letter }) => letter)).toEqual(['A', 'B', 'C', 'D', 'E']);
  expect(statements.length).toBeGreaterThan(250);
});

test('ids of statements are unique, and begin with the letter of their document', () => {
  expect(new Set(statements.map(({ id }) => id)).size).toBe(statements.length);
  for (const { letter, sections } of DOCUMENTS) {
    const ids = sections.flatMap((one) => one.statements.map(({ id }) => id));
    expect(ids.filter((id) => !new RegExp(`^${letter}\\.\\d+$`).test(id))).toEqual([]);
  }
});

test('each proof is a test that runs without a person, with a name that says something', () => {
  const proofs = statements.flatMap(({ by }) => by.filter((one) => typeof one !== 'string'));
  const inSuites = /^packages\/testkit\/src\/conformance\/.*\.ts$/;
  const odd = proofs.filter(
    ({ file, test: name }) =>
      !(inSuites.test(file) || (file.endsWith('.test.ts') && !file.endsWith('.manual.test.ts'))) ||
      !/\p{L}{2} /u.test(name),
  );
  expect(odd).toEqual([]);
});

test('each proof names a test that its file has', () => {
  const texts = new Map<string, string>();
  const textOf = (file: string) => {
    const path = join(root, file);
    const text = texts.get(file) ?? (existsSync(path) ? readFileSync(path, 'utf8') : '');
    texts.set(file, text);
    return text;
  };
  const missing = statements.flatMap(({ id, by }) =>
    by
      .filter((one) => typeof one !== 'string')
      .filter((proof) => !hasTest(textOf(proof.file), proof))
      .map(({ file, test: name }) => `${id}: ${file} has no test "${name}"`),
  );
  expect(missing).toEqual([]);
});

test('a proof by a test that was renamed or that only a comment names is found', () => {
  const named = (test: string) => ({ file: '', test });
  const text = "test.each([1])('waits %s s', () => {});\n// test('is gone')\nconst a = 'a text';";
  expect(hasTest(text, named('waits %s s'))).toBe(true);
  for (const name of ['waits 1 s', 'waits', 'is gone', 'a text']) {
    expect(hasTest(text, named(name)), name).toBe(false);
  }
});

test('each reading that a statement follows exists, and each reading is followed', () => {
  const followed = new Set(
    statements.flatMap(({ by }) => by.filter((one) => typeof one === 'string')),
  );
  expect([...followed].toSorted()).toEqual(Object.keys(READINGS).toSorted());
});

test('the page is made from the statements; `npx vitest run -u` writes it anew', async () => {
  await expect(sourcesPage()).toMatchFileSnapshot(join(root, 'docs/reference/sources.md'));
});

/** Whether the text calls a test function with this name, as it is written there. */
function hasTest(text: string, { test: name }: Proof): boolean {
  const escaped = name.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  return new RegExp(String.raw`^(?!\s*//).*\(\s*(['"\x60])${escaped}\1,`, 'm').test(text);
}
