import { type MongodbReplicaSet, startMongodbReplicaSet } from '@redrive/testkit/services';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { losePrimaries } from './testing/lose-primaries.ts';

let set: MongodbReplicaSet;

beforeAll(async () => {
  set = await startMongodbReplicaSet();
}, 300_000);

afterAll(() => set?.stop());

it('a sweep whose primary is killed goes on, or counts as failed and the next one completes it', {
  timeout: 120_000,
}, async () => {
  expect(await losePrimaries(set, [5, 7, 9, 10])).toMatchObject({ lost: 0, twice: 0 });
});
