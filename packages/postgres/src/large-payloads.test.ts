import { createHash } from 'node:crypto';
import type { FullStore } from '@redrive/durable';
import type { LeasedJob, Payload } from '@redrive/durable/store';
import { expect, it } from 'vitest';
import { claimOf, enqueueOf, ids, settleOf, succeededOf } from './testing/commands.ts';
import { openMade } from './testing/open-made.ts';
import { testServer } from './testing/server.ts';

// Full page writes as in production: they are most of what a moved payload costs.
const server = testServer({ fsync: 'off', synchronous_commit: 'off' });

const BYTES = 20_000;
/** Bytes that cannot be compressed. */
const incompressible = (seed: string): Buffer =>
  Buffer.concat(
    Array.from({ length: BYTES / 32 }, (_, at) =>
      createHash('sha256').update(`${seed} ${at}`).digest(),
    ),
  );
const large = (seed = 'a'): Payload => ({
  kind: 'json',
  text: JSON.stringify(incompressible(seed).toString('base64').slice(0, BYTES)),
});
const small: Payload = { kind: 'json', text: '1' };
const actor = { name: 'test' };

async function claimAll(store: FullStore): Promise<readonly LeasedJob[]> {
  const [claimed] = await store.apply([claimOf()]);
  return claimed?.ok && 'jobs' in claimed ? claimed.jobs : [];
}

const walBytes = async (since = '0/0'): Promise<number> => {
  const text = `select pg_current_wal_insert_lsn() - $1::pg_lsn as bytes`;
  return Number((await server.sql(text, [since]))[0]?.bytes);
};

it('processing writes less than 1.3 times the payload at 20 kB', async () => {
  const store = await openMade(server.url, { schema: server.newSchema() });
  const jobs = ids(50);
  await store.apply(jobs.map((id) => enqueueOf(id, { payload: large(id) })));
  await server.sql('checkpoint');
  const before = await walBytes();
  const claimed = await claimAll(store);
  expect(claimed).toHaveLength(jobs.length);
  await store.apply(claimed.map(succeededOf));
  expect(((await walBytes()) - before) / (jobs.length * BYTES)).toBeLessThan(1.3);
  await store.close();
});

it('a large payload is read wherever its job stands, and goes with its job', async () => {
  const schema = server.newSchema();
  const store = await openMade(server.url, { schema });
  const text = large();
  const bytes: Payload = { kind: 'bytes', bytes: new Uint8Array(incompressible('b')) };
  const kept = async () => (await server.sql(`select seq from ${schema}.payloads`)).length;
  const payloadOf = async (id: string) => (await store.job(id))?.payload;

  await store.apply([enqueueOf('a', { payload: text }), enqueueOf('b', { payload: bytes })]);
  await store.apply([enqueueOf('c', { uniqueKey: 'key' })]);
  await store.apply([
    enqueueOf('d', { uniqueKey: 'key', onConflict: 'replace', payload: text }),
    enqueueOf('e', { payload: small }),
  ]);
  expect(await kept()).toBe(3);
  const claimed = await claimAll(store);
  expect(claimed.map(({ payload }) => payload)).toEqual([text, bytes, text, small]);
  await store.apply(
    claimed.map((job) => settleOf(job, { to: 'dead', reason: 'final_error', errorClass: 'final' })),
  );
  expect(await payloadOf('b')).toEqual(bytes);

  const requeue = { kind: 'act', act: 'requeue', actor } as const;
  await store.apply([
    { ...requeue, id: 'a' },
    { ...requeue, id: 'b', payload: small },
    { ...requeue, id: 'e', payload: text },
  ]);
  expect(await payloadOf('a')).toEqual(text);
  expect(await payloadOf('b')).toEqual(small);
  expect((await store.earlierPayloads('b')).map(({ payload }) => payload)).toEqual([bytes]);
  expect((await claimAll(store)).map(({ payload }) => payload)).toEqual([text, small, text]);
  expect(await kept()).toBe(3);

  const never = Number.POSITIVE_INFINITY;
  const after = { succeededAfterMs: never, cancelledAfterMs: never, purgedAfterMs: never };
  await store.apply([{ kind: 'prune', ...after, deadAfterMs: 0, limit: 10, actor }]);
  expect(await store.job('c')).toBeUndefined();
  expect(await kept()).toBe(2);
  await store.close();
});

it('a replaced payload is not read again when the new one is small or empty', async () => {
  const store = await openMade(server.url, { schema: server.newSchema() });
  await store.apply([enqueueOf('a', { uniqueKey: 'key', payload: large() })]);
  const empty: Payload = { kind: 'json', text: '' };
  for (const payload of [small, large(), empty]) {
    await store.apply([enqueueOf('b', { uniqueKey: 'key', onConflict: 'replace', payload })]);
    expect((await store.job('a'))?.payload).toEqual(payload);
  }
  await store.close();
});
