import { type MongodbReplicaSet, startMongodbReplicaSet } from '@redrive/testkit/services';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { losePrimaries } from './testing/lose-primaries.ts';

let set: MongodbReplicaSet;

beforeAll(async () => {
  set = await startMongodbReplicaSet();
}, 300_000);

afterAll(() => set?.stop());

it('20 sweeps, each of whose primaries is killed, go on, or count as failed and the next one completes them', {
  timeout: 600_000,
}, async () => {
  const calls = Array.from({ length: 20 }, (_, n) => 1 + (n % 10));
  expect(await losePrimaries(set, calls)).toMatchObject({ lost: 0, twice: 0 });
});
