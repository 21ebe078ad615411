import type { ParkedJobs } from '../control/parked-causes.ts';
import type { DeadGroup } from '../dead-letter/dead-letter-store.ts';
import type { ErrorFingerprint } from '../dead-letter/fingerprint.ts';
import type { CauseRules } from '../dead-letter/rules/cause-rules.ts';
import type { JobSummary, StoredError } from '../job/job.ts';
import type { FailingJob } from '../job/job-summary.ts';

/** Jobs that fail for one cause: those that will be tried again, those that are parked, and dead letters. */
export interface Failure {
  /** The cause, as the groups of dead letters name it. */
  readonly fingerprint: string;
  readonly pattern: string;
  /** The newest error, as it is. Absent: jobs are parked, and none of them has failed itself. */
  readonly lastError?: { readonly type: string; readonly message: string } | undefined;
  readonly handlers: readonly string[];
  /** Known from its breaker or its gate. */
  readonly dependency?: string | undefined;
  /** The causes that its parked jobs are parked under. */
  readonly causes: readonly string[];
  /** The first failure of its jobs that are tried, parked or died within a day. */
  readonly sinceMs: number;
  /** The first death, where it is longer than a day ago. */
  readonly firstSeenMs?: number | undefined;
  readonly lastMs: number;
  readonly retrying: number;
  readonly parked: number;
  /** All dead letters of the cause. */
  readonly dead: number;
  /** There are more than the numbers say. */
  readonly bounded: boolean;
  /** Jobs that failed within the last ten minutes, per minute. */
  readonly perMinute: number;
  /** A job that will be tried again or is parked: the one that failed last. */
  readonly jobId?: string | undefined;
  /** The dead letter that died last. */
  readonly letterId?: string | undefined;
}

/** Everything that a look at the store finds about failing jobs. */
export interface FailureFacts {
  readonly nowMs: number;
  /** Jobs that have failed and are not parked. */
  readonly retrying: readonly FailingJob[];
  /** There are more of these. */
  readonly sampled: boolean;
  /** Causes that jobs are parked under, each with some of its jobs. */
  readonly parked: readonly ParkedSample[];
  readonly dead: readonly DeadSample[];
  /** The rules of people about causes. */
  readonly rules: CauseRules;
}

export interface ParkedSample {
  readonly park: ParkedJobs;
  readonly dependency?: string | undefined;
  /** The last error of the breaker. */
  readonly lastError?: { readonly type: string; readonly message: string } | undefined;
  readonly jobs: readonly FailingJob[];
}

/** A group of dead letters, with some of its letters. */
export interface DeadSample {
  readonly group: DeadGroup;
  /** The first failure of the first job that died of it within a day. */
  readonly firstFailedMs?: number | undefined;
  /** Deaths within the last ten minutes. */
  readonly lately: number;
  readonly letters: readonly JobSummary[];
}

export const RATE_MINUTES = 10;

/** Groups failing jobs by cause, the cause with the most jobs first. Pure. */
export function groupFailures(facts: FailureFacts): readonly Failure[] {
  const failures = new Map<string, Draft>();
  const draftOf = (cause: ErrorFingerprint): Draft => {
    const draft = failures.get(cause.fingerprint) ?? newDraft(cause, facts.nowMs);
    failures.set(cause.fingerprint, draft);
    return draft;
  };
  const nameOf = namer(facts.rules);
  for (const job of facts.retrying) {
    if (job.lastError === undefined) continue;
    const draft = draftOf(nameOf(job.lastError, job.handler));
    addJob(draft, job, facts.nowMs);
    draft.retrying += 1;
    draft.bounded ||= facts.sampled;
  }
  for (const sample of facts.parked) addPark(draftOf(causeOf(sample, nameOf)), sample, facts.nowMs);
  for (const sample of facts.dead) addDead(draftOf(sample.group), sample);
  return [...failures.values()].map(finished).sort((a, b) => jobsOf(b) - jobsOf(a));
}

function jobsOf({ retrying, parked, dead }: Failure): number {
  return retrying + parked + dead;
}

/** A failure while it is put together. */
type Draft = {
  -readonly [Name in keyof Omit<Failure, 'handlers' | 'causes' | 'perMinute'>]: Failure[Name];
} & {
  readonly handlers: Set<string>;
  readonly causes: string[];
  /** Jobs that failed within the last ten minutes. */
  lately: number;
};

function newDraft({ fingerprint, pattern }: ErrorFingerprint, nowMs: number): Draft {
  return {
    ...{ fingerprint, pattern, handlers: new Set(), causes: [], sinceMs: nowMs, lastMs: -Infinity },
    ...{ retrying: 0, parked: 0, dead: 0, bounded: false, lately: 0 },
  };
}

function finished({ lately, lastMs, handlers, ...draft }: Draft): Failure {
  return {
    ...draft,
    lastMs: lastMs === -Infinity ? draft.sinceMs : lastMs,
    handlers: [...handlers].sort(),
    perMinute: lately / RATE_MINUTES,
  };
}

function addJob(draft: Draft, job: FailingJob, nowMs: number): void {
  draft.handlers.add(job.handler);
  const { firstFailedAtMs, lastFailedAtMs } = job;
  if (firstFailedAtMs === undefined || lastFailedAtMs === undefined) return;
  draft.sinceMs = Math.min(draft.sinceMs, firstFailedAtMs);
  if (nowMs - lastFailedAtMs <= RATE_MINUTES * 60_000) draft.lately += 1;
  if (lastFailedAtMs < draft.lastMs) return;
  draft.lastMs = lastFailedAtMs;
  draft.lastError = job.lastError;
  draft.jobId = job.id;
}

function addPark(draft: Draft, sample: ParkedSample, nowMs: number): void {
  const { park, jobs, dependency, lastError } = sample;
  for (const job of jobs) addJob(draft, job, nowMs);
  draft.jobId ??= jobs[0]?.id;
  draft.lastError ??= lastError;
  draft.dependency ??= dependency;
  draft.causes.push(park.cause);
  draft.parked += park.count;
  draft.bounded ||= park.bounded;
  draft.sinceMs = Math.min(draft.sinceMs, park.sinceMs ?? Infinity);
}

function addDead(draft: Draft, { group, firstFailedMs, lately, letters }: DeadSample): void {
  draft.dead = group.count;
  draft.bounded ||= group.bounded;
  draft.lately += lately;
  draft.letterId = group.newestId;
  draft.sinceMs = Math.min(draft.sinceMs, firstFailedMs ?? Infinity);
  if (group.firstDiedAtMs < draft.sinceMs) draft.firstSeenMs = group.firstDiedAtMs;
  for (const { handler } of letters) draft.handlers.add(handler);
  if (group.lastDiedAtMs < draft.lastMs) return;
  draft.lastMs = group.lastDiedAtMs;
  draft.lastError = letters[0]?.lastError ?? draft.lastError;
}

/** The error behind a parked cause: that of its breaker, else the most frequent of its jobs, else none. */
function causeOf({ park, jobs, lastError }: ParkedSample, nameOf: NameError): ErrorFingerprint {
  if (lastError !== undefined) return nameOf(lastError, jobs[0]?.handler);
  const counts = new Map<string, number>();
  for (const job of jobs) {
    if (job.lastError === undefined) continue;
    const { fingerprint } = nameOf(job.lastError, job.handler);
    counts.set(fingerprint, (counts.get(fingerprint) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
  const found = jobs.find(
    (job) => job.lastError && nameOf(job.lastError, job.handler).fingerprint === most,
  );
  return found?.lastError === undefined
    ? { fingerprint: park.cause, pattern: '' }
    : nameOf(found.lastError, found.handler);
}

type NameError = (error: StoredError, handler?: string) => ErrorFingerprint;

/** Thousands of jobs have the same message, and finding its pattern takes a while. */
function namer(rules: CauseRules): NameError {
  const known = new Map<string, ErrorFingerprint>();
  return (error, handler = '') => {
    const { type, message, code, cause } = error;
    const key = JSON.stringify([type, message, code, cause, handler]);
    const found = known.get(key) ?? rules.causeOf({ handler, type, message, code, cause });
    known.set(key, found);
    return found;
  };
}
