import { type Job, type JobSummary, jobDocument, jobSummaryDocument } from '@redrive/durable';
import {
  type AttendedOverview,
  isCovered,
  iso,
  readOverview,
  type ShownValues,
} from '@redrive/durable/store';
import type { Context } from '../action/context.ts';
import { ownJob } from '../action/own-tenant.ts';
import { Refusal } from '../action/refusal.ts';
import { parkAnswer } from '../park/park-answer.ts';
import type { JobAnswer, JobLine } from './job-schema.ts';

/** @throws Refusal `not_found` */
export async function knownJob(
  { store, who }: Pick<Context, 'store' | 'who'>,
  id: string,
): Promise<Job> {
  const job = await ownJob(store, id, who);
  if (job !== undefined) return job;
  const hint =
    '"redrive jobs list" lists all jobs. Finished jobs are deleted when their retention time is over.';
  throw new Refusal('not_found', `There is no job with the id ${id}.`, hint);
}

/** A job with everything that stops it now. */
export async function jobAnswer(
  { store, asOf }: Pick<Context, 'store' | 'asOf'>,
  job: Job,
  values: ShownValues,
): Promise<JobAnswer> {
  const isWaiting = job.state === 'parked' || job.state === 'ready';
  const [overview, row] = await Promise.all([
    isWaiting ? readOverview(store) : undefined,
    store.unreadableJob(job.id),
  ]);
  if (overview) asOf(overview.nowMs);
  return {
    ...jobDocument(job, { values }),
    parked: parkedOf(job, overview),
    ...stopsOf(job, overview),
    set_aside: row?.isSetAside ? { problem: row.problem ?? null } : null,
  };
}

/** Lines of a list. What parked jobs wait for is read only if the list has one. */
export async function jobLines(
  { store, asOf, remember }: Pick<Context, 'store' | 'asOf' | 'remember'>,
  jobs: readonly JobSummary[],
): Promise<JobLine[]> {
  const overview = jobs.some(({ state }) => state === 'parked')
    ? await remember('overview', () => readOverview(store))
    : undefined;
  if (overview) asOf(overview.nowMs);
  return jobs.map((job) => ({ ...jobSummaryDocument(job), parked: parkedOf(job, overview) }));
}

/** A cause that the overview does not have was gone when it was read. */
function parkedOf(
  { state, cause = '' }: JobSummary | Job,
  overview?: AttendedOverview,
): JobLine['parked'] {
  if (state !== 'parked' || overview === undefined) return null;
  const gone = { cause, count: 0, bounded: false, waitsFor: { kind: 'nothing' } } as const;
  const park = overview.parked.find((each) => each.cause === cause) ?? gone;
  const { waits_for, dependency, until, next_probe_at, probe, held_by, held_why, has_worker } =
    parkAnswer(park, overview.hasWorker);
  return { waits_for, dependency, until, next_probe_at, probe, held_by, held_why, has_worker };
}

function stopsOf(job: Job, overview?: AttendedOverview): Pick<JobAnswer, 'kill_switch' | 'pause'> {
  if (job.state !== 'ready' || overview === undefined) return { kill_switch: null, pause: null };
  const { killSwitches, pauses } = overview;
  return {
    kill_switch: stopOf(killSwitches.find((each) => isCovered(each, job))),
    pause: stopOf(pauses.find((each) => isCovered(each, job))),
  };
}

type Stop = AttendedOverview['killSwitches' | 'pauses'][number];

function stopOf(stop: Stop | undefined): JobAnswer['pause'] {
  if (stop === undefined) return null;
  const { scope, name = '', sinceMs, by, why = null } = stop;
  const word = scope === 'operation' ? 'handler' : scope;
  return { scope: word, name, since: iso(sinceMs), by, why };
}
