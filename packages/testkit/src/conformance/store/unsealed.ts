import { equal } from 'node:assert/strict';
import { enqueue } from './commands.ts';
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
}
