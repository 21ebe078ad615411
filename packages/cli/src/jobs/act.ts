import type { FullStore, Job } from '@redrive/durable';
import type { ActCommand, ActResult } from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { actorOf } from '../store/actor.ts';
import { withStore } from '../store/with-store.ts';
import { EXIT, type ExitCode } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { setAsideText } from './show.ts';

/** What came of the wish for one job. */
interface Outcome {
  readonly id: string;
  /** Or would be. */
  readonly done: boolean;
  /** Afterwards; `null`: there is no such job. */
  readonly state: string | null;
  /** In words. */
  readonly note: string;
}

export const runCancel: RunCommand = (invocation) => actOnAll(invocation, cancelPlan);

export const runRetry: RunCommand = (invocation) => actOnAll(invocation, retryPlan);

async function actOnAll(invocation: Invocation, planOf: (job: Job) => Plan): Promise<ExitCode> {
  const { io, args, options } = invocation;
  const outcomes = await withStore(invocation, async (store) => {
    const all: Outcome[] = [];
    for (const id of args) all.push(await actOn(invocation, store, id, planOf));
    return all;
  });
  if (options.json) printJson(io, { jobs: outcomes, dry_run: options.dryRun === true });
  else
    printLines(
      io,
      outcomes.map(({ id, note }) => printable(`${id}: ${note}`)),
    );
  return exitOf(outcomes);
}

async function actOn(
  { options }: Invocation,
  store: FullStore,
  id: string,
  planOf: (job: Job) => Plan,
): Promise<Outcome> {
  const job = await store.job(id);
  if (job === undefined) return { id, done: false, state: null, note: NOT_FOUND };
  const aside = await setAsideText(store, id);
  if (aside !== undefined) return { id, done: false, state: job.state, note: aside };
  const plan = planOf(job);
  if ('refusal' in plan) return { id, done: false, state: job.state, note: plan.refusal };
  if (options.dryRun) return { id, done: true, state: job.state, note: `would be ${plan.note}` };
  const [result] = await store.apply([{ kind: 'act', act: plan.act, id, actor: actorOf(options) }]);
  return result.ok
    ? { id, done: true, state: result.state, note: plan.note }
    : { id, done: false, state: job.state, note: refusalText(result) };
}

const NOT_FOUND = 'there is no such job';

function refusalText({ refusal }: Extract<ActResult, { ok: false }>): string {
  if (refusal === 'unique_conflict') return 'another unfinished job has its unique key';
  return refusal === 'not_found' ? NOT_FOUND : 'it was changed in the meantime';
}

/** All, some, or none; none because there are no such jobs, or because of the state that they are in. */
function exitOf(outcomes: readonly Outcome[]): ExitCode {
  if (outcomes.every(({ done }) => done)) return EXIT.ok;
  if (outcomes.some(({ done }) => done)) return EXIT.partial;
  return outcomes.every(({ state }) => state === null) ? EXIT.no_match : EXIT.conflict;
}

/** What to do with a job, or why nothing can be done. */
type Plan =
  | { readonly act: ActCommand['act']; readonly note: string }
  | { readonly refusal: string };

/** How to end a job. */
function cancelPlan({ state, cancelRequested }: Job): Plan {
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

/** How to send a job again, or before its time. */
function retryPlan({ state }: Job): Plan {
  switch (state) {
    case 'dead':
    case 'cancelled':
      return { act: 'requeue', note: 'requeued, with all its attempts' };
    case 'scheduled':
      return { act: 'run_now', note: 'ready now instead of later' };
    case 'parked':
      return { act: 'unpark', note: 'ready now, whatever it waited for' };
    case 'ready':
      return { refusal: 'it is ready already' };
    case 'leased':
      return { refusal: 'it runs now' };
    case 'succeeded':
      return { refusal: 'it has succeeded' };
    case 'purged':
      return { refusal: 'it is purged' };
  }
}
