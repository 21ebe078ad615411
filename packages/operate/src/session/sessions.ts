import { type FullStore, jobSummaryDocument, sessionDocument } from '@redrive/durable';
import * as z from 'zod';
import { action } from '../action/action.ts';
import { Refusal } from '../action/refusal.ts';
import { count, NEXT, nameText, PAGE } from '../action/scalars.ts';
import { REPLAY_SESSION } from '../audit/replay-session.ts';
import { JOB_FILTER, jobFilterOf } from '../job/job-filter.ts';
import { JOB_SUMMARY } from '../job/job-summary.ts';
import { SESSION } from './session-schema.ts';

/** Each session is read with its attempts. */
const MAX_SESSIONS = 100;

const READ = { role: 'viewer', reads: 'sessions' } as const;
const NAMED = z.strictObject({ id: nameText().describe('id of the session') });
const NO_SESSION = { no_match: 'there is no such session' };

/** Sessions of jobs, in the shape `session/v1`, and every decision of any session. */
export const SESSIONS = {
  list: action({
    ...READ,
    at: 'GET /v1/sessions',
    summary: 'sessions of jobs that ran, in the shape session/v1, the newest submission first',
    tenants: true,
    input: z.strictObject({
      ...JOB_FILTER,
      ...PAGE,
      limit: count(1, MAX_SESSIONS).default(50).describe('jobs per page, 1 to 100; default 50'),
    }),
    answer: z.object({
      sessions: z.array(SESSION).describe('newest submission first'),
      next: NEXT,
    }),
    run: async ({ store, who, clock, signal }, { limit, after, ...given }) => {
      const found = await store.jobs(jobFilterOf(given, who, clock.now()), { limit, after });
      const ids = found.jobs.map(({ id }) => id);
      return { sessions: await sessionsOf(store, ids, signal), next: found.next ?? null };
    },
  }),

  show: action({
    ...READ,
    at: 'GET /v1/sessions/:id',
    summary: 'show a session: its jobs, at most 100, and their attempts in the shape session/v1',
    tenants: true,
    refusals: NO_SESSION,
    input: NAMED,
    answer: z.object({
      session: z.string().describe('its id'),
      jobs: z.array(JOB_SUMMARY).describe('its jobs, the newest submission first'),
      sessions: z.array(SESSION).describe('of each job that has made an attempt'),
      more: z.boolean().describe('true: it has more jobs'),
    }),
    run: async ({ store, who, signal }, { id }) => {
      const filter = { sessionId: id, tenant: who.tenant };
      const { jobs, next } = await store.jobs(filter, { limit: MAX_SESSIONS });
      if (jobs.length === 0)
        throw new Refusal('not_found', `There is no job of the session ${id}.`);
      const ids = jobs.map((job) => job.id);
      const sessions = await sessionsOf(store, ids, signal);
      const more = next !== undefined;
      return { session: id, jobs: jobs.map(jobSummaryDocument), sessions, more };
    },
  }),

  replay: action({ ...REPLAY_SESSION, at: 'GET /v1/sessions/:id/replay' }),
};

async function sessionsOf(store: FullStore, ids: readonly string[], signal: AbortSignal) {
  const sessions: NonNullable<ReturnType<typeof sessionDocument>>[] = [];
  for (const each of ids) {
    signal.throwIfAborted();
    const job = await store.job(each);
    const session = job && sessionDocument(job);
    if (session !== undefined) sessions.push(session);
  }
  return sessions;
}
