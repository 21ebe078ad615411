// `npm run dead-letters -- sqlite|postgres [--letters 1000000] [--rounds 20]`: how long pages of dead letters take where
// there are very many. Exit code 1: the 95th percentile of one kind of page is above its limit.
import { parseArgs } from 'node:util';
import type { FullStore } from '@redrive/durable';
import * as postgres from '@redrive/postgres';
import * as sqlite from '@redrive/sqlite';
import { type Place, withPlace } from './crash/place.ts';
import { fillPostgres } from './dead-letters/fill-postgres.ts';
import { fillSqlite } from './dead-letters/fill-sqlite.ts';
import { measure } from './dead-letters/measure.ts';
import { commonTemplates, letDie, rareTemplates } from './dead-letters/templates.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    letters: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '20' },
  },
});
const [kind] = positionals;
if (kind !== 'sqlite' && kind !== 'postgres') {
  console.error('Say which store: npm run dead-letters -- sqlite|postgres');
  process.exit(2);
}

function open({ server, databaseFile }: Place): Promise<FullStore> {
  const options = { timeoutMs: 60_000 };
  return server === undefined
    ? sqlite.openStore(databaseFile, options)
    : postgres.openStore(server.url, options);
}

await withPlace(kind, async (place) => {
  const filling = performance.now();
  const store = await open(place);
  await store.migrate();
  await letDie(store, commonTemplates());
  await letDie(store, rareTemplates());
  await store.close();
  const [kinds, letters] = [commonTemplates().length, Number(values.letters)];
  if (place.server === undefined) fillSqlite(place.databaseFile, kinds, letters);
  else await fillPostgres(place.server.url, kinds, letters);
  const seconds = (performance.now() - filling) / 1000;
  console.log(`${values.letters} dead letters written in ${seconds.toFixed(1)} s`);
  const full = await open(place);
  try {
    if (!(await measure(full, Number(values.rounds)))) process.exitCode = 1;
  } finally {
    await full.close();
  }
});
