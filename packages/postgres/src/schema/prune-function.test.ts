import type { PruneCommand } from '@redrive/durable/store';
import { expect, it } from 'vitest';
import { NO_SYNC, testServer } from '../testing/server.ts';

const server = testServer(NO_SYNC);

const NO_JOBS: PruneCommand = {
  kind: 'prune',
  succeededAfterMs: Infinity,
  cancelledAfterMs: Infinity,
  deadAfterMs: Infinity,
  purgedAfterMs: Infinity,
  limit: 2,
  actor: { name: 'test' },
};

it('says that there is more to delete also while idempotency keys are left', async () => {
  const { store, clock, close } = await server.emptyStore();
  const ledger = store.ledger({ retentionMs: 10 });
  for (const key of ['a', 'b', 'c', 'd', 'e']) await ledger.once({ key }, () => 1);
  await clock.advance(10);
  const answers = [];
  for (let round = 0; round < 3; round += 1) answers.push(...(await store.apply([NO_JOBS])));
  expect(answers.map(({ deleted, more }) => [deleted, more])).toEqual([
    [0, true],
    [0, true],
    [0, false],
  ]);
  await close?.();
});
