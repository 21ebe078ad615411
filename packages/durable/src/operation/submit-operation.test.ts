import { expect, test } from 'vitest';
import { MAX_CONTROL_BYTES } from '../control/control-store.ts';
import { keptWhy } from '../store/commands.ts';
import { controlBench, EVE, notes } from '../testing/control-bench.ts';
import { carryOutOperation } from './carry-out-operation.ts';
import type { OperationRequest } from './operation-request.ts';
import { operationStatus } from './operation-status.ts';
import { submitOperation } from './submit-operation.ts';

const CANCEL: OperationRequest = {
  id: 'op-1',
  act: 'cancel',
  target: { ids: ['nobody'] },
  actor: EVE,
};

test('its reason is kept without the secrets in it, wherever it stands', async () => {
  const { clock, store } = controlBench();
  const why = `password=hunter2 ${'was wrong '.repeat(100)}`;
  await submitOperation(store, { ...CANCEL, actor: { name: 'eve', why } });
  const status = await operationStatus(store, 'op-1');
  expect(status?.changes).toMatchObject([{ by: 'eve', why: keptWhy(why) }]);
  expect(await notes(store)).toMatchObject([['operation:op-1', { by: 'eve', why: keptWhy(why) }]]);
  const run = carryOutOperation(store, 'op-1', { clock });
  await clock.advance(1_000);
  expect(await run).toMatchObject({ state: 'finished', refused: 1 });
  const log = (await store.auditBlocks(0, 1_000)).map(({ body }) => body);
  expect(JSON.stringify([await store.controls(), log])).not.toContain('hunter2');
});

test.each<[string, Partial<OperationRequest>, string]>([
  [
    'ids',
    { target: { ids: Array.from({ length: 1_000 }, (_, n) => `${n}`.padEnd(262, 'x')) } },
    'ids',
  ],
  [
    'a name',
    { actor: { name: 'x'.repeat(MAX_CONTROL_BYTES) }, target: { jobs: {}, limit: 1 } },
    'actor',
  ],
])('%s that no document has room for: nothing has begun', async (_, with_, field) => {
  const { store } = controlBench();
  await expect(submitOperation(store, { ...CANCEL, ...with_ })).rejects.toMatchObject({
    code: 'invalid_option',
    details: { problems: [{ field }] },
  });
  expect(await store.operation('op-1')).toBeUndefined();
});
