import { parseConfig } from '@redrive/config';
import { definePolicy } from '@redrive/core';
import { type FullStore, jobsOn } from '@redrive/durable';
import { recordsIn } from '@redrive/durable/store';
import { RecordingReader } from '@redrive/lab';
import { expect, onTestFinished, test, vi } from 'vitest';
import { api } from '../testing/api.ts';

const { config, problems } = parseConfig(`version: "1.1.0"
policies: { patient: { max_attempts: 9, extends: runs.default } }
jobs: { handlers: { resize: { command: ["true"], idempotent: true, dependency: images } } }
`);

interface ReviewedPolicy {
  readonly policy: string;
  readonly configured: boolean;
}

const HOUR_MS = 3_600_000;

async function setUp() {
  if (config === undefined) throw new Error(JSON.stringify(problems));
  const all = await api(onTestFinished, { config: () => config });
  const viewer = await all.token({ role: 'viewer' });
  return { ...all, look: (url: string) => all.call('GET', url, { token: viewer }) };
}

/** Reads of the log that a review begins with. */
const readsOf = (store: FullStore) => vi.spyOn(store, 'auditBlocks');

test('the review has the rows of each policy and its findings, and is made once an hour', async () => {
  const { look, clock, store } = await setUp();
  const reads = readsOf(store);
  const first = (await look('/v1/policies/review')).json();
  expect(first).toMatchObject({
    reviewed_at: new Date(clock.now()).toISOString(),
    policies: [{ category: null, sessions: 2, attempts: 2, success_rate: 0 }],
    findings: [{ code: 'unused_policy', policy: 'patient' }],
    under_way: null,
  });
  expect(Date.parse(first.until) - Date.parse(first.since)).toBe(7 * 24 * HOUR_MS);
  const once = reads.mock.calls.length;
  expect(once).toBeGreaterThan(0);
  await clock.advance(HOUR_MS - 1);
  expect((await look('/v1/policies/review')).json()).toEqual(first);
  expect(reads.mock.calls.length).toBe(once);
  await clock.advance(1);
  const second = (await look('/v1/policies/review')).json();
  expect(Date.parse(second.reviewed_at) - Date.parse(first.reviewed_at)).toBe(HOUR_MS);
  await clock.advance(1_000);
  const third = (await look('/v1/policies/review?renew=true')).json();
  expect(Date.parse(third.reviewed_at) - Date.parse(second.reviewed_at)).toBe(1_000);
});

test('policies that exist only in code are marked: no page has them', async () => {
  const { look, clock, store } = await setUp();
  const policy = definePolicy({ id: 'in-code', maxAttempts: 2 });
  const done = { run: () => 'done', policy };
  const jobs = jobsOn(store, { resize: done }, { log: 'off', clock });
  await jobs.enqueue('resize', null);
  await jobs.start();
  await clock.advance(2_000);
  await jobs.stop();
  const { policies, findings } = (await look('/v1/policies/review')).json();
  const marks = policies.map((row: ReviewedPolicy) => [row.policy, row.configured]);
  expect(marks).toContainEqual(['in-code', false]);
  expect(findings).toMatchObject([{ policy: 'patient', configured: true }]);
  for (const { policy: id, configured } of [...policies, ...findings] as ReviewedPolicy[])
    expect((await look(`/v1/policies/${id}`)).statusCode).toBe(configured ? 200 : 404);
});

test('a log that takes longer is read in the background, once for all who ask', async () => {
  const { look, clock, store } = await setUp();
  const { auditBlocks } = store;
  const gate = Promise.withResolvers<void>();
  const reads = vi.fn(async (...given: Parameters<typeof auditBlocks>) => {
    await gate.promise;
    return auditBlocks.apply(store, given);
  });
  Object.assign(store, { auditBlocks: reads });
  const asked = Promise.all([look('/v1/policies/review'), look('/v1/policies/review?renew=true')]);
  await vi.waitFor(() => expect(reads).toHaveBeenCalled());
  await clock.advance(5_000);
  for (const answer of await asked) {
    expect(answer.json()).toMatchObject({ reviewed_at: null, policies: [], under_way: 0 });
  }
  expect(reads).toHaveBeenCalledTimes(1);
  gate.resolve();
  expect((await look('/v1/policies/review')).json()).toMatchObject({ policies: [{ sessions: 2 }] });
});

test('a review that fails is answered with its error, and the next request begins anew', async () => {
  const { look, store } = await setUp();
  const reads = readsOf(store).mockRejectedValueOnce(new Error('boom'));
  expect((await look('/v1/policies/review')).statusCode).toBe(500);
  reads.mockRestore();
  expect((await look('/v1/policies/review')).statusCode).toBe(200);
});

test('a recording has a line per attempt, without ids, payloads and messages; each look is on record', async () => {
  const { look, store, acme, other } = await setUp();
  const answer = await look('/v1/recording');
  expect(answer.headers['content-type']).toBe('application/x-ndjson');
  for (const secret of [acme, other, 'hunter2', 'no such image'])
    expect(answer.body).not.toContain(secret);
  const reader = new RecordingReader();
  for (const line of answer.body.split('\n')) reader.take(line);
  expect([reader.end(), reader.malformed]).toEqual([undefined, 0]);
  const { attempts } = reader;
  expect([attempts.size, attempts.sessions]).toEqual([2, 2]);
  expect(attempts.groups).toMatchObject([{ dependency: 'images', handler: 'resize' }]);
  expect((await look('/v1/recording?dependency=other')).body.trimEnd().split('\n')).toHaveLength(1);
  const blocks = await store.auditBlocks(0, 1_000);
  const looks = blocks.flatMap(recordsIn).filter(({ event }) => event === 'read');
  expect(looks.map((record) => record.detail.command)).toEqual(Array(2).fill('GET /v1/recording'));
});

test('a window that ends before it begins is refused', async () => {
  const { look } = await setUp();
  const answer = await look('/v1/recording?since=2027-02-01T00:00:00Z&until=2027-01-01T00:00:00Z');
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_input']);
});
