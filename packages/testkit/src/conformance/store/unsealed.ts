import { equal } from 'node:assert/strict';
import { enqueue } from './commands.ts';
import { same } from './plain.ts';
import type { FullStoreSuite } from './suite.ts';

export function unsealedTests({ test }: FullStoreSuite): void {
  test('says whether the audit log has something to seal', async ({ store }) => {
    const unsealed = async () => (await store.pulse([])).unsealed;
    equal(await unsealed(), false);
    await enqueue(store, 'a');
    equal(await unsealed(), true);
    await store.seal();
    equal(await unsealed(), false);
    await enqueue(store, 'b');
    equal(await unsealed(), true);
    await store.seal();
    equal(await unsealed(), false);
  });

  test('knows the newest anchor of the audit log', async ({ store, clock }) => {
    const anchor = async () => (await store.pulse([])).anchor;
    equal(await anchor(), undefined);
    for (const seq of [1, 2]) {
      await enqueue(store, `job-${seq}`);
      await clock.advance(1_000);
      await store.seal();
      const atMs = clock.now();
      await clock.advance(1_000);
      same(await anchor(), { seq, atMs });
    }
  });
}
