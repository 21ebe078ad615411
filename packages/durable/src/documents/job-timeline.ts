import { jitterRange, nominalDelayMs, type ReasonCode } from '@redrive/core';
import { type AttemptEntry, chargedAttempts, type DecisionPolicy } from '@redrive/core/stored';
import type { AuditRecord } from '../audit/audit-block.ts';
import { BlocksByJob } from '../audit/blocks-by-job.ts';
import { causeName } from '../control/parked-cause.ts';
import { isFinal, type Job } from '../job/job.ts';
import type { FullStore } from '../store/full-store.ts';
import { isCovered, targetText } from './is-covered.ts';
import { jobRecords } from './job-history.ts';
import { type AttendedOverview, readOverview } from './status.ts';
import { iso, isoTime } from './times.ts';

/** Why a job waits. `worker`: it is due, and no worker has claimed it yet. */
export type WaitWhy =
  | 'backoff'
  | 'hint'
  | 'breaker'
  | 'gate'
  | 'budget'
  | 'kill'
  | 'pause'
  | 'worker';

/** An attempt of a job, and the waits after it. Times are absolute, so that a page computes none. */
export interface TimelineRow {
  /** Number of the attempt over all generations and rungs, from 1. */
  readonly attempt: number;
  readonly generation: number;
  /** Revision of the record of its outcome: the same number in `audit replay`. `null`: it runs. */
  readonly revision: number | null;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly entry: AttemptEntry | 'running';
  readonly reason: ReasonCode | null;
  readonly action: string | null;
  readonly error: { readonly type: string; readonly message: string } | null;
  readonly worker: string | null;
  readonly waits: readonly TimelineWait[];
}

export interface TimelineWait {
  readonly from: string;
  /** When it ended; of a wait that goes on: its known end, or `null`. */
  readonly until: string | null;
  readonly why: WaitWhy;
  /** `breaker:bank`, `the handler invoice`. `null`: not known, or nothing to name. */
  readonly of: string | null;
  readonly ongoing: boolean;
}

/** An attempt that has not started. */
export interface PlannedAttempt {
  readonly attempt: number;
  /** `null`: no time is known. */
  readonly at: string | null;
  /** The condition that it waits for, where no time decides: as in `TimelineWait`. */
  readonly waits_for: WaitWhy | null;
  readonly of: string | null;
  /** At most this long after the attempt before, if that one fails. */
  readonly at_most_after_ms: number | null;
}

export type JobTimeline = Readonly<Awaited<ReturnType<typeof readTimeline>>>;

type Overview = Pick<AttendedOverview, 'nowMs' | 'killSwitches' | 'pauses' | 'breakers' | 'parked'>;

/** Reads the life of a job for a timeline: its own records, and the controls that stop it now. The cost depends on its own records. */
export async function readTimeline(store: FullStore, job: Job) {
  const newest = job.lease?.policyHash ?? job.attempts.kept.at(-1)?.policyHash;
  const [{ records, complete }, overview, stored] = await Promise.all([
    jobRecords(new BlocksByJob(store), job),
    readOverview(store),
    newest === undefined ? undefined : store.policy(newest),
  ]);
  const policy = stored?.policy;
  const { nowMs } = overview;
  const stop = stopOf(job, overview);
  const rows = rowsOf(records.map(({ record }) => record));
  const last = rows.at(-1);
  if (last !== undefined && !isFinal(job.state)) closeWait(last, nowMs, job, stop);
  return {
    id: job.id,
    /** Revision of the job: its document changes only together with this number. */
    revision: job.revision,
    now: iso(nowMs),
    submitted_at: iso(job.submittedAtMs),
    finished_at: isoTime(job.finishedAtMs),
    /** Attempts of this generation that count, the one that succeeded included. */
    charged: chargedAttempts(job.account) + job.account.entries.succeeded,
    /** The most attempts that may count. `null`: not known before the first attempt. */
    max_attempts: policy?.maxAttempts ?? job.attempts.kept.at(-1)?.maxAttempts ?? null,
    /** The oldest first. */
    rows: rows.map(({ open: _, ...row }): TimelineRow => row),
    planned: plannedOf(job, policy, overview, stop),
    /** Changes by others while the job waited: the controls in force now, and since when. */
    events: eventsOf(job, overview),
    /** `false`: the oldest records were not read. */
    complete,
  };
}

type Draft = Omit<TimelineRow, 'waits'> & {
  readonly waits: TimelineWait[];
  open?: OpenWait | undefined;
};

interface OpenWait {
  readonly fromMs: number;
  readonly dueMs: number;
  readonly why: WaitWhy;
  /** Of a parked job. `null`: an older record, which does not name it. */
  readonly cause?: string | null;
}

function rowsOf(records: readonly AuditRecord[]): Draft[] {
  const rows: Draft[] = [];
  for (const [, revision, event, , to, atMs, , generation, executions, , detail] of records) {
    const last = rows.at(-1);
    if (event === 'claim') {
      if (last !== undefined) closeWait(last, atMs);
      rows.push({
        ...{ attempt: executions, generation, revision: null, started_at: iso(atMs) },
        ...{ ended_at: null, entry: 'running', reason: null, action: null, error: null },
        ...{ worker: textOf(detail.by), waits: [] },
      });
    } else if ((event === 'settle' || event === 'lease_lost') && last !== undefined) {
      rows[rows.length - 1] = settledRow(last, { revision, to, atMs, detail });
    } else if (last?.open !== undefined) {
      closeWait(last, atMs);
      // Ready now, by an operator or because its cause is gone.
      if (to === 'ready') last.open = { fromMs: atMs, dueMs: atMs, why: 'worker' };
    }
  }
  return rows;
}

function settledRow(
  row: Draft,
  {
    revision,
    to,
    atMs,
    detail,
  }: {
    readonly revision: number;
    readonly to: AuditRecord[4];
    readonly atMs: number;
    readonly detail: AuditRecord[10];
  },
): Draft {
  const startedMs = typeof detail.startedAtMs === 'number' ? detail.startedAtMs : undefined;
  const tookMs = Number(detail.durationMs ?? 0);
  const endedMs = startedMs === undefined ? atMs : Math.min(atMs, startedMs + tookMs);
  const { type, message } = Object(detail.error);
  const goesOn = to === 'scheduled' || to === 'parked' || to === 'ready';
  const dueMs = to === 'ready' ? endedMs : atMs + Number(detail.delayMs ?? 0);
  return {
    ...row,
    revision,
    started_at: startedMs === undefined ? row.started_at : iso(startedMs),
    ended_at: iso(endedMs),
    // Records of decisions have these.
    entry: (textOf(detail.entry) ?? 'lease_lost') as AttemptEntry,
    reason: textOf(detail.reason) as ReasonCode | null,
    action: textOf(detail.action),
    error: detail.error === undefined ? null : { type: String(type), message: String(message) },
    worker: textOf(detail.worker) ?? row.worker,
    open: goesOn
      ? {
          ...{ fromMs: endedMs, dueMs, why: to === 'ready' ? 'worker' : whyOf(detail) },
          cause: textOf(detail.cause),
        }
      : undefined,
  };
}

const BLOCKS: Readonly<Record<string, WaitWhy>> = {
  breaker_open: 'breaker',
  gate_closed: 'gate',
  budget_exhausted: 'budget',
  kill_switch: 'kill',
};

function whyOf({ reason, input }: AuditRecord[10]): WaitWhy {
  const { retryAfterMs } = Object(Object(input).outcome);
  return BLOCKS[String(reason)] ?? (retryAfterMs === undefined ? 'backoff' : 'hint');
}

interface Stop {
  readonly why: 'kill' | 'pause';
  readonly of: string;
  readonly sinceMs: number;
}

/** Ends the wait of a row, in parts: until it was due, and from then on. With a job it is not over, and `nowMs` is now. */
function closeWait(row: Draft, nowMs: number, job?: Job, stop?: Stop): void {
  const { open } = row;
  if (open === undefined) return;
  const { fromMs, why } = open;
  row.open = undefined;
  const isTimed = why === 'backoff' || why === 'hint';
  const isParked = job?.state === 'parked';
  const endMs = isTimed ? Math.min(open.dueMs, nowMs) : why === 'worker' ? fromMs : nowMs;
  const put = (of: Omit<TimelineWait, 'from' | 'until'>, startMs: number, until: string | null) =>
    row.waits.push({ from: iso(startMs), until, ...of });
  const goesOn = job !== undefined && (isTimed ? open.dueMs > nowMs : isParked);
  if (endMs > fromMs || goesOn) {
    const cause = (goesOn && isParked ? job.cause : undefined) ?? open.cause;
    const of = typeof cause === 'string' ? causeName(cause) : null;
    const until = goesOn ? (isTimed ? iso(open.dueMs) : null) : iso(endMs);
    put({ why, of, ongoing: goesOn }, fromMs, until);
  }
  if (goesOn || nowMs - endMs < MIN_QUEUED_MS) return;
  const ongoing = job !== undefined;
  const stoppedMs = stop && Math.max(stop.sinceMs, endMs);
  if (stoppedMs === undefined || stoppedMs > endMs) {
    put(
      { why: 'worker', of: null, ongoing: ongoing && !stop },
      endMs,
      ongoing && !stop ? null : iso(stoppedMs ?? nowMs),
    );
  }
  if (stop && stoppedMs !== undefined)
    put({ why: stop.why, of: stop.of, ongoing }, stoppedMs, null);
}

/** A shorter wait for a worker is not worth a mark. */
const MIN_QUEUED_MS = 1_000;

/** The switch or pause that keeps the job from starting now. */
function stopOf(job: Job, { killSwitches, pauses }: Overview): Stop | undefined {
  const kill = killSwitches.find((each) => isCovered(each, job));
  if (kill !== undefined) return { why: 'kill', of: targetText(kill), sinceMs: kill.sinceMs };
  const pause = pauses.find((each) => isCovered(each, job));
  return pause && { why: 'pause', of: `the ${pause.scope} ${pause.name}`, sinceMs: pause.sinceMs };
}

function plannedOf(
  job: Job,
  policy: DecisionPolicy | undefined,
  { parked }: Overview,
  stop: Stop | undefined,
): PlannedAttempt[] {
  if (isFinal(job.state)) return [];
  const { executions } = job.account;
  const planned: PlannedAttempt[] = [];
  if (job.state !== 'leased') {
    const park = parked.find(({ cause }) => cause === job.cause)?.waitsFor;
    const untilMs = park?.kind === 'gate' ? park.untilMs : undefined;
    const why = job.state === 'parked' ? parkWhy(park?.kind) : (stop?.why ?? 'worker');
    const isTimed = job.state === 'scheduled' && stop === undefined;
    planned.push({
      attempt: executions + 1,
      at: isoTime(isTimed ? job.dueAtMs : untilMs),
      waits_for: isTimed ? null : why,
      of:
        job.state === 'parked' && job.cause !== undefined
          ? causeName(job.cause)
          : (stop?.of ?? null),
      at_most_after_ms: null,
    });
  }
  // The running attempt is charged already.
  const counted = chargedAttempts(job.account) + (job.state === 'leased' ? 0 : 1);
  if (policy !== undefined && counted < policy.maxAttempts) {
    const lastMs = job.account.lastDelayMs;
    const range = jitterRange(policy, nominalDelayMs(policy, counted), lastMs);
    planned.push({
      attempt: executions + 1 + planned.length,
      ...{ at: null, waits_for: null, of: null, at_most_after_ms: range.maxMs },
    });
  }
  return planned;
}

function parkWhy(kind: string | undefined): WaitWhy {
  return kind === 'breaker' || kind === 'gate' || kind === 'kill' ? kind : 'worker';
}

function eventsOf(job: Job, { killSwitches, pauses, breakers, nowMs }: Overview) {
  const events = [
    ...killSwitches
      .filter((each) => isCovered(each, job))
      .map((each) => ({ atMs: each.sinceMs, text: `kill switch on ${targetText(each)} engaged` })),
    ...pauses
      .filter((each) => isCovered(each, job))
      .map((each) => ({ atMs: each.sinceMs, text: `${each.scope} ${each.name} paused` })),
    ...breakers
      .filter(({ dependency }) => job.cause === `breaker:${dependency}`)
      .map(({ dependency, state, breaker, forced }) => ({
        atMs: Math.max(breaker.changedAtMs, forced?.sinceMs ?? 0),
        text: `breaker ${dependency} ${state === 'half_open' ? 'half open' : state}`,
      })),
  ];
  return events
    .filter(({ atMs }) => atMs >= job.submittedAtMs && atMs <= (job.finishedAtMs ?? nowMs))
    .sort((a, b) => a.atMs - b.atMs)
    .map(({ atMs, text }) => ({ at: iso(atMs), text }));
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
