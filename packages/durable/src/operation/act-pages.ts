import type { DeadFilter } from '../dead-letter/dead-letter-store.ts';
import { regroupPage } from '../dead-letter/rules/regroup-page.ts';
import { rulesIn } from '../dead-letter/rules/rule-documents.ts';
import type { JobSummary } from '../job/job.ts';
import { LEGAL_FROM } from '../job/transition.ts';
import type { ActGroup } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import type { JobFilter } from '../store/store.ts';
import type { ActWish } from './act-wish.ts';

/** Jobs that come next, and where to go on after them. */
export interface ActPage {
  readonly jobs: readonly {
    readonly id: string;
    readonly generation?: number | undefined;
    /** `regroup` only: the cause that it moves to, and the one that it has. */
    readonly group?: ActGroup | undefined;
    readonly from?: string | undefined;
  }[];
  readonly next?: string | undefined;
  /** When the last of them died (or was purged), where that is known. */
  readonly lastAtMs?: number | undefined;
}

export type ActPageStore = Pick<FullStore, 'deadLetters' | 'jobs' | 'finished' | 'controls'>;

/** One page of the jobs that a wish selects, at most `limit`, behind `after`. */
export async function actPage(
  store: ActPageStore,
  { act, target }: ActWish,
  cutOffMs: number,
  page: { readonly limit: number; readonly after?: string | undefined },
): Promise<ActPage> {
  if (act === 'regroup' && 'filter' in target) {
    const diedBeforeMs = earlier(target.filter, cutOffMs);
    const asked = { ...target, filter: { ...target.filter, diedBeforeMs } };
    return regroupPage(store, asked, rulesIn(await store.controls()), page);
  }
  if ('ids' in target) {
    const from = Number(page.after ?? 0);
    const to = from + page.limit;
    const jobs = target.ids
      .slice(from, to)
      .map((given) => (typeof given === 'string' ? { id: given } : given));
    return { jobs, next: to < target.ids.length ? String(to) : undefined };
  }
  if ('jobs' in target) return jobPage(store, act, target.jobs, cutOffMs, page);
  const { filter } = target;
  const { jobs, next } =
    act === 'restore'
      ? await purgedLetters(store, filter, cutOffMs, page)
      : await store.deadLetters(
          { ...filter, diedBeforeMs: earlier(filter, cutOffMs) },
          {
            ...page,
            first: 'oldest',
          },
        );
  const last = jobs.at(-1);
  return {
    jobs: jobs.map(({ id, account }) => ({ id, generation: account.generation })),
    next,
    lastAtMs: last?.purgedAtMs ?? last?.finishedAtMs,
  };
}

/** Only jobs in states in which the act is legal: others would refuse one by one. */
async function jobPage(
  store: ActPageStore,
  act: ActWish['act'],
  filter: JobFilter,
  cutOffMs: number,
  page: { readonly limit: number; readonly after?: string | undefined },
): Promise<ActPage> {
  const possible = LEGAL_FROM[act];
  const states = possible.filter((state) => filter.states?.includes(state) ?? true);
  const submittedBeforeMs = Math.min(filter.submittedBeforeMs ?? Infinity, cutOffMs);
  const { jobs, next } = await store.jobs({ ...filter, states, submittedBeforeMs }, page);
  return { jobs: jobs.map(({ id, account }) => ({ id, generation: account.generation })), next };
}

/** Purged jobs are not dead letters any more: they are found among the jobs. */
async function purgedLetters(
  store: ActPageStore,
  { handler, queue, tenant, tag, sessionId, batch, ...rest }: DeadFilter,
  cutOffMs: number,
  page: { readonly limit: number; readonly after?: string | undefined },
): Promise<{ jobs: readonly JobSummary[]; next?: string | undefined }> {
  const filter = { states: ['purged'] as const, handler, queue, tenant, tag, sessionId, batch };
  const { jobs, next } = await store.jobs(filter, page);
  const { fingerprint, reason, errorClass } = rest;
  const { diedAfterMs = -Infinity, diedBeforeMs = Infinity } = rest;
  const fits = (job: JobSummary): boolean => {
    const { finishedAtMs = 0, purgedAtMs = Infinity } = job;
    return (
      job.purgedFrom === 'dead' &&
      purgedAtMs < cutOffMs &&
      finishedAtMs >= diedAfterMs &&
      finishedAtMs < diedBeforeMs &&
      (fingerprint === undefined || job.fingerprint === fingerprint) &&
      (reason === undefined || job.reason === reason) &&
      (errorClass === undefined || job.errorClass === errorClass)
    );
  };
  return { jobs: jobs.filter(fits), next };
}

function earlier({ diedBeforeMs = Infinity }: DeadFilter, cutOffMs: number): number {
  return Math.min(diedBeforeMs, cutOffMs);
}
