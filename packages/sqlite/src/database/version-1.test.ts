import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pauses } from '@redrive/durable/control';
import { readWholeAudit, type WholeAudit } from '@redrive/testkit/conformance/audit-store';
import { expect, onTestFinished, test } from 'vitest';
import { claimOf } from '../testing/commands.ts';
import { NEXT_SCHEMA } from '../testing/next-schema.ts';
import { openMade } from '../testing/open-made.ts';
import { scratch } from '../testing/scratch.ts';
import { withoutThreads } from '../testing/without-threads.ts';

const dump = readFileSync(new URL('../testing/version-1.sql', import.meta.url), 'utf8');

const CHARGE = { handler: 'charge', limit: 10, policyHash: 'policy-1', limitPerKey: 1 };

/** A file that version 1 wrote. */
function fileOf(text: string): string {
  const { path, remove } = scratch();
  onTestFinished(remove);
  const db = new DatabaseSync(path);
  db.exec(text);
  expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
  db.close();
  return path;
}

const migrated = (path: string) =>
  openMade(path, {}, { audit: true, start: withoutThreads, schema: NEXT_SCHEMA });

async function auditOf(text: string): Promise<WholeAudit> {
  const store = await migrated(fileOf(text));
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

test('audit verify, prove and replay are clean on a file of version 1, migrated', async () => {
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

test('two processes migrate a file of version 1 at once: its jobs, letters and pause stay', async () => {
  const path = fileOf(dump);
  const stores = await Promise.all([migrated(path), migrated(path)]);
  for (const store of stores) {
    const counted = (await store.counts()).groups.map(({ handler, state, count }) => {
      return `${handler} ${state} ${count}`;
    });
    expect(counted.sort()).toEqual([
      'charge dead 1',
      'charge succeeded 3',
      'import dead 1',
      'mail cancelled 1',
      'mail ready 1',
      'mail scheduled 1',
      'mail succeeded 3',
      'report scheduled 1',
      'search succeeded 1',
    ]);
    expect(await pauses(store)).toMatchObject([{ scope: 'queue', name: 'slow', by: 'ann' }]);
  }
  const [store, other] = stores;
  const [none] = (await store?.apply([claimOf(10)])) ?? [];
  expect(none?.jobs).toEqual([]);
  const { jobs = [] } = (await store?.deadLetters({}, { limit: 10 })) ?? {};
  const [letter] = jobs.filter(({ handler }) => handler === 'charge');
  const [whole] = (await other?.finished([letter?.id ?? ''])) ?? [];
  expect(whole?.payload).toMatchObject({ text: expect.stringMatching(/x{3000}/u) });
  const actor = { name: 'bob' };
  const requeue = { kind: 'act', act: 'requeue', id: letter?.id ?? '', actor } as const;
  expect(await other?.apply([requeue])).toMatchObject([{ ok: true }]);
  const [claim] = (await store?.apply([claimOf(10, { lanes: [CHARGE] })])) ?? [];
  expect(claim?.jobs.map(({ id }) => id)).toEqual([letter?.id]);
  await Promise.all(stores.map((each) => each.close()));
});
