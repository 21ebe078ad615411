import type { AttemptEnded } from '@redrive/core';
import type { AuditRecord } from '../audit/audit-block.ts';
import { blocksBack, newestSeq, seqAt } from '../audit/blocks-back.ts';
import { recordsIn } from '../audit/read-body.ts';
import type { JobAttempt } from '../job/attempt-log.ts';
import { isFinal, type Job, type JobState } from '../job/job.ts';
import type { FullStore } from '../store/full-store.ts';

/** A call or a stored job of some work, on its rung. */
export interface ClimbStep {
  readonly rung: 'call' | 'event' | 'job' | 'document';
  /** Of a call: its session. Else the job. */
  readonly id: string;
  readonly session: string;
  /** The operation of a call, or the handler. */
  readonly name: string;
  /** `handed_over` and `given_up`: a call. */
  readonly state: JobState | 'handed_over' | 'given_up';
  readonly fromMs: number;
  /** Absent: it is not over. */
  readonly untilMs?: number | undefined;
  /** The oldest first. The first one and the newest of a job. */
  readonly attempts: readonly ClimbAttempt[];
}

export interface ClimbAttempt {
  /** Within its step, from 1. */
  readonly attempt: number;
  readonly generation: number;
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly success: boolean;
  readonly reason: string;
  readonly error?: string | undefined;
}

/** All that happened to some work, over all rungs. */
export interface Climb {
  readonly correlation: string;
  /** In the order in which they began. */
  readonly steps: readonly ClimbStep[];
  /** `false`: there were more records than were read. */
  readonly complete: boolean;
}

/** The time in which records are looked for. */
export interface ClimbWindow {
  readonly sinceMs: number;
  readonly untilMs?: number | undefined;
  readonly tenant?: string | undefined;
}

/** Blocks of the audit log that are looked at. */
const MAX_BLOCKS = 20_000;
/** Steps of one climb. */
const MAX_STEPS = 100;
/** Jobs of one document. */
const MAX_OF_DOCUMENT = 20;

/**
 * Finds the calls and jobs with a correlation id: calls in the audit log (`auditSink`), jobs by the records of their
 * submission. A sweep copies the id from the original event; dead letters of a document are found by its session.
 */
export async function climbOf(
  store: FullStore,
  correlation: string,
  { sinceMs, untilMs, tenant }: ClimbWindow,
): Promise<Climb> {
  const newest = await newestSeq(store);
  const from = untilMs === undefined ? newest : Math.min(newest, await seqAt(store, untilMs));
  const ids = new Set<string>([correlation]);
  const calls = new Map<string, AttemptEnded[]>();
  const ends = new Set<string>();
  // Looking for a text is much faster than reading JSON.
  const mention = JSON.stringify(correlation);
  let looked = 0;
  let complete = true;
  for await (const window of blocksBack(store, from, sinceMs)) {
    for (const block of window) {
      if (!block.body.includes(mention)) continue;
      for (const record of recordsIn(block)) note(record);
    }
    looked += window.length;
    if (looked >= MAX_BLOCKS || ids.size + calls.size > MAX_STEPS) {
      complete = false;
      break;
    }
  }

  function note({ event, id, detail }: AuditRecord): void {
    if (event === 'enqueue' && detail.correlation === correlation) ids.add(id);
    if (event !== 'session' || correlationIn(detail) !== correlation) return;
    if (detail.kind === 'session_ended') ends.add(id);
    // The record as the sink wrote it.
    const record = detail as unknown as AttemptEnded;
    if (detail.kind === 'attempt_ended') calls.set(id, [record, ...(calls.get(id) ?? [])]);
  }

  const jobs = await jobsOf(store, ids, tenant);
  const steps = [
    ...[...calls].flatMap(([id, records]) =>
      callStep(
        id,
        records.sort((a, b) => a.attempt - b.attempt),
        ends.has(id),
        tenant,
      ),
    ),
    ...jobs.flatMap((job) => jobSteps(job, calls)),
  ];
  return { correlation, steps: steps.sort((a, b) => a.fromMs - b.fromMs), complete };
}

function correlationIn(detail: AuditRecord['detail']): unknown {
  const { correlationId, sessionId } = Object(detail.session);
  return correlationId ?? sessionId;
}

async function jobsOf(
  store: FullStore,
  ids: ReadonlySet<string>,
  tenant: string | undefined,
): Promise<readonly Job[]> {
  const found = new Map<string, Job>();
  const read = async (id: string) => {
    const job = found.has(id) ? undefined : await store.job(id);
    if (job === undefined || (tenant !== undefined && job.tenant !== tenant)) return;
    found.set(id, job);
  };
  for (const id of ids) await read(id);
  const documents = [...found.values()].filter(({ origin }) => origin?.rung === 'document');
  for (const sessionId of new Set(documents.map((job) => job.sessionId))) {
    const { jobs } = await store.jobs({ sessionId }, { limit: MAX_OF_DOCUMENT });
    for (const { id } of jobs) await read(id);
  }
  return [...found.values()];
}

function callStep(
  id: string,
  records: readonly AttemptEnded[],
  isOver: boolean,
  tenant: string | undefined,
): ClimbStep[] {
  const [first] = records;
  const last = records.at(-1);
  if (first === undefined || last === undefined) return [];
  if (tenant !== undefined && (first.session.tenantId ?? '') !== tenant) return [];
  const { action } = last.decision;
  return [
    {
      ...{ rung: 'call', id, session: id, name: first.session.operation },
      state: last.success
        ? 'succeeded'
        : action === 'hand-over'
          ? 'handed_over'
          : isOver
            ? 'given_up'
            : 'scheduled',
      fromMs: first.startedAtMs,
      untilMs: last.success || isOver ? last.atMs : undefined,
      attempts: records.map(
        ({ attempt, startedAtMs, durationMs, success, decision, error }): ClimbAttempt => ({
          ...{ attempt, generation: 1, startedAtMs, durationMs, success },
          ...{ reason: decision.reason, error: error?.message },
        }),
      ),
    },
  ];
}

/** Two where a call was handed over and no sink recorded it: its attempts are those of its job. */
function jobSteps(job: Job, calls: ReadonlyMap<string, unknown>): ClimbStep[] {
  const { id, sessionId: session, handler, state, origin, finishedAtMs } = job;
  const made = job.attempts.kept;
  const called = calls.has(session) ? [] : made.filter(({ rung }) => rung === 'call');
  const own = made.filter(({ rung }) => rung !== 'call');
  const last = called.at(-1);
  const call: ClimbStep[] =
    called[0] === undefined || last === undefined
      ? []
      : [
          {
            ...{ rung: 'call', id: session, session, name: handler, state: 'handed_over' },
            fromMs: called[0].startedAtMs,
            untilMs: last.startedAtMs + last.durationMs,
            attempts: called.map(attemptOf),
          },
        ];
  const rung = origin?.rung === 'event' || origin?.rung === 'document' ? origin.rung : 'job';
  return [
    ...call,
    {
      ...{ rung, id, session, name: handler, state },
      fromMs: job.submittedAtMs,
      untilMs: isFinal(state) ? finishedAtMs : undefined,
      // One that was given back did not start.
      attempts: own.filter(({ startedAtMs }) => startedAtMs > 0).map(attemptOf),
    },
  ];
}

function attemptOf(made: JobAttempt): ClimbAttempt {
  const { attempt, generation, startedAtMs, durationMs, entry, reason, error } = made;
  return {
    ...{ attempt, generation, startedAtMs, durationMs, success: entry === 'succeeded' },
    ...{ reason, error: error?.message },
  };
}
