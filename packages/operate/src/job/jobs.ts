import { isRedriveError } from '@redrive/core';
import { jobHistory, jobsOn } from '@redrive/durable';
import { isFinal, replayJob } from '@redrive/durable/store';
import * as z from 'zod';
import { act, action, stream } from '../action/action.ts';
import { valuesFor } from '../action/own-tenant.ts';
import { duration, flag, NEXT, PAGE } from '../action/scalars.ts';
import { replayAnswer } from '../audit/replay-answer.ts';
import { REPLAY } from '../audit/replay-schema.ts';
import { CLIMB, climbOfJob } from './climb.ts';
import { ENQUEUE_ANSWER, ENQUEUE_INPUT, enqueue } from './enqueue.ts';
import { FAILING, failingJobs } from './failing-jobs.ts';
import { HISTORY } from './history-schema.ts';
import { actOnJobs, cancelPlan, JOB_ACT, retryPlan } from './job-acts.ts';
import { jobAnswer, jobLines, knownJob } from './job-answer.ts';
import { JOB_COUNTS, jobCounts, upkeepLeftOut } from './job-counts.ts';
import { JOB_FILTER, jobFilterOf, UPKEEP, withoutUpkeep } from './job-filter.ts';
import { ID, JOB, JOB_LINE, NO_JOB, SHOWN } from './job-schema.ts';
import { WATCHED, watchJob } from './progress.ts';
import { SCHEDULED_RETRIES, scheduledRetries } from './scheduled-retries.ts';
import { TIMELINE, timelineOf } from './timeline.ts';

/** The longest wait of one call. A server gives a request 10 seconds. */
const MAX_WAIT_MS = 5_000;

const READ = { role: 'viewer', tenants: true } as const;
const NAMED = z.strictObject({ id: ID });

export const JOBS = {
  list: action({
    ...READ,
    at: 'GET /v1/jobs',
    summary: 'list jobs, the newest first',
    details:
      "Purged jobs are listed only with the state purged, and jobs of Redrive's own upkeep only with `upkeep` or by their handler. A page looks at 20,000 jobs at most: with a rare filter a page can have few jobs or none, and still have a `next`.",
    reads: 'sessions',
    input: z.strictObject({
      failing: flag
        .default(false)
        .describe('only jobs that have failed and will be tried again, the newest failure first'),
      ...UPKEEP,
      ...JOB_FILTER,
      ...PAGE,
    }),
    check: ({ failing, after }) =>
      failing && after !== undefined
        ? [{ field: 'after', message: 'cannot be given together with failing' }]
        : [],
    answer: z.object({
      jobs: z.array(JOB_LINE).describe('newest submission first'),
      failing: FAILING,
      upkeep: z
        .number()
        .nullable()
        .describe("jobs of Redrive's own upkeep that are left out; null: not counted"),
      next: NEXT,
    }),
    run: async (context, { failing, upkeep, limit, after, ...given }) => {
      const { store, who, clock } = context;
      const meant = jobFilterOf(given, who, clock.now());
      const filter = upkeep ? meant : withoutUpkeep(meant);
      const found = failing
        ? { next: undefined, ...(await failingJobs(store, filter, limit)) }
        : { failing: null, ...(await store.jobs(filter, { limit, after })) };
      return {
        jobs: await jobLines(context, found.jobs),
        failing: found.failing,
        upkeep: upkeep || after !== undefined ? null : await upkeepLeftOut(store, meant),
        next: found.next ?? null,
      };
    },
  }),

  counts: action({
    ...READ,
    at: 'GET /v1/job-counts',
    summary: 'how many jobs match, by state',
    details:
      'Exact up to 10,000 jobs of a handler, a queue and a state. With any other filter it reads the newest 10,000 jobs that match.',
    reads: 'metrics',
    polled: true,
    input: z.strictObject({ ...UPKEEP, ...JOB_FILTER }),
    answer: JOB_COUNTS,
    run: ({ store, who, clock }, { upkeep, ...given }) =>
      jobCounts(store, jobFilterOf(given, who, clock.now()), upkeep),
  }),

  show: action({
    ...READ,
    at: 'GET /v1/jobs/:id',
    summary: 'print the whole life of a job: every attempt, every wait, what is next and why',
    details: 'Payload, result and headers in full are for admins.',
    reads: 'payloads',
    refusals: NO_JOB,
    input: NAMED.extend(SHOWN),
    answer: JOB,
    run: async (context, { id, payload }) => {
      const values = valuesFor(context.who, payload);
      return jobAnswer(context, await knownJob(context, id), values);
    },
  }),

  wait: action({
    ...READ,
    at: 'GET /v1/jobs/:id/wait',
    summary: 'wait until a job has finished, and print its result',
    details: 'It answers after 5 seconds at the latest: while `finished` is false, call it again.',
    reads: 'payloads',
    refusals: NO_JOB,
    input: NAMED.extend({
      ...SHOWN,
      timeout: duration.default(MAX_WAIT_MS).describe('how long to wait, such as 2s'),
    }),
    answer: JOB.extend({
      finished: z.boolean().describe('true: it is succeeded, dead, cancelled or purged'),
      result_text: z
        .string()
        .nullable()
        .describe('the result as it is stored; null: there is none, or it is not shown in full'),
    }),
    verdict: ({ state }) => (state === 'succeeded' ? 'ok' : 'failed'),
    run: async (context, { id, payload, timeout }) => {
      const { store, clock, who, signal } = context;
      const values = valuesFor(who, payload);
      await knownJob(context, id);
      const timeoutMs = Math.min(timeout, MAX_WAIT_MS);
      // The job itself has its outcome, and whether its result was too large to be kept.
      await jobsOn(store, {}, { clock })
        .wait(id, { timeoutMs, signal })
        .catch((error: unknown) => {
          if (!ENDS.some((code) => isRedriveError(error, code))) throw error;
        });
      const job = await knownJob(context, id);
      const { result = null } = job;
      return {
        ...(await jobAnswer(context, job, values)),
        finished: isFinal(job.state),
        result_text: values === 'full' ? result : null,
      };
    },
  }),

  watch: stream({
    ...READ,
    at: 'GET /v1/jobs/:id/watch',
    summary: 'follow the state and the progress of a job until it has finished',
    details:
      'It looks at the job every second, and answers with one item now and one for each change. A worker brings progress with its heartbeats, every third of the lease. A stream lasts for at most 15 minutes: while the last item is not `finished`, ask again.',
    reads: 'sessions',
    endless: true,
    refusals: NO_JOB,
    input: NAMED,
    answer: WATCHED,
    stream: async function* ({ store, who, clock, signal }, { id }) {
      const first = await knownJob({ store, who }, id);
      yield* watchJob(first, () => store.job(id), { clock, signal });
    },
  }),

  history: action({
    ...READ,
    at: 'GET /v1/jobs/:id/history',
    summary: 'every record of a job in the audit log, the oldest first',
    reads: 'sessions',
    refusals: NO_JOB,
    input: NAMED,
    answer: HISTORY,
    run: async (context, { id }) => {
      await knownJob(context, id);
      const { entries = [], complete = true } = (await jobHistory(context.store, id)) ?? {};
      return { entries: [...entries], complete };
    },
  }),

  timeline: action({
    ...READ,
    at: 'GET /v1/jobs/:id/timeline',
    summary: 'attempts and waits of a job with absolute times, and its planned attempts',
    reads: 'sessions',
    refusals: NO_JOB,
    input: NAMED,
    answer: TIMELINE,
    run: async (context, { id }) => timelineOf(context.store, await knownJob(context, id)),
  }),

  climb: action({
    ...READ,
    at: 'GET /v1/jobs/:id/climb',
    summary:
      'the work of a job over all rungs: calls, events, jobs and sweeps with its correlation id',
    details:
      'It reads the audit log from an hour before the job until an hour after it, 20,000 transactions at most. Calls are there if their program writes them into the log (`auditSink`).',
    reads: 'sessions',
    refusals: NO_JOB,
    input: NAMED,
    answer: CLIMB,
    run: async (context, { id }) =>
      climbOfJob(context.store, await knownJob(context, id), context.who.tenant),
  }),

  replay: action({
    ...READ,
    at: 'GET /v1/jobs/:id/replay',
    summary: 'derive every decision of one job again and compare it with the record',
    reads: 'sessions',
    refusals: NO_JOB,
    input: NAMED,
    answer: REPLAY,
    verdict: ({ same }) => (same ? 'ok' : 'failed'),
    run: async (context, { id }) => {
      const { store, signal } = context;
      const { sessionId: session } = await knownJob(context, id);
      const none = { session, steps: [], omitted: 0, same: true };
      return replayAnswer((await replayJob(store, id, { signal })) ?? none);
    },
  }),

  scheduledRetries: action({
    ...READ,
    at: 'GET /v1/scheduled-retries',
    summary: 'retries that are due in the next 24 hours, by quarter of an hour; reads 10,000 jobs',
    reads: 'metrics',
    polled: true,
    input: z.strictObject(JOB_FILTER),
    answer: SCHEDULED_RETRIES,
    run: ({ store, who, clock }, given) =>
      scheduledRetries(store, jobFilterOf(given, who, clock.now())),
  }),

  enqueue: act({
    role: 'operator',
    tenants: true,
    once: true,
    at: 'POST /v1/jobs',
    summary: 'enqueue 1 to 1,000 jobs in one commit; with an Idempotency-Key at most once',
    details:
      'A handler that neither a live worker nor a job nor the configuration names is refused, and so is a policy that the configuration does not have, unless `runs_elsewhere` is true.',
    refusals: {
      no_match: 'the handler or the policy is unknown',
      conflict: 'another job has the unique key or the id of each job',
    },
    input: ENQUEUE_INPUT,
    answer: ENQUEUE_ANSWER,
    run: enqueue,
  }),

  cancel: act({
    ...JOB_ACT,
    at: 'POST /v1/jobs/cancel',
    summary: 'cancel jobs: waiting jobs at once; running jobs are asked to stop',
    run: (context, input) => actOnJobs(context, input, cancelPlan),
  }),

  retry: act({
    ...JOB_ACT,
    at: 'POST /v1/jobs/retry',
    summary: 'run dead or cancelled jobs again, and waiting jobs now',
    details:
      'A dead or cancelled job begins a new generation with all its attempts; its history stays. A scheduled or parked job becomes ready at once, with the attempts that it has left.',
    run: (context, input) => actOnJobs(context, input, retryPlan),
  }),
};

const ENDS = ['job_failed', 'payload_too_large', 'wait_timeout'] as const;
