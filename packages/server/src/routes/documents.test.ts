import { leakedSecrets } from '@redrive/testkit/conformance/secrets';
import { expect, onTestFinished, test } from 'vitest';
import { api } from '../testing/api.ts';

const reason = 'the parser is fixed';

test('stuck documents by what the next sweep does, invalid ones apart, failed ones with their letters', async () => {
  const { call, token } = await api(onTestFinished);
  const viewer = await token({ role: 'viewer' });
  const look = async (path: string) => (await call('GET', path, { token: viewer })).json();
  const { documents, collections, next } = await look('/v1/stuck');
  expect(documents.map((one: { id: string; next: string }) => [one.id, one.next])).toEqual([
    ['a-16', 'fail'],
    ['a-17', 'send'],
  ]);
  expect(collections).toEqual([
    { name: 'archives', stuck_threshold_ms: 86_400_000, max_attempts: 3 },
  ]);
  expect(next).toBeNull();
  const [invalid] = (await look('/v1/stuck?invalid=true')).documents;
  expect(invalid).toMatchObject({ id: 'a-18', next: expect.stringContaining('-2') });
  const failed = await look('/v1/documents?limit=1');
  expect(failed.documents).toMatchObject([{ id: 'a-19', dead_letter: null }]);
  const rest = await look(`/v1/documents?after=${encodeURIComponent(failed.next)}`);
  expect(rest.documents).toMatchObject([{ id: 'a-20' }]);
  expect(await look('/v1/stuck/archives/a-17')).toMatchObject({
    verdict: 'The next sweep sends it.',
  });
  expect(await look('/v1/stuck/archives/nobody')).toMatchObject({ code: 'not_found' });
  expect(await look('/v1/stuck?collection=nothing')).toMatchObject({ code: 'not_found' });
  for (const after of ['x', '[-1]', '{}'])
    expect(await look(`/v1/stuck?after=${after}`)).toMatchObject({ status: 400 });
});

test('a secret in the error of a document is masked', async () => {
  const { call, token } = await api(onTestFinished);
  const viewer = await token({ role: 'viewer' });
  for (const path of ['/v1/stuck', '/v1/documents', '/v1/stuck/archives/a-17']) {
    const { body } = await call('GET', path, { token: viewer });
    expect(body).toContain('login failed');
    expect(leakedSecrets(body)).toEqual([]);
  }
});

test('failed documents are reset once, with a record; a purge needs the name of the collection', async () => {
  const { call, token, documents, sweep, store } = await api(onTestFinished);
  const operator = await token({ role: 'operator' });
  const reset = (body: object) =>
    call('POST', '/v1/documents/archives/reset', { token: operator, body });
  expect((await reset({ ids: ['a-19'] })).json()).toMatchObject({ code: 'reason_missing' });
  expect((await reset({ ids: ['a-19'], all: true, reason })).statusCode).toBe(400);
  expect((await reset({ reason })).json()).toMatchObject({
    ...{ status: 409, code: 'not_confirmed' },
    detail: 'All 2 failed documents of archives would be reset.',
  });
  const done = { collection: 'archives', act: 'reset', done: 1, left: 0, dry_run: false };
  expect((await reset({ ids: ['a-19'], reason })).json()).toEqual(done);
  expect(documents.get(sweep.collection, 'a-19')).toMatchObject({ status: 'pending' });
  expect((await reset({ ids: ['a-19'], reason })).statusCode).toBe(404);
  const admin = await token({ role: 'admin' });
  const purge = (body: object) =>
    call('POST', '/v1/documents/archives/purge', { token: admin, body });
  expect((await purge({ all: true, reason })).json()).toMatchObject({ code: 'not_confirmed' });
  expect((await purge({ all: true, reason, confirm: 'archives' })).json()).toMatchObject({
    done: 1,
  });
  expect(documents.get(sweep.collection, 'a-20')).toBeUndefined();
  const { body } = await call('GET', '/v1/audit?event=act', { token: admin });
  expect(body.match(/documents\.archives/g)).toHaveLength(2);
  expect(await store.counts()).toBeDefined();
});

test('released documents are jobs; others are refused with the reason', async () => {
  const { call, token, store } = await api(onTestFinished);
  const answer = await call('POST', '/v1/stuck/archives/release', {
    token: await token({ role: 'operator' }),
    body: { ids: ['a-17', 'a-21', 'nobody'] },
  });
  expect(answer.json()).toMatchObject({
    released: 1,
    refused: [
      { id: 'a-21', why: 'is processed' },
      { id: 'nobody', why: 'does not exist' },
    ],
  });
  const { jobs } = await store.jobs({ handler: 'documents.archives' }, { limit: 10 });
  expect(jobs).toHaveLength(1);
});
