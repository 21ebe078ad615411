import { type FullStore, jobSummaryDocument, sessionDocument } from '@redrive/durable';
import { replaySession } from '@redrive/durable/audit';
import { replayDocument } from '@redrive/durable/store';
import * as z from 'zod';
import { document, id, jobFilter, jobFilterOf, listOf, page } from '../inputs.ts';
import { notFound } from '../problem.ts';
import { type AnyRoute, type Ask, route } from '../route.ts';

const SESSION = { session_id: z.string(), success: z.boolean() };
/** Each session is read with its attempts. */
const MAX_SESSIONS = 100;

/** Sessions of jobs, in the shape `session/v1`, and every decision of any session. */
export const SESSION_ROUTES: readonly AnyRoute[] = [
  route({
    at: 'GET /v1/sessions',
    summary: 'sessions of jobs that ran, in the shape session/v1, the newest submission first',
    role: 'viewer',
    reads: 'sessions',
    tenants: true,
    input: jobFilter.extend({
      ...page.shape,
      limit: z.coerce.number().int().min(1).max(MAX_SESSIONS).default(50),
    }),
    answer: listOf('sessions', SESSION),
    handle: async ({ store, input, who, givenUp }) => {
      const { limit, after, ...filter } = input;
      const found = await store.jobs(jobFilterOf(filter, who), { limit, after });
      const ids = found.jobs.map((job) => job.id);
      return { sessions: await sessionsOf(store, ids, givenUp), next: found.next ?? null };
    },
  }),
  route({
    at: 'GET /v1/sessions/:id',
    summary: 'show a session: its jobs, at most 100, and their attempts in the shape session/v1',
    role: 'viewer',
    reads: 'sessions',
    tenants: true,
    input: z.strictObject({ id }),
    answer: document({ session: z.string(), sessions: z.array(z.looseObject(SESSION)) }),
    handle: async ({ store, input, who, givenUp }) => {
      const filter = jobFilterOf({ session: input.id }, who);
      const { jobs, next } = await store.jobs(filter, { limit: MAX_SESSIONS });
      if (jobs.length === 0) throw notFound(`job of the session ${input.id}`);
      const ids = jobs.map((job) => job.id);
      const sessions = await sessionsOf(store, ids, givenUp);
      const more = next !== undefined;
      return { session: input.id, jobs: jobs.map(jobSummaryDocument), sessions, more };
    },
  }),
  ...(['GET /v1/audit/replay/:id', 'GET /v1/sessions/:id/replay'] as const).map((at) =>
    route({
      at,
      summary: 'derive every decision of a session again and compare it with the record',
      role: 'viewer',
      heavy: true,
      reads: 'sessions',
      input: z.strictObject({ id }),
      answer: document({ session: z.string(), same: z.boolean() }),
      handle: replay,
    }),
  ),
];

async function sessionsOf(store: FullStore, ids: readonly string[], givenUp: AbortSignal) {
  const sessions: object[] = [];
  for (const each of ids) {
    givenUp.throwIfAborted();
    const job = await store.job(each);
    const session = job && sessionDocument(job);
    if (session !== undefined) sessions.push(session);
  }
  return sessions;
}

async function replay({ store, input, givenUp }: Ask<{ readonly id: string }>) {
  const session = (await store.job(input.id))?.sessionId ?? input.id;
  const reader = await store.readAudit();
  try {
    const replayed = await replaySession(reader, session, { signal: givenUp });
    if (replayed.steps.every(({ record }) => record[2] === 'read')) {
      throw notFound(`session ${input.id} in the audit log`);
    }
    return replayDocument(replayed);
  } finally {
    await reader.close();
  }
}
