import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { readWholeAudit, type WholeAudit } from '@redrive/testkit/conformance/audit-store';
import { expect, onTestFinished, test } from 'vitest';
import { NEWEST_SCHEMA } from '../database/schema.ts';
import { openMade } from '../testing/open-made.ts';
import { scratch } from '../testing/scratch.ts';

const dump = readFileSync(new URL('../testing/version-before.sql', import.meta.url), 'utf8');

/** A store of that version, migrated by this one. */
async function auditOf(text: string): Promise<WholeAudit> {
  const { path, remove } = scratch();
  onTestFinished(remove);
  const db = new DatabaseSync(path);
  db.exec(text);
  expect(db.prepare('PRAGMA user_version').get()).not.toEqual({ user_version: NEWEST_SCHEMA });
  db.close();
  const store = await openMade(path);
  try {
    const audit = await readWholeAudit(store);
    if (!audit.verification.ok) return audit;
    // Old blocks are compressed like new ones.
    expect(await store.compress({ sealedForMs: 0, minBlocks: 2 })).toBeDefined();
    return await readWholeAudit(store);
  } finally {
    await store.close();
  }
}

test('audit verify, prove and replay are clean on a store of the version before, migrated', async () => {
  const { verification, unproven, differing } = await auditOf(dump);
  expect([verification.problems, unproven, differing]).toEqual([[], [], []]);
  expect(verification.records).toBeGreaterThan(40);
  expect(verification.sealed).toBe(verification.records);
  expect(verification.decisions).toBeGreaterThan(10);
});

test('one byte of an old record is enough for a problem', async () => {
  const { verification, unproven } = await auditOf(dump.replace('"charged":1', '"charged":2'));
  expect(verification.problems).not.toEqual([]);
  expect(unproven).not.toEqual([]);
});
