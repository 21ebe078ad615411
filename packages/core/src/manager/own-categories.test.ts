import { getRetryManager, RetryManager } from '@redrive/core/manager';
import { expect, it, vi } from 'vitest';

const categories = {
  RETRY_SEARCH_QUERY: { maxAttempts: 2, backoff: 'immediate' },
  billing: {},
} as const;
const timeout = () => Promise.reject(Object.assign(new Error('late'), { code: 'ETIMEDOUT' }));

it('takes categories of one’s own, by code and by short name', async () => {
  const manager = new RetryManager({ categories });
  expect(manager.getPolicy('RETRY_SEARCH_QUERY')).toMatchObject({
    id: 'RETRY_SEARCH_QUERY',
    name: 'SEARCH_QUERY',
    maxAttempts: 2,
  });
  expect(manager.getPolicy('SEARCH_QUERY')).toBe(manager.getPolicy('RETRY_SEARCH_QUERY'));
  expect(manager.getPolicy('billing')).toMatchObject({ id: 'billing', maxAttempts: 3 });
  expect(manager.getPolicy('KV_GET').id).toBe('RETRY_KV_GET');
  const operation = vi.fn(timeout);
  const call = manager.executeWithRetry('SEARCH_QUERY', 'Find orders', operation);
  await expect(call).rejects.toMatchObject({ category: 'RETRY_SEARCH_QUERY', totalAttempts: 2 });
  expect(operation).toHaveBeenCalledTimes(2);
});

it('names them where it lists the categories', () => {
  const manager = new RetryManager({ categories });
  expect(() => manager.getPolicy('RETRY_MOON')).toThrow(
    /RETRY_API_VALIDATION, RETRY_SEARCH_QUERY, billing$/,
  );
});

it('refuses one that is built in, and a policy that is wrong', () => {
  expect(() => new RetryManager({ categories: { KV_GET: {} } })).toThrow(
    'categories.KV_GET is built in: change it with policies',
  );
  expect(() => new RetryManager({ categories: { a: { maxAttempts: 0 } } })).toThrow('maxAttempts');
});

it('getRetryManager: one manager for the process, with the options of the first call', () => {
  const manager = getRetryManager({ categories });
  expect(getRetryManager()).toBe(manager);
  expect(getRetryManager().getPolicy('billing').id).toBe('billing');
  expect(() => getRetryManager({})).toThrow(/come too late/);
});

it('gives its kill switch to every call', async () => {
  const asked: unknown[] = [];
  const killSwitch = { isEngaged: (call: unknown) => asked.push(call) > 0 };
  const manager = new RetryManager({ killSwitch });
  const operation = vi.fn(timeout);
  const call = manager.executeWithRetry('KV_GET', 'Get', operation, { tenantId: 'acme' });
  await expect(call).rejects.toMatchObject({ reason: 'kill_switch' });
  expect(operation).toHaveBeenCalledTimes(1);
  expect(asked).toEqual([{ operation: 'Get', tenantId: 'acme', inJob: false }]);
  const wrong = { killSwitch: {} } as unknown as { killSwitch: typeof killSwitch };
  expect(() => new RetryManager(wrong)).toThrow(
    'must be a kill switch with isEngaged(), not an object',
  );
});
