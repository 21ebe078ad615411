import { leakedSecrets, PLANTED_SECRETS, plantSecrets } from '@redrive/testkit/conformance/secrets';
import { expect, test } from 'vitest';
import { memoryStore } from './memory-store.ts';

test('the list has 56 secrets, and finds each of them', () => {
  expect(PLANTED_SECRETS).toHaveLength(56);
  for (const { kind, secret, payloadSecret } of PLANTED_SECRETS) {
    expect(leakedSecrets(`x ${secret} y`)).toContain(kind);
    expect(leakedSecrets(JSON.stringify({ payloadSecret }))).toContain(`${kind}, from the payload`);
    expect(payloadSecret).not.toBe(secret);
  }
});

test('answers and rows of a store have no secret outside payloads and results', async () => {
  const store = memoryStore();
  const texts = await plantSecrets(store);
  expect(texts.length).toBeGreaterThan(2_000);
  const leaks = new Set(texts.flatMap(leakedSecrets));
  expect([...leaks]).toEqual([]);
  // Handlers need them: they are kept as they were given.
  const { jobs } = await store.jobs({ states: ['succeeded'] }, { limit: 1 });
  const kept = await store.job(jobs[0]?.id ?? '');
  expect(leakedSecrets(JSON.stringify([kept?.payload, kept?.result]))).not.toEqual([]);
});
