import { RetryManager } from '@redrive/core/manager';
import { expect, it } from 'vitest';

it('refuses a policy for a category that does not exist, instead of never using it', () => {
  const policies = JSON.parse('{ "RETRY_KV_GETT": { "maxAttempts": 2 } }');
  expect(() => new RetryManager({ policies })).toThrow(
    expect.objectContaining({ code: 'unknown_category' }),
  );
});
