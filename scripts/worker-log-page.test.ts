import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

// The page about the log of a worker has every event and every notice that there is, and no other.
const root = dirname(import.meta.dirname);
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = read('docs/reference/worker-log.md');

/** The rows of all tables whose first heading is this, as lists of the names in each cell. */
function rowsBelow(heading: string): string[][][] {
  const tables = page.matchAll(
    new RegExp(`^\\| ${heading} \\|.*\\n\\|-.*\\n((?:\\|.*\\n)+)`, 'gm'),
  );
  const rows = [...tables].flatMap(([, body = '']) => body.trimEnd().split('\n'));
  return rows.map((row) =>
    row.split('|').map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(nameOf)),
  );
}

function nameOf([, name = '']: RegExpExecArray): string {
  return name;
}

const namesBelow = (heading: string) => rowsBelow(heading).flatMap(([, names = []]) => names);

/** The literals of a type or a field: `'open' | 'closed'`. */
function literalsOf(pattern: RegExp, path: string): string[] {
  const [, union = ''] = pattern.exec(read(path)) ?? [];
  return [...union.matchAll(/'(\w+)'/g)].map(nameOf);
}

const source = [
  'durable/src/log',
  'cli/src/start',
  'cli/src/events',
  'cli/src/demo',
  'cli/src/sweep',
  'cli/src/serve',
]
  .flatMap((folder) => globSync(`packages/${folder}/*.ts`, { cwd: root }))
  .filter((path) => !path.endsWith('.test.ts'))
  .map(read)
  .join('\n');

test('has every event that redrive start logs, once', () => {
  // Notes for the audit log are named by an event too.
  const written = [...source.matchAll(/(kind: 'note', )?\bevent: '([\w.]+)'/g)].flatMap(
    ([, note, name = '']) => (note === undefined ? [name] : []),
  );
  const made = [...source.matchAll(/\bevent(?:: | = )`([^`]+)`/g)].map(nameOf);
  const kinds = made.map((name) => name.replaceAll('$', '')).toSorted();
  expect(kinds, 'a new kind of name that is put together: spell it out below').toEqual([
    'breaker.{to}',
    "{control}.{isSeen ? 'seen' : 'gone'}",
  ]);
  const controls = literalsOf(/readonly control: (.*);/, 'packages/durable/src/worker/notice.ts');
  const states = literalsOf(
    /type BreakerStateName = (.*);/,
    'packages/core/src/breaker/breaker.ts',
  );
  const spelt = [
    ...controls.flatMap((control) => [`${control}.seen`, `${control}.gone`]),
    ...states.map((state) => `breaker.${state}`),
  ];
  expect(written.length).toBeGreaterThan(30);
  expect(spelt).toHaveLength(9);
  expect(namesBelow('event').toSorted()).toEqual([...new Set([...written, ...spelt])].toSorted());
});

test('has every kind of notice, once, with an event that there is', () => {
  const notices = read('packages/durable/src/worker/notice.ts');
  const kinds = [...notices.matchAll(/readonly kind: ([^;}]+)/g)].flatMap(([, union = '']) =>
    [...union.matchAll(/'(\w+)'/g)].map(nameOf),
  );
  expect(kinds.length).toBeGreaterThan(15);
  expect(namesBelow('kind').toSorted()).toEqual(kinds.toSorted());
  const events = rowsBelow('kind').map((cells) => cells[3] ?? []);
  expect(events.filter((names) => names.length === 0)).toEqual([]);
  expect(namesBelow('event')).toEqual(expect.arrayContaining(events.flat()));
});
