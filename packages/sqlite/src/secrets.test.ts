import { DatabaseSync } from 'node:sqlite';
import { leakedSecrets, plantSecrets } from '@redrive/testkit/conformance/secrets';
import { expect, test } from 'vitest';
import { openMade } from './testing/open-made.ts';
import { scratch } from './testing/scratch.ts';
import { withoutThreads } from './testing/without-threads.ts';

/** What handlers need is kept as it was given; nothing else in the file may have a secret in it. */
const KEPT_AS_GIVEN: Readonly<Record<string, readonly string[]>> = {
  jobs: ['body', 'result'],
  payloads: ['payload'],
  earlier_payloads: ['payload'],
  ledger: ['value'],
};

/** All tables of a file as texts, row by row, with the columns that are asked for. */
function dump(path: string, wanted: (table: string, column: string) => boolean): string[] {
  const db = new DatabaseSync(path, { readOnly: true });
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const texts = tables.flatMap(({ name }) =>
    db
      .prepare(`SELECT * FROM "${String(name)}"`)
      .all()
      .map((row) =>
        Object.entries(row)
          .filter(([column]) => wanted(String(name), column))
          .map(([, value]) =>
            value instanceof Uint8Array ? Buffer.from(value).toString() : String(value),
          )
          .join('\n'),
      ),
  );
  db.close();
  return texts;
}

test('no secret is in the file but in payloads and results', async () => {
  const place = scratch();
  const store = await openMade(place.path, {}, { audit: true, start: withoutThreads });
  try {
    const told = await plantSecrets(store);
    while ((await store.seal()) !== undefined);
    const isGiven = (table: string, column: string): boolean =>
      KEPT_AS_GIVEN[table]?.includes(column) ?? false;
    const beside = dump(place.path, (table, column) => !isGiven(table, column));
    expect(beside.length).toBeGreaterThan(200);
    expect([...new Set([...told, ...beside].flatMap(leakedSecrets))]).toEqual([]);
    // It would find them.
    expect(dump(place.path, isGiven).flatMap(leakedSecrets)).not.toEqual([]);
  } finally {
    await store.close();
    place.remove();
  }
});
