import { verifyAudit } from '@redrive/durable/audit';
import { recordsIn } from '@redrive/durable/store';
import { expect, it } from 'vitest';
import { enqueueOf, ids } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';

const server = testServer(NO_SYNC);
const actor = { name: 'test' };

it('what many jobs leave that are sent back at once is what one leaves', async () => {
  const schema = server.newSchema();
  const store = await openMade(server.url, { schema, onWarning: () => {} });
  const names = ids(30);
  await store.apply(names.map((id) => enqueueOf(id)));
  await store.apply(names.map((id) => ({ kind: 'act', act: 'cancel', id, actor }) as const));
  const requeued = await store.apply(
    names.map((id) => ({ kind: 'act', act: 'requeue', id, actor }) as const),
  );
  expect(requeued.filter(({ ok }) => ok)).toHaveLength(30);
  while ((await store.seal()) !== undefined);
  const reader = await store.readAudit();
  expect((await verifyAudit(reader)).problems).toEqual([]);
  await reader.close();
  const records = (await store.auditBlocks(0, 100)).flatMap((block) => recordsIn(block));
  const requeues = records.filter(({ event }) => event === 'requeue');
  expect(requeues).toHaveLength(30);
  for (const { from, to } of requeues) expect([from, to]).toEqual(['cancelled', 'ready']);
  await store.close();
});
