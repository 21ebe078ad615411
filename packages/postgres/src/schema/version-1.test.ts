import { readFileSync } from 'node:fs';
import { pauses } from '@redrive/durable/control';
import { readWholeAudit, type WholeAudit } from '@redrive/testkit/conformance/audit-store';
import { expect, test } from 'vitest';
import { claimOf } from '../testing/commands.ts';
import { nextSchema } from '../testing/next-schema.ts';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';

const server = testServer(NO_SYNC);
const dump = readFileSync(new URL('../testing/version-1.sql', import.meta.url), 'utf8');

/** The dump has tables and rows. A migration makes the functions. */
async function restore(text: string): Promise<void> {
  await server.sql('drop schema if exists redrive cascade');
  await server.sql(text);
  expect(await server.sql('select version from redrive.meta')).toEqual([{ version: 1 }]);
}

const migrated = () =>
  openMade(server.url, { onWarning: () => {} }, { audit: true, code: nextSchema() });

async function auditOf(text: string): Promise<WholeAudit> {
  await restore(text);
  const store = await migrated();
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

test('audit verify, prove and replay are clean on a schema of version 1, migrated', async () => {
  const { verification, unproven, differing } = await auditOf(dump);
  expect([verification.problems, unproven, differing]).toEqual([[], [], []]);
  expect(verification.records).toBeGreaterThan(40);
  expect(verification.sealed).toBe(verification.records);
  expect(verification.decisions).toBeGreaterThan(10);
});

test('one byte of an old record is enough for a problem', async () => {
  const { verification, unproven } = await auditOf(
    dump.replace('"breakerOpenMs":0', '"breakerOpenMs":1'),
  );
  expect(verification.problems).not.toEqual([]);
  expect(unproven).not.toEqual([]);
});

test('two processes migrate a schema of version 1 at once: its jobs, letters and pause stay', async () => {
  await restore(dump);
  const stores = await Promise.all([migrated(), migrated()]);
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
  const [none] = (await store?.apply([claimOf()])) ?? [];
  expect(none?.jobs).toEqual([]);
  const { jobs = [] } = (await store?.deadLetters({}, { limit: 10 })) ?? {};
  const [letter] = jobs.filter(({ handler }) => handler === 'charge');
  const [whole] = (await other?.finished([letter?.id ?? ''])) ?? [];
  expect(whole?.payload).toMatchObject({ text: expect.stringMatching(/x{3000}/u) });
  const actor = { name: 'bob' };
  const requeue = { kind: 'act', act: 'requeue', id: letter?.id ?? '', actor } as const;
  expect(await other?.apply([requeue])).toMatchObject([{ ok: true }]);
  const charge = { handler: 'charge', limit: 10, policyHash: 'policy-1', limitPerKey: 1 };
  const [claim] = (await store?.apply([claimOf({ lanes: [charge] })])) ?? [];
  expect(claim?.jobs.map(({ id }) => id)).toEqual([letter?.id]);
  await Promise.all(stores.map((each) => each.close()));
});
