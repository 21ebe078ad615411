import { jobsSettings } from '@redrive/config';
import { newId } from '@redrive/core';
import { commandText } from '@redrive/core/fields';
import type { FullStore } from '@redrive/durable';
import {
  type ActPlan,
  type ActWish,
  type OperationReport,
  type OperationRequest,
  type OperationStatus,
  operationStatus,
  planActs,
  resumeOperation,
  runOperation,
  submitOperation,
} from '@redrive/durable/control';
import { counted, isoTime, MAX_PLANNED } from '@redrive/durable/store';
import type { Context } from '../action/context.ts';
import { Refusal } from '../action/refusal.ts';
import { type BulkAnswer, type PlanAnswer, planAnswer, refusalNotes } from './bulk-answer.ts';
import { hasFilter, type Submission } from './bulk-input.ts';
import { wishOf } from './bulk-target.ts';
import { INTERRUPTED, operationAnswer, operationDetails } from './operation-answer.ts';
import { type StoppedBy, stoppedBy } from './stopped-by.ts';

/** A request of a server carries out an operation for so long. */
const REQUEST_MS = 2_000;

type Given = Submission & { readonly dry_run: boolean };

/**
 * Plans a bulk operation, checks the confirmation, and submits it. With `wait` it is carried out here, until its end or
 * the signal; in a request of a server for two seconds. Nothing is repeated if the same id is submitted again.
 *
 * @throws Refusal `not_confirmed` with the plan.
 */
export async function runBulk(context: Context, given: Given): Promise<BulkAnswer> {
  const begun = given.id === undefined ? undefined : await context.store.operation(given.id);
  const wish = await wishOf(context, given, begun);
  // A begun operation was confirmed when it was begun.
  return carryOut(context, wish, given, begun === undefined && hasFilter(given));
}

/** The part of a submission that does not select anything. */
type Terms = Pick<
  Given,
  'id' | 'confirm' | 'wait' | 'rate' | 'ramp' | 'stop_share' | 'max_in_flight' | 'dry_run'
>;

/** @throws Refusal `not_confirmed` with the plan. */
export async function carryOut(
  context: Context,
  wish: ActWish,
  given: Terms,
  needsConsent: boolean,
): Promise<BulkAnswer> {
  const { store, clock } = context;
  const plan = given.dry_run || needsConsent ? await planActs(store, wish) : undefined;
  const shown = plan && (await planAnswer(store, wish.act, plan));
  const planned = answerOf(wish.act, shown);
  if (given.dry_run || plan?.eligible === 0) return planned;
  if (plan !== undefined && needsConsent) checkConsent(wish, planned, plan, given);
  const id = given.id ?? newId('op', clock);
  const terms = termsOf(given);
  const before = await operationStatus(store, id);
  if (before !== undefined) warnOfOtherTerms(context, before, terms);
  const stops = shown?.stopped_by ?? (await stopsOf(store, wish));
  const hasNoStages = given.wait && leavesStagesOut(wish, terms, stops);
  const request = { ...wish, ...terms, ...(hasNoStages && { ramp: false as const }), id };
  const begun = { ...planned, operation: id, stopped_by: stops, without_stages: hasNoStages };
  context.progress?.begun(begun);
  const { status, refusals, alreadyFinished } = given.wait
    ? await runHere(context, request)
    : await submit(context, request);
  const { followed, state } = status;
  return {
    ...begun,
    done: status.acted,
    refused: status.refused,
    refusals: await refusalNotes(store, refusals),
    finished: state === 'finished',
    state,
    in_flight: followed ? status.inFlight : null,
    succeeded: followed ? status.succeeded : null,
    came_back: followed ? status.cameBack : null,
    already_done: alreadyFinished,
    restorable_until: wish.act === 'purge' ? await restorableUntil(context, status) : null,
    status: operationDetails(status),
  };
}

/** Before anything is begun. */
function answerOf(act: string, plan: PlanAnswer | undefined): BulkAnswer {
  const { done = 0, refused = 0, refusals = [], more = false, cut_off = null } = plan ?? {};
  return {
    ...{ act, operation: null, done, refused, refusals, finished: false, state: null },
    ...{ in_flight: null, succeeded: null, came_back: null, already_done: false, more, cut_off },
    ...{
      restorable_until: null,
      plan: plan ?? null,
      stopped_by: plan?.stopped_by ?? [],
      without_stages: false,
    },
    status: null,
  };
}

/** Without terms it is done at once: no ramp was requested. */
function termsOf(given: Terms): Pick<OperationRequest, TermName> {
  const { rate, ramp, stop_share: stopShare, max_in_flight: maxInFlight } = given;
  const isAtOnce =
    given.wait && [rate, ramp, stopShare, maxInFlight].every((one) => one === undefined);
  return { ratePerSecond: rate, ramp: isAtOnce ? false : ramp, stopShare, maxInFlight };
}
type TermName = 'ratePerSecond' | 'ramp' | 'stopShare' | 'maxInFlight';

async function submit({ store }: Context, request: OperationRequest): Promise<OperationReport> {
  const submitted = await submitOperation(store, request);
  const status = (await operationStatus(store, request.id)) ?? submitted;
  return { status, refusals: [], alreadyFinished: submitted.state === 'finished' };
}

async function runHere(context: Context, request: OperationRequest): Promise<OperationReport> {
  const { store, clock, progress, actor } = context;
  const late = new AbortController();
  const timer = progress ? undefined : clock.setTimer(REQUEST_MS, () => late.abort());
  const signal = AbortSignal.any([context.signal, late.signal]);
  const onProgress = (status: OperationStatus) => progress?.status(operationAnswer(status));
  const run = () => runOperation(store, request, { clock, signal, onProgress });
  try {
    const report = await run();
    const { state, changes } = report.status;
    const why = changes.at(-1)?.why;
    if (state !== 'paused' || why !== INTERRUPTED || signal.aborted) return report;
    await resumeOperation(store, { id: request.id, actor });
    return await run();
  } finally {
    timer?.cancel();
  }
}

/** What stops the jobs of a requeue that were named one by one. */
function stopsOf(store: FullStore, { act, target }: ActWish): Promise<StoppedBy> {
  const named = act === 'requeue' && 'ids' in target ? target.ids : [];
  const ids = named.map((each) => (typeof each === 'string' ? each : each.id));
  return stoppedBy(store, ids);
}

/**
 * Whether the stages of a requeue are left out, because no worker has a handler of its jobs: no stage would get its
 * results. Stages that were requested stay: the progress says what its jobs wait for.
 */
function leavesStagesOut(
  { act }: ActWish,
  { ramp, maxInFlight, stopShare }: Pick<OperationRequest, TermName>,
  stops: StoppedBy,
): boolean {
  const isRequested = [ramp, maxInFlight, stopShare].some((one) => one !== undefined);
  return act === 'requeue' && !isRequested && stops.some(({ kind }) => kind === 'no_worker');
}

function warnOfOtherTerms(
  { warn }: Context,
  status: OperationStatus,
  { ratePerSecond, ramp, stopShare, maxInFlight }: Pick<OperationRequest, TermName>,
): void {
  if (status.state === 'finished' || !status.inBackground) return;
  const stages = status.ramp?.stages.join() ?? '';
  const pairs: [option: string, wanted: unknown, is: unknown][] = [
    ['--rate', ratePerSecond, status.ratePerSecond],
    ['--ramp', ramp ? ramp.join() : undefined, stages],
    ['--stop-on-failure-ratio', status.ramp && stopShare, status.ramp?.stopShare],
    ['--max-in-flight', maxInFlight, status.maxInFlight],
  ];
  const others = pairs
    .filter(([, wanted, is]) => wanted !== undefined && wanted !== is)
    .map(([option]) => option);
  if (others.length === 0) return;
  const set = others.includes('--rate')
    ? ` ${commandText`redrive ops set-rate ${status.id}`} changes its rate.`
    : '';
  warn(`It was started before with another ${others.join(', ')}, which stays in force.${set}`);
}

/** From this number of letters on, the refusal suggests a ramp. */
const MANY_LETTERS = 100;

function checkConsent(
  { act, target }: ActWish,
  { plan: shown }: BulkAnswer,
  { eligible, ineligible, more, cutOffMs }: ActPlan,
  { confirm, rate, ramp, stop_share, max_in_flight, wait }: Terms,
): void {
  // A plan stops looking before a limit that is high.
  const isCounted = !more || ('limit' in target && eligible + ineligible >= target.limit);
  const confirmed = confirm === undefined ? undefined : String(confirm).replaceAll(',', '');
  if (confirmed === 'any' || (isCounted && confirmed === String(eligible))) return;
  const hasTerms = [rate, ramp, stop_share, max_in_flight].some((one) => one !== undefined);
  const isHerd = wait && !hasTerms && act === 'requeue' && eligible > MANY_LETTERS;
  const advice = isHerd
    ? ' With --ramp 1,10,100 it begins with one letter, and stops when too many jobs fail again.'
    : '';
  const ways = isCounted
    ? `Add --confirm=${eligible} to go ahead, or --yes for any number`
    : `Add --yes to go ahead with any number, or --limit with at most ${MAX_PLANNED}, so that the letters can be counted and confirmed`;
  const noun = 'jobs' in target ? 'job' : 'dead letter';
  const letters = `${isCounted ? '' : 'more than '}${counted(eligible, noun)}`;
  const message =
    confirmed === undefined
      ? `Nothing was changed: ${letters} need your confirmation.`
      : `Nothing was changed: the filter matches ${letters}, not ${confirmed}.`;
  const hint = `${ways}; --until ${new Date(cutOffMs).toISOString()} selects the same letters.${advice}`;
  throw new Refusal('not_confirmed', message, hint, [], { act, ...shown });
}

/** Until when purged letters can be restored, as the configuration says. Unknown if that is broken. */
async function restorableUntil(
  { config }: Context,
  { updatedAtMs }: OperationStatus,
): Promise<string | null> {
  try {
    return isoTime(updatedAtMs + jobsSettings(await config()).retention.purgedMs);
  } catch {
    return null;
  }
}
