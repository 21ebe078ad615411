import type { StoredDocument } from '../document-source/document-source.ts';
import type { JobState } from '../job/job.ts';
import { decideDocument, type MadeDecision } from './decide-document.ts';
import { countOf, invalidDocument, type Sweep } from './sweep.ts';

/** What the next sweep does with a document: its own decision, and what `explain` and `list` say. */
export type NextStep =
  | { readonly step: 'invalid'; readonly problem: string }
  /** Its status is neither pending nor failed: sweeps leave it alone. */
  | { readonly step: 'over' }
  | { readonly step: 'failed' }
  /** A sweep claimed it less than a minute ago. */
  | { readonly step: 'claimed' }
  /** The job of its claim is unfinished: the event waits for the broker, or for a worker. */
  | { readonly step: 'unsent' }
  /** The job of its claim is a dead letter: a person decides. */
  | { readonly step: 'dead' }
  /** The job of its claim has sent the event: the attempt is counted. */
  | { readonly step: 'settle' }
  /** Its claim has no job: the event is sent under the same id. */
  | { readonly step: 'resend' }
  /** Its last attempt may still run. */
  | { readonly step: 'running'; readonly dueAtMs: number }
  /** It was never attempted, and is younger than the minimum age. */
  | { readonly step: 'young'; readonly dueAtMs: number }
  | { readonly step: 'wait'; readonly dueAtMs: number; readonly made: MadeDecision }
  | { readonly step: 'send'; readonly dueAtMs: number; readonly made?: MadeDecision | undefined }
  | { readonly step: 'fail'; readonly made: MadeDecision };

/** What is known of a document from elsewhere. */
export interface Surroundings {
  /** Of the job of its claim. `undefined`: there is no such job. */
  readonly job?: JobState | undefined;
  /** See `backoffShare`. Default 1. */
  readonly share?: number | undefined;
}

/** A claim that nobody finished in this time belongs to a process that died or is paused: another sweep looks at it. */
export const CLAIM_LEASE_MS = 60_000;

const DROPPED: ReadonlySet<JobState | undefined> = new Set(['cancelled', 'purged']);

/** Decides what the next sweep does with a document. The sweep, `explain` and `list` ask this function alone. */
export function nextStep(
  sweep: Pick<Sweep, 'name' | 'policy' | 'collection' | 'thresholdMs' | 'minimumAgeMs'>,
  given: StoredDocument,
  nowMs: number,
  { job, share }: Surroundings = {},
): NextStep {
  const { pending, failed } = sweep.collection;
  const { status } = given;
  if (status === failed) return { step: 'failed' };
  if (!pending.includes(status)) return { step: 'over' };
  const isUnsent = given.mark?.sent === false;
  const problem = invalidDocument(given, nowMs, isUnsent ? 'unsent' : undefined);
  if (problem !== undefined) return { step: 'invalid', problem };
  const isYoungClaim = isUnsent && Number(given.mark?.atMs) > nowMs - CLAIM_LEASE_MS;
  if (isYoungClaim) return { step: 'claimed' };
  if (isUnsent && !DROPPED.has(job)) return { step: stepOfClaim(job) };
  const document = wasReset(given) ? { ...given, mark: undefined } : given;
  const { timeMs, createdMs } = document;
  const dueAtMs = Number(timeMs) + sweep.thresholdMs;
  if (timeMs !== null && dueAtMs >= nowMs) return { step: 'running', dueAtMs };
  if (timeMs === null && createdMs !== undefined && nowMs - createdMs < sweep.minimumAgeMs)
    return { step: 'young', dueAtMs: createdMs + sweep.minimumAgeMs };
  return decideDocument(sweep, document, nowMs, share);
}

function stepOfClaim(job: JobState | undefined) {
  if (job === undefined) return 'resend';
  if (job === 'succeeded') return 'settle';
  return job === 'dead' ? 'dead' : 'unsent';
}

/** Somebody has put the count back below that of the last event that was sent: what the mark says is of before. */
export function wasReset({ mark, count, timeMs, firstStuckMs, foundMs }: StoredDocument): boolean {
  const attempts = countOf({ count });
  if (mark !== undefined) return mark.sent && attempts < (mark.attempt ?? 0);
  // A document that was never attempted is found before it is stuck.
  return isNew({ count, timeMs }) && firstStuckMs !== undefined && foundMs === undefined;
}

/** True if the document was never attempted. */
export const isNew = ({ count, timeMs }: Pick<StoredDocument, 'count' | 'timeMs'>) =>
  countOf({ count }) === 0 && timeMs === null;

/**
 * What a sweep that has found a document notes in its mark: since when it is stuck. A document that was never attempted is
 * only found the first time: healthy documents wait for their first sweep, too. `undefined`: nothing new.
 */
export function noteFor(
  document: StoredDocument,
  { step }: NextStep,
): 'found' | 'stuck' | 'cleared' | undefined {
  if (wasReset(document)) return 'cleared';
  if (step === 'running' || step === 'young' || document.firstStuckMs !== undefined)
    return undefined;
  const wasFound = document.foundMs !== undefined || document.mark !== undefined;
  return isNew(document) && !wasFound ? 'found' : 'stuck';
}
