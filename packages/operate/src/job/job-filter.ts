import type { JobState } from '@redrive/durable';
import {
  type FailingJob,
  JOB_STATES,
  type JobFilter,
  UPKEEP_HANDLERS,
} from '@redrive/durable/store';
import * as z from 'zod';
import { ownTenant } from '../action/own-tenant.ts';
import { flag, nameText, pastMs, pastTime, text } from '../action/scalars.ts';
import type { Who } from '../action/who.ts';

const STATE = z.enum(JOB_STATES as readonly [JobState, ...JobState[]]); // The list is not empty.

/** Jobs that keep Redrive running would hide the work of users: they are listed only on request. */
export const UPKEEP = {
  upkeep: flag
    .default(false)
    .describe("also jobs of Redrive's own upkeep, such as sweeps.run and escalation.look"),
};

/** The filter without jobs of upkeep, unless it names their handler or their session. */
export function withoutUpkeep(filter: JobFilter): JobFilter {
  const { handler, sessionId } = filter;
  const isNamed = handler !== undefined || sessionId !== undefined;
  return isNamed ? filter : { ...filter, otherThan: UPKEEP_HANDLERS };
}

/** Which jobs are meant. */
export const JOB_FILTER = {
  state: z
    .union([STATE, z.array(STATE).max(JOB_STATES.length)])
    .optional()
    .meta({ enum: [...JOB_STATES], description: 'only jobs in this state; may be repeated' }),
  handler: nameText().optional().describe('only jobs of this handler'),
  queue: nameText().optional().describe('only jobs of this queue'),
  tenant: text().optional().describe('only jobs of this tenant'),
  tag: nameText().optional().describe('only jobs with this tag'),
  batch: nameText().optional().describe('only jobs of this batch'),
  session: nameText().optional().describe('only jobs of this session'),
  since: pastTime.optional().describe('submitted after this time; 2h: within the last 2 hours'),
  until: pastTime.optional().describe('submitted before this time; 10m: more than 10 minutes ago'),
};
const SHAPE = z.strictObject(JOB_FILTER);

/** The filter of an input, with the tenant of the caller. @throws Refusal `not_allowed` for another tenant. */
export function jobFilterOf(given: z.output<typeof SHAPE>, who: Who, nowMs: number): JobFilter {
  const { state, handler, queue, tag, batch } = given;
  const states = Array.isArray(state) ? state : state && [state];
  return {
    ...{
      handler,
      queue,
      tag,
      batch,
      tenant: ownTenant(given.tenant, who),
      sessionId: given.session,
    },
    states: states?.length === 0 ? undefined : states,
    submittedAfterMs: pastMs(given.since, nowMs),
    submittedBeforeMs: pastMs(given.until, nowMs),
  };
}

/** Whether a job that was already read matches. */
export function fitsJob(job: FailingJob, filter: JobFilter): boolean {
  const { states, handler, otherThan, queue, tenant, tag, sessionId, batch } = filter;
  const { submittedAfterMs = -Infinity, submittedBeforeMs = Infinity } = filter;
  return (
    (states?.includes(job.state) ?? true) &&
    (handler === undefined || job.handler === handler) &&
    !otherThan?.includes(job.handler) &&
    (queue === undefined || job.queue === queue) &&
    (tenant === undefined || job.tenant === tenant) &&
    (tag === undefined || job.tags.includes(tag)) &&
    (sessionId === undefined || job.sessionId === sessionId) &&
    (batch === undefined || job.batch === batch) &&
    job.submittedAtMs >= submittedAfterMs &&
    job.submittedAtMs < submittedBeforeMs
  );
}
