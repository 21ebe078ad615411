import { jitterRange, nominalDelayMs } from '@redrive/core';
import { chargedAttempts, type DecisionPolicy } from '@redrive/core/stored';
import { type FullStore, type Job, type JobHistory, jobHistory } from '@redrive/durable';
import {
  type AttendedOverview,
  causeName,
  isCovered,
  isFinal,
  iso,
  isoTime,
  progressDocument,
  readOverview,
  targetText,
} from '@redrive/durable/store';
import * as z from 'zod';
import { time } from '../action/scalars.ts';
import { JOB_SUMMARY } from './job-summary.ts';
import { PROGRESS } from './progress.ts';

const WHY = z.enum(['backoff', 'hint', 'breaker', 'gate', 'budget', 'kill', 'pause', 'worker']);
type Why = z.output<typeof WHY>;

const WAIT = z.object({
  from: time().describe('when it began'),
  until: time().nullable().describe('when it ended; of an ongoing wait: its known end'),
  why: WHY.describe('worker: it is due, and no worker has claimed it yet'),
  of: z.string().nullable().describe('such as breaker:bank; null: not known, or nothing to name'),
  ongoing: z.boolean().describe('true: it has not ended'),
});

const ROW = z.object({
  attempt: z.number().describe('over all generations and rungs, from 1'),
  generation: z.number().describe('its generation'),
  revision: z
    .number()
    .nullable()
    .describe('of the record of its outcome, as in a replay; null: it runs'),
  started_at: time().describe('when it started'),
  ended_at: time().nullable().describe('null: it runs'),
  entry: z.string().describe('its entry in the attempt account, or running'),
  reason: z.string().nullable().describe('reason code of the decision'),
  action: z.string().nullable().describe('what was decided'),
  error: JOB_SUMMARY.shape.last_error.describe('its error'),
  worker: z.string().nullable().describe('the worker that ran it'),
  waits: z.array(WAIT).describe('the waits after it'),
});
type Row = z.output<typeof ROW>;

const PLANNED = z.object({
  attempt: z.number().describe('its number'),
  at: time().nullable().describe('null: no time is known'),
  waits_for: WHY.nullable().describe('the condition, where no time decides'),
  of: z.string().nullable().describe('as in a wait'),
  at_most_after_ms: z
    .number()
    .nullable()
    .describe('at most this long after the attempt before, if that one fails'),
});
type Planned = z.output<typeof PLANNED>;

/** The life of a job. Times are absolute, so that a page computes none. */
export const TIMELINE = z.object({
  id: z.string().describe('the job'),
  revision: z.number().describe('its document changes only together with this number'),
  now: time().describe("the store's time"),
  submitted_at: time().describe('when it was enqueued'),
  finished_at: time().nullable().describe('when it finished'),
  charged: z
    .number()
    .describe('attempts of this generation that count, the one that succeeded included'),
  max_attempts: z
    .number()
    .nullable()
    .describe('the most that may count; null: not known before the first attempt'),
  progress: PROGRESS.nullable().describe('of the running attempt; null: it has reported none'),
  rows: z.array(ROW).describe('attempts, the oldest first'),
  planned: z.array(PLANNED).describe('attempts that have not started'),
  events: z
    .array(z.object({ at: time().describe('since when'), text: z.string().describe('its text') }))
    .describe('controls in force that were set while the job waited'),
  complete: z.boolean().describe('false: the oldest records were not read'),
});

type Overview = Pick<AttendedOverview, 'nowMs' | 'killSwitches' | 'pauses' | 'breakers' | 'parked'>;
type Entry = JobHistory['entries'][number];

/** Reads the job's own records, and the controls that stop it now. The cost depends on its own records. */
export async function timelineOf(store: FullStore, job: Job): Promise<z.output<typeof TIMELINE>> {
  const newest = job.lease?.policyHash ?? job.attempts.kept.at(-1)?.policyHash;
  const [history, overview, stored] = await Promise.all([
    jobHistory(store, job.id),
    readOverview(store),
    newest === undefined ? undefined : store.policy(newest),
  ]);
  const policy = stored?.policy;
  const { nowMs } = overview;
  const stop = stopOf(job, overview);
  const rows = rowsOf(history?.entries ?? []);
  const last = rows.at(-1);
  if (last !== undefined && !isFinal(job.state)) closeWait(last, nowMs, job, stop);
  return {
    id: job.id,
    revision: job.revision,
    now: iso(nowMs),
    submitted_at: iso(job.submittedAtMs),
    finished_at: isoTime(job.finishedAtMs),
    charged: chargedAttempts(job.account) + job.account.entries.succeeded,
    max_attempts: policy?.maxAttempts ?? job.attempts.kept.at(-1)?.maxAttempts ?? null,
    progress: job.lease?.progress ? progressDocument(job.lease.progress) : null,
    rows: rows.map(({ open: _, ...row }) => row),
    planned: plannedOf(job, policy, overview, stop),
    events: eventsOf(job, overview),
    complete: history?.complete ?? false,
  };
}

type Draft = Row & { open?: OpenWait | undefined };

interface OpenWait {
  readonly fromMs: number;
  readonly dueMs: number;
  readonly why: Why;
  /** Of a parked job. `null`: an older record, which does not name it. */
  readonly cause?: string | null;
}

function rowsOf(entries: readonly Entry[]): Draft[] {
  const rows: Draft[] = [];
  for (const entry of entries) {
    const { event, to, atMs, generation, executions, detail } = entry;
    const last = rows.at(-1);
    if (event === 'claim') {
      if (last !== undefined) closeWait(last, atMs);
      rows.push({
        ...{ attempt: executions, generation, revision: null, started_at: iso(atMs) },
        ...{ ended_at: null, entry: 'running', reason: null, action: null, error: null },
        ...{ worker: textOf(detail.by), waits: [] },
      });
    } else if ((event === 'settle' || event === 'lease_lost') && last !== undefined) {
      rows[rows.length - 1] = settledRow(last, entry);
    } else if (last?.open !== undefined) {
      closeWait(last, atMs);
      // Ready now, by an operator or because its cause is gone.
      if (to === 'ready') last.open = { fromMs: atMs, dueMs: atMs, why: 'worker' };
    }
  }
  return rows;
}

function settledRow(row: Draft, { revision, to, atMs, detail }: Entry): Draft {
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
    entry: textOf(detail.entry) ?? 'lease_lost',
    reason: textOf(detail.reason),
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

const BLOCKS: Readonly<Record<string, Why>> = {
  breaker_open: 'breaker',
  gate_closed: 'gate',
  budget_exhausted: 'budget',
  kill_switch: 'kill',
};

function whyOf({ reason, input }: Entry['detail']): Why {
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
  const put = (
    of: Omit<Row['waits'][number], 'from' | 'until'>,
    startMs: number,
    until: string | null,
  ) => row.waits.push({ from: iso(startMs), until, ...of });
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
): Planned[] {
  if (isFinal(job.state)) return [];
  const { executions } = job.account;
  const planned: Planned[] = [];
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

function parkWhy(kind: string | undefined): Why {
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
