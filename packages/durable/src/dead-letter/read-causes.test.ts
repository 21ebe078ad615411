import { expect, test } from 'vitest';
import { NO_ATTEMPTS } from '../job/attempt-log.ts';
import type { Job } from '../job/job.ts';
import { summaryOf } from '../job/job-summary.ts';
import type { JobFilter } from '../store/store.ts';
import { EXPIRED_GROUP } from './fingerprint.ts';
import { type CauseSample, rankCauses } from './rank-causes.ts';
import { readCauses } from './read-causes.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2027, 0, 31, 8);

let ids = 0;

/** As much of a job as is looked at. */
function jobOf(state: Job['state'], submittedAtMs: number, more: Partial<Job> = {}): Job {
  ids += 1;
  const job: Partial<Job> = {
    id: `j${ids}`,
    state,
    handler: 'mail',
    queue: 'default',
    tenant: '',
    payload: { kind: 'json', text: ' {}' },
    account: { generation: 1 } as Job['account'], // nothing else of it is looked at
    attempts: NO_ATTEMPTS,
    submittedAtMs,
    reason: 'final_error',
    ...more,
  };
  return job as Job; // see above
}

/** A store with these jobs, which notes what it is asked for. */
function storeOf(jobs: readonly Job[]) {
  const asked: JobFilter[] = [];
  const sorted = jobs.toSorted((one, other) => other.submittedAtMs - one.submittedAtMs);
  const page = (
    found: readonly Job[],
    { limit, after = '0' }: { limit: number; after?: string },
  ) => {
    const end = Number(after) + limit;
    const next = end < found.length ? String(end) : undefined;
    return { jobs: found.slice(Number(after), end).map(summaryOf), next };
  };
  const byId = new Map(jobs.map((job) => [job.id, job]));
  return {
    asked,
    byId,
    controls: async () => ({ revision: 0, nowMs: 0, all: [] }),
    async jobs(filter: JobFilter, request: { limit: number; after?: string | undefined }) {
      asked.push(filter);
      const { submittedAfterMs = 0, submittedBeforeMs = Infinity } = filter;
      const fits = ({ state, submittedAtMs }: Job) =>
        state === 'succeeded' &&
        submittedAtMs >= submittedAfterMs &&
        submittedAtMs < submittedBeforeMs;
      return page(sorted.filter(fits), { ...request, after: request.after ?? '0' });
    },
    async deadLetters(_: object, request: { limit: number; after?: string | undefined }) {
      const dead = sorted.filter(({ state }) => state === 'dead');
      return page(dead, { ...request, after: request.after ?? '0' });
    },
    async finished(some: readonly string[]) {
      return some.flatMap((id) => byId.get(id) ?? []);
    },
  };
}

/** Jobs, evenly over a time. */
function many(
  count: number,
  state: Job['state'],
  fromMs: number,
  spanMs: number,
  more?: Partial<Job>,
) {
  return Array.from({ length: count }, (_, at) =>
    jobOf(state, fromMs + Math.floor((at * spanMs) / count), more),
  );
}

test('letters by fingerprint, and what succeeded in the same hours', async () => {
  const attempt = {
    generation: 1,
    startedAtMs: START_MS + HOUR_MS,
    worker: 'w1',
    policyHash: 'abc',
  };
  const attempts = { kept: [attempt], omitted: 0 } as unknown as Job['attempts']; // no more is looked at
  const origin = { rung: 'document', source: 'orders' } as const;
  const store = storeOf([
    jobOf('dead', START_MS + 5, { fingerprint: 'fp1:a', tenant: 'acme', attempts, origin }),
    jobOf('dead', START_MS + HOUR_MS, { fingerprint: EXPIRED_GROUP.fingerprint }),
    jobOf('succeeded', START_MS - 1),
    jobOf('succeeded', START_MS, { payload: { kind: 'bytes', bytes: new Uint8Array() } }),
    jobOf('succeeded', START_MS + 2 * HOUR_MS - 1, { payload: { kind: 'json', text: '"x"' } }),
    jobOf('succeeded', START_MS + 2 * HOUR_MS),
  ]);
  const samples = await readCauses(store, { handler: 'mail', fingerprint: 'unused' });
  expect(samples).toMatchObject({
    fromMs: START_MS,
    toMs: START_MS + 2 * HOUR_MS,
    moreLetters: false,
    moreSucceeded: false,
  });
  expect(samples.groups.get('fp1:a')?.letters).toEqual([
    {
      handler: 'mail',
      queue: 'default',
      tenant: 'acme',
      collection: 'orders',
      worker: 'w1',
      policy_version: 'abc',
      payload_kind: 'object',
      hour: '2027-01-31T09:00Z',
    },
  ]);
  expect(samples.groups.get(EXPIRED_GROUP.fingerprint)?.pattern).toBe(EXPIRED_GROUP.pattern);
  expect(samples.succeeded.map(({ payload_kind }) => payload_kind)).toEqual(['scalar', 'bytes']);
  expect(store.asked[0]).toMatchObject({ states: ['succeeded'], handler: 'mail' });
});

test('of more than 20,000 succeeded jobs those of some intervals are compared, with the letters of the same', async () => {
  // Two hours; in the first half of each part of 6 minutes jobs have another tenant than in the second.
  const part = HOUR_MS / 10;
  const jobs = [
    ...many(2_000, 'dead', START_MS, 2 * HOUR_MS),
    ...many(30_000, 'succeeded', START_MS, 2 * HOUR_MS),
  ].map((job) => {
    return {
      ...job,
      tenant: (job.submittedAtMs - START_MS) % part < part / 2 ? 'first' : 'second',
    };
  });
  const { groups, succeeded, moreLetters, moreSucceeded } = await readCauses(storeOf(jobs), {});
  expect({ moreLetters, moreSucceeded }).toEqual({ moreLetters: false, moreSucceeded: true });
  expect(succeeded.length).toBeGreaterThan(19_000);
  expect(succeeded.length).toBeLessThanOrEqual(20_000);
  const [{ count, letters } = { count: 0, letters: [] }] = groups.values();
  expect(count).toBe(2_000);
  // The newest two thirds of each part.
  expect(letters.length / count).toBeCloseTo(2 / 3, 1);
  const share = (samples: readonly CauseSample[]) =>
    samples.filter(({ tenant }) => tenant === 'first').length / samples.length;
  expect(share(succeeded)).toBeCloseTo(1 / 4, 1);
  expect(share(letters)).toBeCloseTo(1 / 4, 1);
  expect(rankCauses([letters], succeeded)).toEqual([[]]);
});

test('a burst of jobs is no cause: all of up to 20,000 succeeded jobs are compared', async () => {
  const burst = { tenant: 'burst' };
  const { groups, succeeded } = await readCauses(
    storeOf([
      ...many(100, 'dead', START_MS, 1_000, burst),
      ...many(100, 'dead', START_MS + 1_000, 1_000),
      ...many(4_000, 'succeeded', START_MS, 1_000, burst),
      ...many(4_000, 'succeeded', START_MS + 1_000, 1_000),
    ]),
    {},
  );
  expect(succeeded).toHaveLength(8_000);
  expect(
    rankCauses(
      [...groups.values()].map(({ letters }) => letters),
      succeeded,
    ),
  ).toEqual([[]]);
});

test('no more than 20,000 dead letters are looked at', async () => {
  const store = storeOf(many(20_500, 'dead', START_MS, HOUR_MS));
  const { groups, moreLetters } = await readCauses(store, {});
  expect([...groups.values()].map(({ count }) => count)).toEqual([20_000]);
  expect(moreLetters).toBe(true);
});

test('a letter that was requeued in the meantime is left out; without letters nothing else is read', async () => {
  const dead = jobOf('dead', START_MS);
  const store = storeOf([dead]);
  store.byId.set(dead.id, { ...dead, state: 'succeeded' });
  expect((await readCauses(store, {})).groups.size).toBe(0);
  const empty = storeOf([jobOf('succeeded', START_MS)]);
  expect(await readCauses(empty, { diedAfterMs: START_MS })).toMatchObject({ succeeded: [] });
  expect(empty.asked).toEqual([]);
});
