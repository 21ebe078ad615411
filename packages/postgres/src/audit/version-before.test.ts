import { readFileSync } from 'node:fs';
import { readWholeAudit, type WholeAudit } from '@redrive/testkit/conformance/audit-store';
import { expect, test } from 'vitest';
import { SCHEMA_VERSION } from '../schema/migrations.ts';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';

const server = testServer(NO_SYNC);
const dump = readFileSync(new URL('../testing/version-before.sql', import.meta.url), 'utf8');
const schema = 'version_before';

/** A store of that version, migrated by this one. */
async function auditOf(text: string): Promise<WholeAudit> {
  await server.sql(`drop schema if exists ${schema} cascade`);
  await server.sql(text);
  const [before] = await server.sql(`select version from ${schema}.meta`);
  expect(before?.version).toBeLessThan(SCHEMA_VERSION);
  const store = await openMade(server.url, { schema, onWarning: () => {} });
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
