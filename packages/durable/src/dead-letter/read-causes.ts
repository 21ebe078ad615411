import type { ControlStore } from '../control/control-store.ts';
import type { Job, JobSummary } from '../job/job.ts';
import type { JobPage, PageRequest, Store } from '../store/store.ts';
import type { DeadFilter, DeadLetterStore } from './dead-letter-store.ts';
import { EXPIRED_GROUP } from './fingerprint.ts';
import type { CauseSample } from './rank-causes.ts';
import { factsOf } from './rules/regroup-page.ts';
import { rulesIn } from './rules/rule-documents.ts';

/** At most 20,000 dead letters, and as many jobs that succeeded in the same window. */
export interface CauseSamples {
  /** By fingerprint. `letters` are those of the `count` dead letters that can be compared. */
  readonly groups: ReadonlyMap<string, { pattern: string; count: number; letters: CauseSample[] }>;
  readonly succeeded: readonly CauseSample[];
  readonly moreLetters: boolean;
  /** More jobs succeeded: only jobs of some intervals of the window are compared, all jobs of each. */
  readonly moreSucceeded: boolean;
  /** The window: jobs that were submitted from `fromMs` until before `toMs`. */
  readonly fromMs: number;
  readonly toMs: number;
}

const MAX_SAMPLES = 20_000;
/** A window with more succeeded jobs is read in parts, so that its last minutes do not stand for all of it. */
const PARTS = 20;
/** Of an interval: a page may be empty and still have a next one. */
const MAX_PAGES = 50;
/** Whole jobs are read in small numbers: their payloads may be large. */
const AT_ONCE = 100;
const HOUR_MS = 3_600_000;

type CauseStore = Pick<Store, 'jobs' | 'finished'> &
  Pick<DeadLetterStore, 'deadLetters'> &
  Pick<ControlStore, 'controls'>;

/**
 * Reads samples for `rankCauses`. The window has the letters' submissions, in whole hours, and the filter's times.
 *
 * @param signal ends the read: it rejects with the signal's reason. Default: none.
 */
export async function readCauses(
  given: CauseStore,
  filter: DeadFilter,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<CauseSamples> {
  const store = signal === undefined ? given : untilAborted(given, signal);
  const { handler, queue, tenant, tag, diedAfterMs = Infinity, diedBeforeMs = 0 } = filter;
  const dead = await read((page) => store.deadLetters(filter, page), MAX_SAMPLES);
  const hours = dead.jobs.map(({ submittedAtMs }) => Math.floor(submittedAtMs / HOUR_MS));
  const fromMs = hours.reduce((first, hour) => Math.min(first, hour * HOUR_MS), diedAfterMs);
  const toMs = hours.reduce((last, hour) => Math.max(last, (hour + 1) * HOUR_MS), diedBeforeMs);
  const asked = { states: ['succeeded'], handler, queue, tenant, tag } as const;
  const intervals: { fromMs: number; toMs: number; jobs: readonly JobSummary[] }[] = [];
  const readInterval = async (startMs: number, endMs: number, limit: number) => {
    const within = { ...asked, submittedAfterMs: startMs, submittedBeforeMs: endMs };
    const { jobs, more } = await read((page) => store.jobs(within, page), limit);
    // The newest submission comes first. Of the millisecond of the last one there may be more.
    const readMs = more ? (jobs.at(-1)?.submittedAtMs ?? endMs - 1) + 1 : startMs;
    const whole = jobs.filter(({ submittedAtMs }) => submittedAtMs >= readMs);
    intervals.push({ fromMs: readMs, toMs: endMs, jobs: whole });
    return more;
  };
  const moreSucceeded = hours.length > 0 && (await readInterval(fromMs, toMs, MAX_SAMPLES));
  const partMs = Math.ceil((toMs - fromMs) / PARTS);
  if (moreSucceeded) intervals.length = 0;
  for (let startMs = fromMs; moreSucceeded && startMs < toMs; startMs += partMs)
    await readInterval(startMs, Math.min(startMs + partMs, toMs), MAX_SAMPLES / PARTS);
  const groups = new Map<string, { pattern: string; count: number; letters: CauseSample[] }>();
  const rules = rulesIn(await store.controls());
  for await (const job of wholeJobs(store, dead.jobs)) {
    const cause = rules.causeOf(factsOf(job));
    const { fingerprint = cause.fingerprint, submittedAtMs: atMs } = job;
    const { pattern } = fingerprint === EXPIRED_GROUP.fingerprint ? EXPIRED_GROUP : cause;
    const group = groups.get(fingerprint) ?? { pattern, count: 0, letters: [] };
    if (intervals.some((each) => atMs >= each.fromMs && atMs < each.toMs))
      group.letters.push(sampleOf(job));
    groups.set(fingerprint, { ...group, count: group.count + 1 });
  }
  const succeeded: CauseSample[] = [];
  const chosen = intervals.flatMap(({ jobs }) => jobs);
  for await (const job of wholeJobs(store, chosen)) succeeded.push(sampleOf(job));
  return { groups, succeeded, moreLetters: dead.more, moreSucceeded, fromMs, toMs };
}

/** A store whose calls reject once the signal has aborted. */
function untilAborted(store: CauseStore, signal: AbortSignal): CauseStore {
  const ask = async <R>(call: () => Promise<R>): Promise<R> => {
    signal.throwIfAborted();
    return call();
  };
  return {
    jobs: (...args) => ask(() => store.jobs(...args)),
    finished: (ids) => ask(() => store.finished(ids)),
    deadLetters: (...args) => ask(() => store.deadLetters(...args)),
    controls: () => ask(() => store.controls()),
  };
}

async function read(list: (page: PageRequest) => Promise<JobPage>, limit: number) {
  const jobs: JobSummary[] = [];
  let next: JobPage['next'];
  for (let pages = 0; pages < MAX_PAGES && jobs.length < limit; pages++) {
    const page = await list({ limit: Math.min(1_000, limit - jobs.length), after: next });
    jobs.push(...page.jobs);
    next = page.next;
    if (next === undefined) break;
  }
  return { jobs, more: next !== undefined };
}

/** The jobs with attempts and payloads. A job that has another state by now is left out. */
async function* wholeJobs(store: Pick<Store, 'finished'>, jobs: readonly JobSummary[]) {
  for (let from = 0; from < jobs.length; from += AT_ONCE) {
    const ids = jobs.slice(from, from + AT_ONCE).map(({ id }) => id);
    for (const job of await store.finished(ids)) if (job.state === jobs[0]?.state) yield job;
  }
}

function sampleOf(job: Job): CauseSample {
  const { handler, queue, tenant, origin, account, attempts, payload } = job;
  const newest = attempts.kept.at(-1);
  const first = attempts.kept.find(({ generation }) => generation === account.generation);
  // The hour of the first attempt: the newest attempt of a dead letter is later only because of its delays.
  // `JSON.stringify` of an invalid date is null.
  const hour = JSON.stringify(new Date(first?.startedAtMs ?? job.submittedAtMs)).slice(1, 14);
  const json = payload.kind === 'json' && payload.text.trimStart().at(0);
  return {
    handler,
    queue,
    tenant: tenant || undefined,
    collection: origin?.rung === 'document' ? origin.source : undefined,
    worker: newest?.worker || undefined,
    policy_version: newest?.policyHash.slice(0, 12) || undefined,
    // Never a part of the payload itself.
    payload_kind: json === '{' ? 'object' : json === '[' ? 'array' : json ? 'scalar' : 'bytes',
    hour: `${hour}:00Z`,
  };
}
