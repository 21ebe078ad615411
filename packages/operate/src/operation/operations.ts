import type { FullStore, Job } from '@redrive/durable';
import {
  abortOperation,
  jobsInFlight,
  listOperations,
  type OperationAct,
  type OperationStatus,
  pauseOperation,
  planActs,
  resumeOperation,
  setOperationRate,
} from '@redrive/durable/control';
import { isFinal, summaryOf } from '@redrive/durable/store';
import * as z from 'zod';
import { act, action } from '../action/action.ts';
import type { Context } from '../action/context.ts';
import { NEXT, nameText, PAGE, pace } from '../action/scalars.ts';
import { LETTER_SUMMARY, letterSummary } from '../dead-letter/letter-answer.ts';
import { runBulk } from './bulk.ts';
import { BULK, BULK_REFUSALS, bulkVerdict, PLAN, planAnswer } from './bulk-answer.ts';
import { PLAN_INPUT, problemsOf, SUBMIT_INPUT } from './bulk-input.ts';
import { wishOf } from './bulk-target.ts';
import { knownOperation } from './known-operation.ts';
import { operationAnswer, operationDetails } from './operation-answer.ts';
import { OPERATION, REQUEST } from './operation-schema.ts';
import { STOPPED_BY, stoppedBy } from './stopped-by.ts';

const NAMED = z.strictObject({
  id: nameText().describe('id of the bulk operation, printed by the command that started it'),
});
const DETAILS = OPERATION.extend({ request: REQUEST });
const NO_OPERATION = 'there is no bulk operation with that id';

/** The part that all acts share. */
const ACT = {
  role: 'operator',
  tenants: true,
  refusals: {
    no_match: NO_OPERATION,
    conflict: 'the state of the bulk operation does not allow it',
  },
  answer: DETAILS.extend({
    changed: z.boolean().describe('false: it stays as it was, or would'),
  }),
} as const;

export const OPERATIONS = {
  list: action({
    at: 'GET /v1/operations',
    summary: 'list bulk operations, the newest first',
    details: 'A finished bulk operation is kept for 30 days.',
    role: 'viewer',
    reads: 'metrics',
    polled: true,
    input: z.strictObject(PAGE),
    answer: z.object({
      operations: z.array(OPERATION).describe('newest first'),
      next: NEXT,
    }),
    run: async ({ store }, input) => {
      const { operations, next } = await listOperations(store, input);
      return { operations: operations.map(operationAnswer), next: next ?? null };
    },
  }),

  show: action({
    at: 'GET /v1/operations/:id',
    summary: 'print a bulk operation: its request, its progress, and the jobs that failed again',
    role: 'viewer',
    reads: 'metrics',
    tenants: true,
    refusals: { no_match: NO_OPERATION },
    input: NAMED,
    answer: DETAILS.extend({
      stopped_by: STOPPED_BY.describe('what keeps some of its jobs in flight from starting'),
    }),
    run: async (context, { id }) => {
      const details = operationDetails(await knownOperation(context, id));
      const inFlight = await jobsInFlight(context.store, id);
      const isWaiting = ({ state }: Job) => !isFinal(state);
      return { ...details, stopped_by: await stoppedBy(context.store, inFlight, isWaiting) };
    },
  }),

  plan: action({
    at: 'POST /v1/operations/plan',
    summary:
      'predict a bulk operation: eligible jobs, refusals with reasons, samples; changes nothing',
    role: 'operator',
    reads: 'sessions',
    tenants: true,
    input: PLAN_INPUT,
    check: problemsOf,
    // A record is small: the first ids, and how many there are.
    wishes: ({ ids, all, ...wish }) => ({
      ...wish,
      ...(all && { all }),
      ...(ids.length > 0 && { ids: ids.slice(0, 20), of: ids.length }),
    }),
    answer: PLAN.extend({
      act: BULK.shape.act,
      samples: z
        .array(LETTER_SUMMARY)
        .describe('five jobs that would be changed, from the first to the last'),
    }),
    run: async (context, input) => {
      const { store } = context;
      const plan = await planActs(store, await wishOf(context, input, undefined));
      const { sampleIds, lastId } = plan;
      const spread = [0, 0.25, 0.5, 0.75].map((at) => sampleIds[Math.floor(at * sampleIds.length)]);
      const ids = new Set([...spread, lastId].filter((id) => id !== undefined));
      const jobs = await Promise.all([...ids].map((id) => store.job(id)));
      return {
        ...(await planAnswer(store, input.act, plan)),
        act: input.act,
        samples: jobs.flatMap((job) => (job ? [letterSummary(summaryOf(job))] : [])),
      };
    },
  }),

  submit: act({
    at: 'POST /v1/operations',
    summary:
      'submit a bulk operation, which workers carry out; the same id again submits nothing new',
    details:
      'With ids it acts at once. A filter needs `confirm`: without it the operation is refused, and the refusal has the plan. With `wait` the server carries it out for two seconds; while the answer says `running`, send the same `id`, `act`, `ids` and `wait` again.',
    role: 'operator',
    tenants: true,
    reason: true,
    refusals: BULK_REFUSALS,
    input: SUBMIT_INPUT,
    check: problemsOf,
    verdict: bulkVerdict,
    answer: BULK,
    run: runBulk,
  }),

  pause: act({
    ...ACT,
    at: 'POST /v1/operations/:id/pause',
    summary: 'pause a bulk operation until it is resumed',
    details: 'Jobs that are requeued already run as before.',
    input: NAMED,
    run: (context, input) => change(context, input, pauseOperation),
  }),

  resume: act({
    ...ACT,
    at: 'POST /v1/operations/:id/resume',
    summary: 'resume a bulk operation that is paused or was stopped by its ramp',
    details:
      'After a stop by its ramp it begins again at the first stage, and includes the jobs that failed again. Any running "redrive start" carries it out.',
    input: NAMED,
    run: (context, input) => change(context, input, resumeOperation),
  }),

  abort: act({
    ...ACT,
    at: 'POST /v1/operations/:id/abort',
    summary: 'abort a bulk operation for good; finished changes stay',
    input: NAMED,
    run: (context, input) => change(context, input, abortOperation),
  }),

  setRate: act({
    ...ACT,
    at: 'POST /v1/operations/:id/rate',
    summary: 'change the rate of a bulk operation: jobs per second at most',
    input: NAMED.extend({
      rate: pace.nullable().describe('jobs per second, such as 50/s; null: no limit'),
    }),
    run: (context, { rate, ...input }) =>
      change(context, input, (store, about) =>
        setOperationRate(store, { ...about, ratePerSecond: rate ?? undefined }),
      ),
  }),
};

/** Acts on one operation. The answer is how it is then, or would be. */
async function change(
  context: Context,
  { id, dry_run: dryRun }: { readonly id: string; readonly dry_run: boolean },
  carryOut: (store: FullStore, about: OperationAct) => Promise<OperationStatus>,
) {
  const before = await knownOperation(context, id);
  const { store, actor } = context;
  const after = await carryOut(store, { id, actor, dryRun });
  const changed = before.state !== after.state || before.ratePerSecond !== after.ratePerSecond;
  return { ...operationDetails({ ...after, hasWorker: before.hasWorker }), changed };
}
