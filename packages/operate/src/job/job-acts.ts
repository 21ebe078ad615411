import type { FullStore, Job } from '@redrive/durable';
import { type ActCommand, type ActResult, againBy } from '@redrive/durable/store';
import * as z from 'zod';
import type { Context } from '../action/context.ts';
import { checkOwn } from '../action/own-tenant.ts';
import { nameText } from '../action/scalars.ts';
import { asideText } from './aside-text.ts';

/** Jobs of one act, or of one enqueue. */
export const MAX_JOBS = 1_000;

const OUTCOME = z.object({
  id: z.string().describe('the job'),
  done: z.boolean().describe('true: the job was changed, or would be'),
  state: z.string().nullable().describe('the state afterwards; null: there is no such job'),
  note: z.string().describe('what was done, or why not'),
});
type Outcome = z.output<typeof OUTCOME>;

const ANSWER = z.object({ jobs: z.array(OUTCOME).describe('one entry per id, in their order') });

/** The part that both acts share. */
export const JOB_ACT = {
  role: 'operator',
  tenants: true,
  refusals: {
    no_match: 'there are no such jobs',
    conflict: 'the state of the jobs does not allow it',
  },
  input: z.strictObject({
    ids: z.array(nameText()).min(1).max(MAX_JOBS).describe('ids of the jobs, at most 1,000'),
  }),
  answer: ANSWER,
  /** All, some, or none; none because there are no such jobs, or because of the state that they are in. */
  verdict: ({ jobs }: z.output<typeof ANSWER>) => {
    if (jobs.every(({ done }) => done)) return 'ok';
    if (jobs.some(({ done }) => done)) return 'partial';
    return jobs.every(({ state }) => state === null) ? 'no_match' : 'conflict';
  },
} as const;

interface Wish {
  readonly ids: readonly string[];
  readonly dry_run: boolean;
}

/** Cancels or retries each job, whatever its state. A refusal is an outcome. */
export async function actOnJobs(
  { store, who, actor, signal }: Context,
  { ids, dry_run: dryRun }: Wish,
  planOf: (job: Job) => Plan,
) {
  await checkOwn(store, ids, who);
  const jobs: Outcome[] = [];
  for (const id of ids) {
    signal.throwIfAborted();
    const { plan, state } = await planFor(store, id, planOf);
    if ('refusal' in plan) jobs.push({ id, done: false, state, note: plan.refusal });
    else if (dryRun) jobs.push({ id, done: true, state, note: `would be ${plan.note}` });
    else {
      const [result] = await store.apply([{ kind: 'act', act: plan.act, id, actor }]);
      jobs.push(
        result.ok
          ? { id, done: true, state: result.state, note: plan.note }
          : { id, done: false, state, note: refusalText(result) },
      );
    }
  }
  return { jobs };
}

async function planFor(store: FullStore, id: string, planOf: (job: Job) => Plan) {
  const job = await store.job(id);
  if (job === undefined) return { state: null, plan: { refusal: NOT_FOUND } };
  const row = await store.unreadableJob(id);
  return { state: job.state, plan: row?.isSetAside ? { refusal: asideText(row) } : planOf(job) };
}

const NOT_FOUND = 'there is no such job';

function refusalText({ refusal }: Extract<ActResult, { ok: false }>): string {
  if (refusal === 'unique_conflict') return 'another unfinished job has its unique key';
  return refusal === 'not_found' ? NOT_FOUND : 'it was changed in the meantime';
}

/** The command for a job, or the reason why there is none. */
type Plan =
  | { readonly act: ActCommand['act']; readonly note: string }
  | { readonly refusal: string };

export function cancelPlan({ state, cancelRequested }: Job): Plan {
  switch (state) {
    case 'succeeded':
    case 'dead':
    case 'cancelled':
    case 'purged':
      return { refusal: `it is ${state} already` };
    case 'leased':
      return cancelRequested
        ? { refusal: 'it was asked to stop already' }
        : { act: 'cancel', note: 'asked to stop, because it runs' };
    default:
      return { act: 'cancel', note: 'cancelled' };
  }
}

export function retryPlan(job: Job): Plan {
  const act = againBy(job);
  return act === undefined
    ? { refusal: NOT_AGAIN[job.state] ?? `it is ${job.state}` }
    : { act, note: AGAIN[act] };
}

const AGAIN = {
  requeue: 'requeued, with all its attempts',
  run_now: 'ready now instead of later',
  unpark: 'ready now, whatever it waited for',
};

const NOT_AGAIN: Partial<Readonly<Record<Job['state'], string>>> = {
  ready: 'it is ready already',
  leased: 'it runs now',
  succeeded: 'it has succeeded',
};
