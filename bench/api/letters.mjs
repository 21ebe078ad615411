import { openStore } from '../../packages/sqlite/dist/index.js';
import { fillSqlite } from '../../scripts/dead-letters/fill-sqlite.ts';
import { commonTemplates, letDie, rareTemplates } from '../../scripts/dead-letters/templates.ts';

/** A store with so many dead letters of 600 causes, and two rare ones. */
export async function fillLetters(path, letters) {
  const store = await openStore(path, { timeoutMs: 60_000 });
  await store.migrate();
  await letDie(store, commonTemplates());
  await letDie(store, rareTemplates());
  await store.close();
  fillSqlite(path, commonTemplates().length, letters);
}
