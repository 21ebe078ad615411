import { equal, rejects } from 'node:assert/strict';
import { isRedriveError } from '@redrive/core';
import { enqueue, enqueueOf, HANDLER } from './commands.ts';
import type { StoreSuite } from './suite.ts';

export function closingTests({ test }: StoreSuite): void {
  test('can be done twice, and refuses everything afterwards', async ({ store }) => {
    await enqueue(store, 'job-1');
    await store.close();
    await store.close();
    const unavailable = (error: unknown) => isRedriveError(error, 'store_unavailable');
    await rejects(store.apply([enqueueOf('job-2')]), unavailable);
    await rejects(store.heartbeat([{ id: 'job-1', token: 1 }], 1_000), unavailable);
    await rejects(store.job('job-1'), unavailable);
    await rejects(store.pulse([HANDLER]), unavailable);
    return 'unchecked';
  });

  test('finishes calls that are under way first', async (subject) => {
    const { store, reopen } = subject;
    const writes = Array.from({ length: 50 }, (_, n) => enqueue(store, `job-${n}`));
    await store.close();
    for (const result of await Promise.all(writes)) equal(result.ok, true);
    if (reopen === undefined) return 'unchecked';
    const again = await reopen();
    for (let n = 0; n < 50; n++) equal((await again.job(`job-${n}`))?.state, 'ready', `${n}`);
    return again;
  });
}
