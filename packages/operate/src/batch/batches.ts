import { newId } from '@redrive/core';
import type { CountedBatch } from '@redrive/durable';
import { type ActTarget, planActs, submitOperation } from '@redrive/durable/control';
import * as z from 'zod';
import { act, action } from '../action/action.ts';
import type { Context } from '../action/context.ts';
import { ownTenant } from '../action/own-tenant.ts';
import { Refusal } from '../action/refusal.ts';
import { count, NEXT, nameText, PAGE, text } from '../action/scalars.ts';
import { MAX_LIMIT } from '../operation/bulk-input.ts';
import { BATCH, batchAnswer } from './batch-answer.ts';

const NAMED = z.strictObject({ id: nameText().describe('id of the batch') });

const NO_BATCH = { no_match: 'there is no batch with that id' };

const ACTED = z.object({
  batch: z.string().describe('id of the batch'),
  operation: z
    .string()
    .nullable()
    .describe('id of the bulk operation that acts on the jobs; null: none was begun'),
  jobs: z.number().describe('jobs that it acts on, or would; at most 10,000 are counted'),
  more: z.boolean().describe('true: there are more jobs than counted'),
});

const ACT = {
  role: 'operator',
  tenants: true,
  refusals: NO_BATCH,
  input: NAMED,
  answer: ACTED,
} as const;

export const BATCHES = {
  list: action({
    at: 'GET /v1/batches',
    summary: 'list batches of jobs, the newest first, with the number of jobs in each state',
    role: 'viewer',
    reads: 'metrics',
    tenants: true,
    polled: true,
    input: z.strictObject({
      state: z.enum(['open', 'sealed', 'ended']).optional().describe('only batches in this state'),
      tenant: text().optional().describe('only batches of this tenant'),
      ...PAGE,
      limit: count(1, 100).default(20).describe('batches per page, 1 to 100; default 20'),
    }),
    answer: z.object({ batches: z.array(BATCH).describe('newest first'), next: NEXT }),
    run: async ({ store, who }, { limit, after, state, tenant: given }) => {
      const tenant = ownTenant(given, who);
      const found = await store.batches({ state, tenant }, { limit, after });
      const counted: CountedBatch[] = [];
      // One after the other: a count reads an entry of an index for each job.
      for (const { id } of found.batches) {
        const batch = await store.batch(id);
        if (batch !== undefined) counted.push(batch);
      }
      return { batches: counted.map(batchAnswer), next: found.next ?? null };
    },
  }),

  show: action({
    at: 'GET /v1/batches/:id',
    summary: 'print a batch: its progress, and the job that follows',
    role: 'viewer',
    reads: 'metrics',
    tenants: true,
    polled: true,
    refusals: NO_BATCH,
    input: NAMED,
    answer: BATCH,
    run: async (context, { id }) => batchAnswer(await knownBatch(context, id)),
  }),

  cancel: act({
    ...ACT,
    at: 'POST /v1/batches/:id/cancel',
    summary: 'seal a batch, and cancel its unfinished jobs',
    details:
      'A bulk operation, which workers carry out. Running jobs are asked to stop. The batch ends when all jobs have finished, and its `then` job runs with the counts.',
    run: async (context, { id, dry_run }) => {
      const { tenant } = await knownBatch(context, id);
      const { store, actor } = context;
      if (!dry_run) await store.apply([{ kind: 'batch', act: 'seal', id, tenant, actor }]);
      return carryOut(context, id, 'cancel', { jobs: { batch: id }, limit: MAX_LIMIT }, dry_run);
    },
  }),

  retry: act({
    ...ACT,
    at: 'POST /v1/batches/:id/retry',
    summary: 'requeue the dead jobs of a batch',
    details:
      'A bulk operation, which workers carry out in stages of 1, 10, 100 and all jobs; it stops if more than a fifth of a stage fails again. The `then` job of a batch that has ended does not run again.',
    run: async (context, { id, dry_run }) => {
      await knownBatch(context, id);
      const target = { filter: { batch: id }, limit: MAX_LIMIT };
      return carryOut(context, id, 'requeue', target, dry_run);
    },
  }),
};

async function carryOut(
  { store, actor, clock, who }: Context,
  batch: string,
  what: 'cancel' | 'requeue',
  target: ActTarget,
  dryRun: boolean,
): Promise<z.output<typeof ACTED>> {
  const wish = { act: what, target, actor, tenant: who.tenant };
  const { eligible, more } = await planActs(store, wish);
  if (dryRun || eligible === 0) return { batch, operation: null, jobs: eligible, more };
  const { id } = await submitOperation(store, { ...wish, id: newId('op', clock) });
  return { batch, operation: id, jobs: eligible, more };
}

/** The answer is the same for a batch of another tenant and for one that does not exist. @throws Refusal `not_found` */
async function knownBatch({ store, who }: Context, id: string): Promise<CountedBatch> {
  const batch = await store.batch(id);
  if (batch === undefined || (who.tenant !== undefined && batch.tenant !== who.tenant)) {
    throw new Refusal('not_found', `There is no batch ${id}.`, 'See "redrive batches list".');
  }
  return batch;
}
