import type { FullStore } from '@redrive/durable';
import type { ActPlan, ActWish, OperationStatus } from '@redrive/durable/control';
import { type ActRefusal, MAX_ACT_IDS } from '@redrive/durable/store';
import { counted } from '../store/job-counts.ts';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatTime, isoTime } from '../terminal/times.ts';
import { wrapWords } from '../terminal/wrap-words.ts';

/** What was done. */
interface ActDone extends Pick<OperationStatus, 'acted' | 'refused' | 'updatedAtMs' | 'state'> {
  /** By an earlier submission. */
  readonly alreadyFinished: boolean;
  /** Of an act whose letters are followed. */
  readonly followed?: Pick<OperationStatus, 'inFlight' | 'succeeded' | 'cameBack'> | undefined;
}

/** What became of an act, or would. */
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

/** The letters that the act changes, and those that refuse it. `will`: somebody has confirmed it. */
export function planLines(
  screen: Screen,
  outcome: ActOutcome,
  verb: 'would' | 'will' = 'would',
): string[] {
  const { act, plan, refusals } = outcome;
  if (plan === undefined) return [];
  const total = plan.eligible + plan.ineligible;
  if (total === 0) return ['No dead letter matches.'];
  const { done } = ACT_WORDS[act];
  const more = moreText(act, plan.eligible);
  const rest = plan.more ? ' There are more letters than the plan covers.' : '';
  const cutOff = `Letters that die after ${formatTime(plan.cutOffMs)} are not included.`;
  const text = `${counted(plan.eligible, 'dead letter')} ${verb} be ${done}. ${more} ${cutOff}${rest}`;
  return [
    ...wrapWords(text.replaceAll('  ', ' '), screen.columns),
    ...sampleLines(screen, plan),
    ...refusalLines(screen, plan.ineligible, refusals, `${verb} not be`),
  ];
}

function sampleLines(screen: Screen, { sampleIds, eligible }: ActPlan): string[] {
  const shown = sampleIds.slice(0, 10).map((id) => `  ${screen.paint('cyan', printable(id))}`);
  return eligible > shown.length
    ? [...shown, `  and ${(eligible - shown.length).toLocaleString('en')} more`]
    : shown;
}

/** What was done, and to what not. */
export function reportLines(screen: Screen, outcome: ActOutcome): string[] {
  const { act, report, refusals, restorableUntilMs, operation } = outcome;
  if (report === undefined) return [];
  const { done } = ACT_WORDS[act];
  const { acted, refused, updatedAtMs } = report;
  const more = moreText(act, acted);
  const verb = acted === 1 ? 'was' : 'were';
  const before = report.alreadyFinished
    ? ` The same bulk operation did that at ${formatTime(updatedAtMs)}; nothing was changed now.`
    : '';
  const until =
    restorableUntilMs === undefined || acted === 0
      ? ''
      : ` They can be restored until ${formatTime(restorableUntilMs)}: redrive dlq restore ${acted > MAX_ACT_IDS ? '--all, with the same filter' : `--purge ${operation ?? ''}`}`;
  const extra = acted === 0 || more === '' || act === 'restore' ? '' : ` ${more}`;
  const { followed } = report;
  const results =
    followed === undefined
      ? ''
      : ` First attempts: ${followed.succeeded.toLocaleString('en')} succeeded, ${followed.cameBack.toLocaleString('en')} failed.`;
  const text = `${counted(acted, 'dead letter')} ${verb} ${done}.${extra}${results}${before}${until}`;
  return [
    ...wrapWords(printable(text), screen.columns),
    ...refusalLines(screen, refused, refusals, refused === 1 ? 'was not' : 'were not'),
  ];
}

function refusalLines(
  screen: Screen,
  count: number,
  refusals: readonly RefusalNote[],
  verb: string,
): string[] {
  if (count === 0) return [];
  const rest = count - refusals.length;
  return [
    `${count.toLocaleString('en')} ${verb}:`,
    ...refusals.map(
      ({ id, note }) => `  ${screen.paint('cyan', printable(id))} ${printable(note)}`,
    ),
    ...(rest > 0 ? [`  and ${rest.toLocaleString('en')} more`] : []),
  ];
}

/** A letter that was not acted on, and why, in words. */
interface RefusalNote extends ActRefusal {
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

/** What can be done to dead letters. */
export type LetterAct = Exclude<ActWish['act'], 'cancel'>;

export type LetterWish = ActWish & { readonly act: LetterAct };

interface Words {
  /** `3 dead letters … requeued`. */
  readonly done: string;
  /** What else there is to say about many of them, and about one. */
  readonly more: string;
  readonly one?: string;
}

const ACT_WORDS: Readonly<Record<LetterAct, Words>> = {
  requeue: {
    done: 'requeued',
    more: 'Each begins a new generation with all its attempts.',
    one: 'It begins a new generation with all its attempts.',
  },
  reset: {
    done: 'reset',
    more: 'All attempts are available again. They stay dead letters until they are requeued.',
    one: 'All its attempts are available again. It stays a dead letter until it is requeued.',
  },
  purge: { done: 'purged', more: '' },
  restore: { done: 'restored', more: 'They are dead letters again, as they were.' },
};

function moreText(act: LetterAct, count: number): string {
  const { more, one = more } = ACT_WORDS[act];
  return count === 1 ? one : more;
}
