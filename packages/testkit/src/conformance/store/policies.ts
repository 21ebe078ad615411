import { equal } from 'node:assert/strict';
import type { StoredPolicy } from '@redrive/durable/store';
import { same } from './plain.ts';
import { POLICY } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

export function policyTests({ test }: StoreSuite): void {
  test('are found by their hash, as they were', async ({ store }) => {
    const endless = { ...POLICY, maxDelayMs: Infinity, maxFreeWaits: Infinity };
    const policies: StoredPolicy[] = [
      { hash: 'h-1', id: 'runs.default', policy: POLICY },
      { hash: 'h-2', id: 'runs "endless"', policy: endless },
    ];
    await store.registerPolicies(policies);
    await store.registerPolicies(policies);
    await store.registerPolicies([]);
    for (const policy of policies) same(await store.policy(policy.hash), policy);
    equal(await store.policy('h-3'), undefined);
  });

  test('are counted, up to a number', async ({ store }) => {
    equal(await store.countPolicies(10), 0);
    const policies = ['a', 'b', 'c'].map((hash) => ({ hash, id: 'x', policy: POLICY }));
    await store.registerPolicies([...policies, ...policies]);
    equal(await store.countPolicies(10), 3);
    equal(await store.countPolicies(2), 2);
  });

  test('keep the policy that was registered first under a hash', async ({ store }) => {
    const first = { hash: 'h-1', id: 'a', policy: POLICY };
    await store.registerPolicies([first]);
    await store.registerPolicies([{ hash: 'h-1', id: 'b', policy: POLICY }]);
    same(await store.policy('h-1'), first);
  });
}
