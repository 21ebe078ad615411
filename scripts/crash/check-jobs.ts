import type { JobSummary } from '@redrive/durable';
import { isFinal } from '@redrive/durable/store';
import type { TrailRecord } from '../../packages/testkit/src/conformance/store/audit-trail.ts';
import type { Deed, Facts } from './evidence.ts';
import { processOf } from './process-of.ts';
import type { Findings } from './report.ts';
import { NEXT } from './workload.ts';

/** The jobs and records of a store at rest. */
export interface FinalState {
  readonly jobs: readonly JobSummary[];
  readonly trails: ReadonlyMap<string, readonly TrailRecord[]>;
}

/** Compares what the harness knows with what the store says: is everything there that was accepted, and nothing else? */
export function checkJobs({ jobs }: FinalState, facts: Facts, findings: Findings): void {
  const { attempted, accepted } = facts;
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const attemptedKeys = new Set(attempted.map(({ key }) => key));
  const acceptedKeys = new Set(accepted.map(({ key }) => key));
  const keys = jobs.map(({ idempotencyKey }) => idempotencyKey);

  findings.figures.attempted = attempted.length;
  findings.figures.accepted = accepted.length;
  findings.figures.recovered = keys.filter((key) => !acceptedKeys.has(key)).length;
  for (const state of ['succeeded', 'dead', 'cancelled']) {
    findings.figures[state] = jobs.filter((job) => job.state === state).length;
  }
  findings.none(
    'lost',
    accepted.filter(({ id = '' }) => !byId.has(id)).map(({ key, id }) => `${key} (job ${id})`),
  );
  findings.none(
    'not finished',
    jobs.filter(({ state }) => !isFinal(state)).map(({ id, state }) => `${id} is ${state}`),
  );
  const seen = [...keys, ...facts.deeds.map(({ key }) => key)];
  findings.none('unexpected', [...new Set(seen.filter((key) => !attemptedKeys.has(key)))]);
  findings.none('stored twice', repeated(keys));
  checkFollowUps(jobs, attemptedKeys, findings);
}

/** A job that an attempt has enqueued exists if and only if its parent has succeeded. */
function checkFollowUps(
  jobs: readonly JobSummary[],
  attempted: ReadonlySet<string>,
  findings: Findings,
): void {
  const keys = new Set(jobs.map(({ idempotencyKey }) => idempotencyKey));
  const succeeded = new Set(
    jobs.filter(({ state }) => state === 'succeeded').map((job) => job.idempotencyKey),
  );
  const parents = [...attempted].filter((key) => attempted.has(`${key}${NEXT}`));
  findings.figures['enqueued by attempts'] = parents.filter((key) => keys.has(key + NEXT)).length;
  findings.none(
    'enqueued by an attempt, and not the outcome of its parent',
    parents.filter((key) => keys.has(key + NEXT) !== succeeded.has(key)),
  );
}

/** Compares what handlers did with what the store says of it. Answers how many runs no attempt had planned. */
export function checkRuns({ jobs, trails }: FinalState, facts: Facts, findings: Findings): number {
  const { deeds, endings } = facts;
  const count = (what: string): number => deeds.filter((deed) => deed.what === what).length;
  const effects = new Set(deeds.filter(({ what }) => what === 'effect').map(({ key }) => key));
  const ran = new Set(deeds.map(({ key }) => key)).size;
  const extraRuns = count('start') - count('fail') - ran;
  findings.figures.runs = count('start');
  findings.none(
    'succeeded without an effect',
    jobs
      .filter(({ state, idempotencyKey }) => state === 'succeeded' && !effects.has(idempotencyKey))
      .map(({ id }) => id),
  );

  const written = endings.filter(({ refusal }) => refusal === undefined);
  findings.figures['ends refused'] = endings.length - written.length;
  const succeeded = written.filter(({ to }) => to === 'succeeded').map(({ id }) => id);
  findings.none('succeeded twice', repeated(succeeded));
  findings.none(
    'stale ends',
    written
      .filter(({ id, token, worker }) => !isFollowedByEnd(trails.get(id) ?? [], token, worker))
      .map(({ id, token, worker }) => `${id}: ${worker} had token ${token}`),
  );
  const keyOf = new Map(jobs.map(({ id, idempotencyKey }) => [id, idempotencyKey]));
  const refused = endings
    .filter(({ refusal }) => refusal !== undefined)
    .map(({ id, worker, token }) => runName(keyOf.get(id) ?? id, worker, token));
  findings.none('tokens that did not rise', tokensThatDidNotRise(deeds, new Set(refused)));
  return extraRuns;
}

/** Those that are there once more than once. */
function repeated(texts: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return texts.filter((text) => seen.size === seen.add(text).size);
}

/**
 * Whether each run of a job had a higher token than the one before, whatever became of the store in between. One whose end
 * was refused had lost its job before it started: when clocks jump nobody can know that.
 */
function tokensThatDidNotRise(
  deeds: readonly Deed[],
  refused: ReadonlySet<string>,
): readonly string[] {
  const highest = new Map<string, number>();
  const cases: string[] = [];
  for (const { what, key, worker, token } of deeds) {
    if (what !== 'start' || refused.has(runName(key, worker, token))) continue;
    const before = highest.get(key) ?? 0;
    if (token <= before) cases.push(`${key}: ${token} after ${before}`);
    highest.set(key, Math.max(token, before));
  }
  return cases;
}

function runName(key: string, worker: string, token: number): string {
  return JSON.stringify([key, worker, token]);
}

/** Whether the claim with this token was this worker's, and the next record is that worker's end of it. */
function isFollowedByEnd(trail: readonly TrailRecord[], token: number, worker: string): boolean {
  const index = trail.findIndex((record) => record.event === 'claim' && record.token === token);
  const next = trail[index + 1];
  return (
    index >= 0 &&
    processOf(trail[index]?.detail.by) === worker &&
    next?.event === 'settle' &&
    next.detail.by === trail[index]?.detail.by
  );
}
