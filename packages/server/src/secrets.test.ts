import { memoryStore } from '@redrive/durable';
import { leakedSecrets, plantSecrets } from '@redrive/testkit/conformance/secrets';
import { expect, onTestFinished, test } from 'vitest';
import { ROUTES } from './routes/index.ts';
import { api } from './testing/api.ts';

/** Parameters of routes that have no default. */
const QUERIES: Readonly<Record<string, string>> = {
  '/v1/policies/diff': '?a=KV_GET&b=NATS_CONNECT',
  '/v1/policies/plot': '?names=KV_GET',
  '/v1/kill-switches/forecast': '?scope=all',
  // It follows the log.
  '/v1/audit/tail': '?for=0s',
};

test('of fifty planted secrets none is in an answer or an export of a viewer', async () => {
  const store = memoryStore();
  await plantSecrets(store);
  const { call, token } = await api(onTestFinished, { store });
  const viewer = await token({ role: 'viewer' });
  const { jobs } = await store.deadLetters({}, { limit: 60 });
  const { groups } = await store.deadGroups({}, { limit: 1 });
  const looks = ROUTES.filter(
    ({ method, stream }) => method === 'GET' && stream !== 'text/event-stream',
  );
  let shown = 0;
  for (const { path } of looks) {
    // Of a letter, a job and a session all sixty; of other things one.
    const isOfJob = /^\/v1\/(?:jobs|dead-letters|sessions)\/:id/.test(path);
    for (const { id } of isOfJob ? jobs : jobs.slice(0, 1)) {
      const url = `${path}${QUERIES[path] ?? ''}`
        .replace(':id', path.startsWith('/v1/stuck/') ? 'a-17' : id)
        .replace(':collection', 'archives')
        .replace(':policy', 'events.default')
        .replace(':key', groups[0]?.fingerprint ?? '');
      const { statusCode, body } = await call('GET', url, { token: viewer });
      if (statusCode === 200) shown += 1;
      expect([url, leakedSecrets(body)]).toEqual([url, []]);
    }
  }
  expect(shown).toBeGreaterThan(100);
  const url = '/v1/dead-letters/export?payload=full';
  const { body } = await call('GET', url, { token: await token({ role: 'admin' }) });
  expect(leakedSecrets(body)).not.toEqual([]);
});
