import type { ActWish } from '../operation/act-wish.ts';
import type { OperationStatus } from '../operation/operation-status.ts';
import type { ActPlan, ActRefusal } from '../operation/plan-acts.ts';
import type { FullStore } from '../store/full-store.ts';
import { isoTime } from './times.ts';

/** The result of an act. */
interface ActDone extends Pick<OperationStatus, 'acted' | 'refused' | 'updatedAtMs' | 'state'> {
  /** By an earlier submission. */
  readonly alreadyFinished: boolean;
  /** Of an act whose letters are followed. */
  readonly followed?: Pick<OperationStatus, 'inFlight' | 'succeeded' | 'cameBack'> | undefined;
}

/** The result of an act, or of its dry run. */
export interface ActOutcome {
  readonly act: LetterAct;
  readonly operation: string | undefined;
  readonly plan: ActPlan | undefined;
  readonly report: ActDone | undefined;
  readonly refusals: readonly RefusalNote[];
  readonly restorableUntilMs: number | undefined;
}

/** As JSON prints it. */
export function actDocument(outcome: ActOutcome) {
  const { act, operation, plan, report, refusals, restorableUntilMs } = outcome;
  return {
    act,
    operation: operation ?? null,
    dry_run: report === undefined,
    done: doneOf(outcome),
    refused: refusedOf(outcome),
    refusals,
    finished: report?.state === 'finished',
    state: report?.state ?? null,
    in_flight: report?.followed?.inFlight ?? null,
    succeeded: report?.followed?.succeeded ?? null,
    came_back: report?.followed?.cameBack ?? null,
    already_done: report?.alreadyFinished ?? false,
    more: plan?.more ?? false,
    cut_off: isoTime(plan?.cutOffMs),
    restorable_until: isoTime(restorableUntilMs),
  };
}

export function doneOf({ plan, report }: ActOutcome): number {
  return report?.acted ?? plan?.eligible ?? 0;
}

export function refusedOf({ plan, report }: ActOutcome): number {
  return report?.refused ?? plan?.ineligible ?? 0;
}

/** A letter that was not acted on, and why, in words. */
export interface RefusalNote extends ActRefusal {
  readonly note: string;
}

/** Why each one refused. There are at most 100 of them. */
export async function refusalNotes(
  store: FullStore,
  refusals: readonly ActRefusal[],
): Promise<readonly RefusalNote[]> {
  const notes: RefusalNote[] = [];
  for (const { id, refusal } of refusals) {
    notes.push({ id, refusal, note: await noteOf(store, id, refusal) });
  }
  return notes;
}

async function noteOf(store: FullStore, id: string, refusal: string): Promise<string> {
  if (refusal === 'not_found') return 'there is no such job';
  if (refusal === 'unique_conflict') return 'another unfinished job has its unique key';
  if (refusal === 'changed') return 'it was changed in the meantime';
  const job = await store.job(id);
  return job === undefined ? 'it is gone' : `it is ${job.state}`;
}

/** An act on dead letters. */
export type LetterAct = Exclude<ActWish['act'], 'cancel' | 'regroup'>;
