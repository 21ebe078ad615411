import { deepEqual, equal, ok } from 'node:assert/strict';
import { isRunning } from '@redrive/core/stored';
import type { JobSummary, Store } from '@redrive/durable';
import { isFinal, JOB_STATES } from '@redrive/durable/store';
import { type TrailRecord, trailsOf } from './audit-trail.ts';

/**
 * The invariants of a store at any moment: the sums of accounts, the fields of each state, one holder per unique key,
 * counts that agree, and one record per transition with gap-free revisions in chains that verify.
 *
 * @throws AssertionError at the first invariant that does not hold.
 */
export async function checkInvariants(store: Store): Promise<void> {
  const jobs = await allJobs(store);
  const trails = await trailsOf(store);
  const uniqueKeys = new Set<string>();
  for (const job of jobs) {
    checkJob(job);
    checkTrail(job, trails.get(job.id) ?? []);
    if (job.uniqueKey === undefined || isFinal(job.state)) continue;
    ok(!uniqueKeys.has(job.uniqueKey), `one unfinished job with the key ${job.uniqueKey}`);
    uniqueKeys.add(job.uniqueKey);
  }
  const known = new Set(jobs.map(({ id }) => id));
  equal(known.size, jobs.length, 'every job once');
  for (const [id, trail] of trails) {
    if (!known.has(id)) equal(trail.at(-1)?.event, 'prune', `${id} is gone, so it was pruned`);
  }
  await checkCounts(store, jobs);
}

/** Every job of the store, page by page, also purged ones. */
export async function allJobs(store: Store): Promise<JobSummary[]> {
  const jobs: JobSummary[] = [];
  let after: string | undefined;
  do {
    const page = await store.jobs({ states: JOB_STATES }, { limit: 1_000, after });
    jobs.push(...page.jobs);
    after = page.next;
  } while (after !== undefined);
  return jobs;
}

function checkJob(job: JobSummary): void {
  const { id, state, account } = job;
  const settled = Object.values(account.entries).reduce((sum, count) => sum + count, 0);
  const running = state === 'leased' ? 1 : 0;
  equal(account.claims, settled + running, `${id}: claims are what ended plus what runs`);
  equal(isRunning(account), state === 'leased', `${id}: runs while it is leased`);
  ok(account.executions >= account.claims, `${id}: executions over all generations`);
  equal(job.lease !== undefined, state === 'leased', `${id}: ${state} and its lease`);
  const waits = state === 'scheduled' || state === 'parked';
  equal(job.dueAtMs !== undefined, waits, `${id}: ${state} and its due time`);
  equal(job.finishedAtMs !== undefined, isFinal(state), `${id}: ${state} and its end`);
  equal(job.purgedFrom !== undefined, state === 'purged', `${id}: ${state} and what it was`);
  equal(job.purgedAtMs !== undefined, state === 'purged', `${id}: ${state} and since when`);
  const mayHaveCause = state === 'dead' || state === 'purged';
  ok(job.fingerprint === undefined || mayHaveCause, `${id}: ${state} and the cause of its death`);
  if (state !== 'parked') equal(job.cause, undefined, `${id}: ${state} and its cause`);
}

function checkTrail(job: JobSummary, trail: readonly TrailRecord[]): void {
  const { id } = job;
  deepEqual(
    trail.map(({ revision }) => revision),
    Array.from({ length: job.revision }, (_, index) => index + 1),
    `${id}: one record per revision`,
  );
  let before: TrailRecord | undefined;
  for (const record of trail) {
    const what = `${id}, revision ${record.revision}, ${record.event}`;
    // A scheduled job becomes ready without a record.
    const promoted = before?.to === 'scheduled' && record.from === 'ready';
    if (!promoted) equal(record.from, before?.to ?? null, `${what}: begins where the last ended`);
    equal(record.previousBlock, before?.block ?? 0, `${what}: points to the record before`);
    ok(record.block >= (before?.block ?? 0), `${what}: stands after the record before`);
    const rises = RAISES_TOKEN.has(record.event);
    equal(record.token, (before?.token ?? 0) + (rises ? 1 : 0), `${what}: token`);
    before = record;
  }
  equal(before?.block, job.auditBlock, `${id}: the block of the newest record`);
  equal(before?.token, job.token, `${id}: the token of the newest record`);
  equal(before?.generation, job.account.generation, `${id}: its generation`);
  equal(before?.executions, job.account.executions, `${id}: its executions`);
  const promoted = before?.to === 'scheduled' && job.state === 'ready';
  if (!promoted) equal(before?.to, job.state, `${id}: the state of the newest record`);
}

const RAISES_TOKEN: ReadonlySet<string> = new Set([
  'claim',
  'settle',
  'lease_lost',
  'requeue',
  'reset',
]);

async function checkCounts(store: Store, jobs: readonly JobSummary[]): Promise<void> {
  const expected = new Map<string, number>();
  for (const { queue, handler, state } of jobs) {
    const key = JSON.stringify([queue, handler, state]);
    expected.set(key, (expected.get(key) ?? 0) + 1);
  }
  const counts = await store.counts();
  if (counts.bounded) return;
  const groups = counts.groups.filter(({ count }) => count > 0);
  const actual = new Map(
    groups.map(({ queue, handler, state, count }) => [
      JSON.stringify([queue, handler, state]),
      count,
    ]),
  );
  equal(actual.size, groups.length, 'one group per queue, handler and state');
  deepEqual(actual, expected, 'counts agree with the jobs');
}
