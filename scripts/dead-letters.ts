// `npm run dead-letters -- sqlite [--letters 1000000] [--rounds 20]`: how long pages of dead letters take where there are
// very many. Exit code 1: the 95th percentile of one kind of page is above its limit.
import { parseArgs } from 'node:util';
import { openStore } from '@redrive/sqlite';
import { withPlace } from './crash/place.ts';
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
if (positionals[0] !== 'sqlite') {
  console.error('Say which store: npm run dead-letters -- sqlite');
  process.exit(2);
}

await withPlace('sqlite', async ({ databaseFile }) => {
  const filling = performance.now();
  const store = await openStore(databaseFile);
  await letDie(store, commonTemplates());
  await letDie(store, rareTemplates());
  await store.close();
  fillSqlite(databaseFile, commonTemplates().length, Number(values.letters));
  const seconds = (performance.now() - filling) / 1000;
  console.log(`${values.letters} dead letters written in ${seconds.toFixed(1)} s`);
  const full = await openStore(databaseFile, { timeoutMs: 60_000 });
  try {
    if (!(await measure(full, Number(values.rounds)))) process.exitCode = 1;
  } finally {
    await full.close();
  }
});
