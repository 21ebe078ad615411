import type { FullStore, Job } from '@redrive/durable';
import { climbOf, iso, isoTime } from '@redrive/durable/store';
import * as z from 'zod';
import { time } from '../action/scalars.ts';

const ATTEMPT = z.object({
  attempt: z.number().describe('within its step, from 1'),
  generation: z.number().describe('its generation'),
  started_at: time().describe('when it started'),
  duration_ms: z.number().describe('how long it ran'),
  success: z.boolean().describe('true: it succeeded'),
  reason: z.string().describe('reason code of the decision'),
  error: z.string().nullable().describe('its error, sanitised; null: it succeeded'),
});

const STEP = z.object({
  rung: z
    .enum(['call', 'event', 'job', 'document'])
    .describe('call: in process; document: a sweep sent the event of a stuck document again'),
  id: z.string().describe('of the job; of a call, its session'),
  name: z.string().describe('the handler, or the operation of a call'),
  state: z
    .string()
    .describe('of the job; of a call: succeeded, scheduled, handed_over or given_up'),
  from: time().describe('when it began'),
  until: time().nullable().describe('when it ended; null: it has not'),
  attempts: z.array(ATTEMPT).describe('the oldest first; of a job the first and the newest ones'),
});

/** The work that a job belongs to, over all rungs. */
export const CLIMB = z.object({
  correlation_id: z.string().describe('what the steps have in common'),
  now: time().describe("the store's time"),
  steps: z.array(STEP).describe('calls and jobs, in the order in which they began'),
  complete: z.boolean().describe('false: there were more records than were read'),
});

/** Work before and after the job in which the rest of its climb is looked for. */
const AROUND_MS = 3_600_000;

/** Reads the audit log around the life of the job: the cost depends on what happened in this time. */
export async function climbOfJob(
  store: FullStore,
  job: Job,
  tenant: string | undefined,
): Promise<z.output<typeof CLIMB>> {
  const correlation = job.correlationId ?? job.sessionId;
  const { nowMs } = await store.controls();
  const endMs = job.finishedAtMs ?? nowMs;
  const { steps, complete } = await climbOf(store, correlation, {
    sinceMs: job.submittedAtMs - AROUND_MS,
    untilMs: Math.min(nowMs, endMs + AROUND_MS),
    tenant,
  });
  return {
    correlation_id: correlation,
    now: iso(nowMs),
    steps: steps.map(({ rung, id, name, state, fromMs, untilMs, attempts }) => ({
      ...{ rung, id, name, state, from: iso(fromMs), until: isoTime(untilMs) },
      attempts: attempts.map(
        ({ attempt, generation, startedAtMs, durationMs, success, reason, error = null }) => ({
          ...{ attempt, generation, started_at: iso(startedAtMs), duration_ms: durationMs },
          ...{ success, reason, error },
        }),
      ),
    })),
    complete,
  };
}
