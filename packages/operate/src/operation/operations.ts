import type { FullStore } from '@redrive/durable';
import {
  abortOperation,
  handlersAwaited,
  listOperations,
  type OperationAct,
  type OperationStatus,
  pauseOperation,
  resumeOperation,
  setOperationRate,
} from '@redrive/durable/control';
import * as z from 'zod';
import { act, action } from '../action/action.ts';
import type { Context } from '../action/context.ts';
import { NEXT, nameText, PAGE, pace } from '../action/scalars.ts';
import { knownOperation } from './known-operation.ts';
import { operationAnswer, operationDetails } from './operation-answer.ts';
import { OPERATION, REQUEST } from './operation-schema.ts';

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
      awaited: z
        .array(z.string())
        .describe('handlers of its jobs in flight that no live worker has'),
    }),
    run: async (context, { id }) => {
      const details = operationDetails(await knownOperation(context, id));
      return { ...details, awaited: [...(await handlersAwaited(context.store, id))] };
    },
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
