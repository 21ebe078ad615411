import { leakedSecrets, plantSecrets } from '@redrive/testkit/conformance/secrets';
import { expect, test, vi } from 'vitest';
import { openMade } from './testing/open-made.ts';
import { NO_SYNC, testServer } from './testing/server.ts';

// Some thousand questions to the server, one after the other.
vi.setConfig({ testTimeout: 60_000 });

const server = testServer(NO_SYNC);

/** What handlers need is kept as it was given; nothing else in the schema may have a secret in it. */
const KEPT_AS_GIVEN: Readonly<Record<string, readonly string[]>> = {
  jobs: ['payload', 'payload_bytes'],
  finished: ['payload', 'payload_bytes', 'result'],
  earlier_payloads: ['payload', 'payload_bytes'],
  ledger: ['value'],
};

/** All tables of a schema as texts, row by row, with the columns that are asked for. */
async function dump(
  schema: string,
  wanted: (table: string, column: string) => boolean,
): Promise<string[]> {
  const tables = await server.sql('select tablename as name from pg_tables where schemaname = $1', [
    schema,
  ]);
  const texts: string[] = [];
  for (const { name } of tables) {
    for (const row of await server.sql(`select * from ${schema}."${name}"`)) {
      const values = Object.entries(row).filter(([column]) => wanted(String(name), column));
      texts.push(values.map(([, value]) => textOf(value)).join('\n'));
    }
  }
  return texts;
}

function textOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString() : String(value);
}

test('no secret is in the schema but in payloads and results', async () => {
  const schema = server.newSchema();
  const store = await openMade(server.url, { schema, onWarning: () => {} });
  try {
    const told = await plantSecrets(store);
    while ((await store.seal()) !== undefined);
    const isGiven = (table: string, column: string): boolean =>
      KEPT_AS_GIVEN[table]?.includes(column) ?? false;
    const beside = await dump(schema, (table, column) => !isGiven(table, column));
    expect(beside.length).toBeGreaterThan(200);
    expect([...new Set([...told, ...beside].flatMap(leakedSecrets))]).toEqual([]);
    // It would find them.
    expect((await dump(schema, isGiven)).flatMap(leakedSecrets)).not.toEqual([]);
  } finally {
    await store.close();
  }
});
