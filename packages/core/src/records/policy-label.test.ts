import { expect, test } from 'vitest';
import { CATEGORY_POLICIES } from '../manager/categories.ts';
import { definePolicy } from '../policy/define-policy.ts';
import type { Policy } from '../policy/policy.ts';
import { retry } from '../run/retry.ts';
import { hashPolicy } from './policy-hash.ts';
import { policyCategory } from './policy-label.ts';
import type { RetryRecord } from './record.ts';
import { syncSink } from './sync-sink.ts';

async function factsOf(policy: Policy, category?: string) {
  const records: RetryRecord[] = [];
  const events = syncSink((record) => records.push(record));
  await retry(() => 1, policy, { events, ...(category && { category }) });
  const [record] = records;
  if (record?.kind !== 'attempt_started') throw new Error('no record');
  return record.session;
}

test('a call with a policy of its own is recorded under its id, else its hash, not as "default"', async () => {
  const own = { maxAttempts: 2 };
  expect((await factsOf({ id: 'orders', ...own })).policyId).toBe('orders');
  expect((await factsOf(own)).policyId).toBe(hashPolicy(definePolicy(own)));
  expect((await factsOf({ maxAttempts: 7 })).policyId).not.toBe((await factsOf(own)).policyId);
  expect((await factsOf({})).policyId).toBe('default');
});

test('the category of a call is the one it names, else that of its policy', async () => {
  const id = 'RETRY_KV_GET';
  const policy = { ...CATEGORY_POLICIES[id], id };
  expect((await factsOf(policy)).category).toBe(id);
  expect((await factsOf(policy, 'RETRY_SEARCH')).category).toBe('RETRY_SEARCH');
  expect((await factsOf({ id: 'orders' })).category).toBeUndefined();
});

test('every built-in category and a code of the same form is a category of its policy', () => {
  for (const code of [...Object.keys(CATEGORY_POLICIES), 'RETRY_SEARCH_QUERY'])
    expect(policyCategory(code)).toBe(code);
  for (const id of [
    'runs.default',
    'RETRY_',
    'retry_kv_get',
    `RETRY_${'X'.repeat(200)}`,
    'RETRY_A\n',
  ])
    expect(policyCategory(id)).toBeUndefined();
});
