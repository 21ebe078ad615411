import { isRedriveError } from '@redrive/core';
import {
  CATEGORY_POLICIES,
  findCategory,
  RetryCategory,
  RetryManager,
} from '@redrive/core/manager';
import { describe, expect, it } from 'vitest';

// The matrix of categories: attempts, base delay, max delay (both in seconds), use case.
const MATRIX = `
NATS_CONNECT          5  1.0  30.0  Connection establishment
NATS_PUBLISH          3  0.5  10.0  Message publishing
NATS_SUBSCRIBE        3  0.5  10.0  Subject subscription
NATS_STREAM_CREATE    2  2.0  60.0  Stream setup
KV_CREATE             2  1.0  30.0  KV bucket creation
KV_GET                3  0.5  10.0  KV value retrieval
KV_PUT                3  0.5  10.0  KV value storage
KV_DELETE             2  1.0  30.0  KV value deletion
EXECUTION_INTENT      2  2.0  60.0  Intent execution
EXECUTION_CONTAINMENT 2  2.0  60.0  Containment ops
EXECUTION_EXPIRATION  1  1.0  30.0  Batch processing
APPROVAL_CHECK        3  1.0  30.0  Approval verification
APPROVAL_GRANT        2  2.0  60.0  Approval operations
REPLAY_PROCESSING     1  1.0  30.0  Large replays
REPLAY_VALIDATION     2  1.0  30.0  Replay validation
API_REQUEST           3  1.0  30.0  API calls
API_VALIDATION        2  0.5  10.0  Input validation
`;
const rows = MATRIX.trim()
  .split('\n')
  .map((line) => {
    const [name = '', attempts, base, max, ...use] = line.split(/ +/);
    return {
      name,
      attempts: Number(attempts),
      base: Number(base),
      max: Number(max),
      use: use.join(' '),
    };
  });

describe('the categories', () => {
  it('are all there, and no others', () => {
    expect(rows).toHaveLength(17);
    expect(Object.keys(RetryCategory).toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
    expect(Object.keys(CATEGORY_POLICIES).toSorted()).toEqual(
      rows.map(({ name }) => `RETRY_${name}`).toSorted(),
    );
  });

  it.each(rows)('$name has its numbers', ({ name, attempts, base, max, use }) => {
    const policy = new RetryManager().getPolicy(`RETRY_${name}`);
    expect(policy).toMatchObject({
      id: `RETRY_${name}`,
      name,
      description: use,
      maxAttempts: attempts,
      baseDelayMs: base * 1_000,
      maxDelayMs: max * 1_000,
      backoff: 'exponential',
      multiplier: 2,
      jitter: 'proportional',
      jitterAmount: 0.1,
    });
  });
});

describe('looking up a category', () => {
  it.each(rows)('finds $name by its code and by its name', ({ name }) => {
    expect(findCategory(`RETRY_${name}`)).toBe(`RETRY_${name}`);
    expect(findCategory(name)).toBe(`RETRY_${name}`);
  });

  it.each([
    ['REPLAY_REPLAY_PROCESSING', 'RETRY_REPLAY_PROCESSING'],
    ['REPLAY_REPLAY_VALIDATION', 'RETRY_REPLAY_VALIDATION'],
  ])('finds the old spelling %s', (old, code) => {
    expect(findCategory(old)).toBe(code);
    expect(new RetryManager().getPolicy(old).id).toBe(code);
  });

  it.each([
    '',
    'RETRY_',
    'KV_GTE',
    'retry_kv_get',
    'REPLAY_REPLAY_',
    'REPLAY_REPLAY_KV_GET',
    'constructor',
    '__proto__',
  ])('does not find %j, and says what there is', (text) => {
    expect(findCategory(text)).toBeUndefined();
    let error: unknown;
    try {
      new RetryManager().getPolicy(text);
    } catch (thrown) {
      error = thrown;
    }
    if (!isRedriveError(error, 'unknown_category')) expect.fail(String(error));
    expect(error.message).toContain('RETRY_KV_GET');
    expect(error.details).toMatchObject({ category: text });
  });
});
