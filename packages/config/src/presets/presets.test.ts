import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explain } from '../explain/explain.ts';
import { lookUp } from '../look-up/look-up.ts';
import { presetConfig } from '../resolve/resolve-config.ts';
import { findPresetPolicy, PRESETS } from './presets.ts';

const config = presetConfig();
const explained = (name: string) => {
  const found = lookUp(config, name);
  if (found.policy === undefined) throw new Error(found.message);
  return explain(found.policy, found);
};
const nominal = (name: string) => explained(name).delays_ms.map((delay) => delay.nominal);

describe('the presets', () => {
  // The matrix of categories: attempts, base and cap in seconds.
  it.each<[string, number, number, number]>([
    ['RETRY_NATS_CONNECT', 5, 1, 30],
    ['RETRY_NATS_PUBLISH', 3, 0.5, 10],
    ['RETRY_NATS_SUBSCRIBE', 3, 0.5, 10],
    ['RETRY_NATS_STREAM_CREATE', 2, 2, 60],
    ['RETRY_KV_CREATE', 2, 1, 30],
    ['RETRY_KV_GET', 3, 0.5, 10],
    ['RETRY_KV_PUT', 3, 0.5, 10],
    ['RETRY_KV_DELETE', 2, 1, 30],
    ['RETRY_EXECUTION_INTENT', 2, 2, 60],
    ['RETRY_EXECUTION_CONTAINMENT', 2, 2, 60],
    ['RETRY_EXECUTION_EXPIRATION', 1, 1, 30],
    ['RETRY_APPROVAL_CHECK', 3, 1, 30],
    ['RETRY_APPROVAL_GRANT', 2, 2, 60],
    ['RETRY_REPLAY_PROCESSING', 1, 1, 30],
    ['RETRY_REPLAY_VALIDATION', 2, 1, 30],
    ['RETRY_API_REQUEST', 3, 1, 30],
    ['RETRY_API_VALIDATION', 2, 0.5, 10],
  ])('%s has %d attempts from %d s to %d s, ±10 %%', (code, attempts, base, cap) => {
    const { policy } = lookUp(config, code);
    expect(policy?.policy).toMatchObject({
      maxAttempts: attempts,
      baseDelayMs: base * 1_000,
      maxDelayMs: cap * 1_000,
      backoff: 'exponential',
      multiplier: 2,
      jitter: 'proportional',
      jitterAmount: 0.1,
    });
    expect(explained(code)).toMatchObject({ matched_by: 'category', max_attempts: attempts });
    expect(nominal(code)).toEqual(
      Array.from({ length: attempts - 1 }, (_, wait) => base * 1_000 * 2 ** wait),
    );
  });

  it('has 17 categories', () => {
    expect(Object.keys(PRESETS.categories.policies)).toHaveLength(17);
  });

  it('spreads NATS connections by a tenth', () => {
    expect(explained('RETRY_NATS_CONNECT').delays_ms).toEqual([
      { attempt: 2, nominal: 1_000, min: 900, max: 1_100 },
      { attempt: 3, nominal: 2_000, min: 1_800, max: 2_200 },
      { attempt: 4, nominal: 4_000, min: 3_600, max: 4_400 },
      { attempt: 5, nominal: 8_000, min: 7_200, max: 8_800 },
    ]);
  });

  it('has `documents`: the first retry at once, then 10, 20, 40 minutes', () => {
    const minutes = (name: string) => nominal(name).map((ms) => ms / 60_000);
    expect(minutes('documents.chunks')).toEqual([0, 10, 20, 40]);
    expect(minutes('documents.threads')).toEqual([0, 10, 20, 40]);
    expect(minutes('documents.archives')).toEqual([0, 10]);
    expect(minutes('documents.messages')).toEqual([0, 10]);
    expect(explained('documents.chunks').delays_ms.every(({ min, max }) => min === max)).toBe(true);
    const page = join(import.meta.dirname, '../../../../docs/how-to/sweep-stuck-documents.md');
    const [a, b, c, d] = minutes('documents.chunks');
    const waits = `5 attempts have waits of ${a}, ${b}, ${c} and ${d} minutes between them`;
    expect(readFileSync(page, 'utf8')).toContain(waits);
  });

  it('has `runs`: 60 s doubling to an hour over 8 attempts', () => {
    expect(nominal('runs.default').map((ms) => ms / 1_000)).toEqual([
      60, 120, 240, 480, 960, 1_920, 3_600,
    ]);
    expect(explained('runs.default')).toMatchObject({ max_attempts: 8, jitter_type: 'none' });
  });

  it('has `events`: 250 ms doubling, full jitter, half an hour, unknown errors final', () => {
    expect(nominal('events.default')).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000]);
    expect(explained('events.default')).toMatchObject({
      max_attempts: 8,
      total_nominal_ms: 31_750,
      ttl_ms: 1_800_000,
      unclassified_errors: 'final',
    });
    expect(explained('events.default').delays_ms.map(({ min }) => min)).toEqual(Array(7).fill(0));
    expect(explained('runs.default').unclassified_errors).toBe('retryable');
  });

  it('says where its values came from', () => {
    const { sources } = explained('events.default');
    expect(sources.maxAttempts).toEqual({ kind: 'preset', where: 'preset events' });
    expect(sources.horizonMs).toEqual({ kind: 'default', where: 'built in' });
  });
});

describe('findPresetPolicy', () => {
  it.each([
    ['events.default', 'events.default'],
    ['events', 'events.default'],
    ['runs', 'runs.default'],
    ['documents', undefined],
    ['KV_GET', 'RETRY_KV_GET'],
    ['categories.RETRY_KV_GET', 'RETRY_KV_GET'],
    ['categories.KV_GET', 'RETRY_KV_GET'],
    ['REPLAY_REPLAY_PROCESSING', 'RETRY_REPLAY_PROCESSING'],
    ['toString', undefined],
    ['', undefined],
  ])('%s is %s', (text, id) => {
    expect(findPresetPolicy(text)).toBe(id);
  });
});
