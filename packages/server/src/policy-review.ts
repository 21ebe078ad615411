import { lookUp } from '@redrive/config';
import { handlerDependencies, isPreset, listedPolicies } from '@redrive/config/documents';
import type { FullStore } from '@redrive/durable';
import { recordedAttempts } from '@redrive/durable/audit';
import {
  Attempts,
  type Finding,
  type Recorded,
  RecordingReader,
  type ReviewRow,
  recordedOf,
  review,
  type Undecided,
} from '@redrive/lab';
import { Problem } from './problem.ts';
import type { Ask } from './route.ts';
import { within } from './within.ts';

export const WEEK_MS = 604_800_000;
const KEPT_MS = 3_600_000;
/** A request waits for the review this long; the next one gets it. */
const ANSWER_MS = 5_000;
const MAX_READ_MS = 300_000;
/** A review of so many holds the process for a fifth of a second. Of more attempts it takes a shorter window. */
const MAX_ATTEMPTS = 100_000;
const MIN_WINDOW_MS = 60_000;

/** A policy of the review. */
export interface ReviewedPolicy {
  readonly policy: string;
  /** `false`: it exists only in code, so `GET /v1/policies/:policy` answers 404. */
  readonly configured: boolean;
}

/** The answer of `GET /v1/policies/review`. */
export interface PolicyReview {
  /** `null`: the first review is under way. */
  readonly reviewed_at: string | null;
  /** Attempts of this time were reviewed. */
  readonly since: string | null;
  readonly until: string | null;
  readonly policies: readonly (ReviewRow & ReviewedPolicy)[];
  readonly findings: readonly (Finding & ReviewedPolicy)[];
  /** Findings that the recording can neither show nor rule out. */
  readonly undecided: readonly (Undecided & ReviewedPolicy)[];
  /** The share of the log that a newer review has read, 0 to 1. `null`: none is under way. */
  readonly under_way: number | null;
}

const NO_REVIEW: PolicyReview = {
  ...{ reviewed_at: null, since: null, until: null },
  ...{ policies: [], findings: [], undecided: [], under_way: null },
};

interface Kept {
  latest?: PolicyReview;
  underWay?: { readonly done: Promise<unknown>; share: number } | undefined;
}

const kept = new WeakMap<FullStore, Kept>();

type Reading = Pick<Ask<unknown>, 'store' | 'clock' | 'config' | 'changes'>;

/**
 * The review of the last seven days. One is made at a time, and anew when the last one is an hour old.
 *
 * @param renew now, however old the last one is.
 * @throws Problem, RedriveError what ended the review that was under way.
 */
export async function policyReview(ask: Reading, renew: boolean): Promise<PolicyReview> {
  const own = kept.get(ask.store) ?? {};
  kept.set(ask.store, own);
  const atMs = Date.parse(own.latest?.reviewed_at ?? '');
  // Also where there is none: NaN is not below anything.
  const isRecent = ask.clock.now() - atMs < KEPT_MS;
  if (!own.underWay && (renew || !isRecent)) own.underWay = begin(ask, own);
  try {
    await (own.underWay && within(own.underWay.done, ANSWER_MS, ask.clock));
  } catch (error) {
    own.underWay = undefined;
    throw error;
  }
  return { ...(own.latest ?? NO_REVIEW), under_way: own.underWay?.share ?? null };
}

function begin(ask: Reading, own: Kept): NonNullable<Kept['underWay']> {
  const work = reviewNow(ask, (share) => {
    if (own.underWay) own.underWay.share = share;
  }).then((made) => {
    own.latest = made;
    own.underWay = undefined;
  });
  // The next request gets the error.
  work.catch(() => undefined);
  return { done: work, share: 0 };
}

/** Reads the log and reviews it. A window with more attempts than `limit` is quartered, so that the newest are reviewed. */
export async function reviewNow(
  ask: Reading,
  onShare: (share: number) => void,
  limit = MAX_ATTEMPTS,
): Promise<PolicyReview> {
  const { clock, config } = ask;
  const untilMs = clock.now();
  let windowMs = WEEK_MS;
  const read = () => attemptsOf(ask, { sinceMs: untilMs - windowMs, untilMs }, onShare, limit);
  let attempts = await read();
  while (attempts.omitted > 0 && windowMs > MIN_WINDOW_MS) {
    windowMs /= 4;
    attempts = await read();
  }
  const own = listedPolicies(config).filter((one) => !isPreset(one));
  const ids = own.map(({ id }) => id);
  const { rows, findings, undecided } = review(attempts, ids);
  const marked = <Of extends { readonly policy: string }>(of: Of) => ({
    ...of,
    configured: lookUp(config, of.policy).policy !== undefined,
  });
  return {
    reviewed_at: new Date(untilMs).toISOString(),
    since: new Date(untilMs - windowMs).toISOString(),
    until: new Date(untilMs).toISOString(),
    policies: rows.map(marked),
    findings: findings.map(marked),
    undecided: undecided.map(marked),
    under_way: null,
  };
}

export interface Window {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Not more than one of the attempts above the limit is read. */
async function attemptsOf(
  ask: Reading,
  window: Window,
  onShare: (share: number) => void,
  limit: number,
): Promise<Attempts> {
  const { clock, changes } = ask;
  const deadlineMs = clock.now() + MAX_READ_MS;
  const reader = new RecordingReader(new Attempts(limit));
  const onProgress = (_: number, share: number) => {
    if (clock.now() > deadlineMs) throw tooSlow();
    onShare(share);
  };
  let count = 0;
  for await (const one of recorded(ask, window, { signal: changes.closed, onProgress })) {
    reader.add(one);
    count += 1;
    if (count > limit) break;
  }
  reader.end();
  return reader.attempts;
}

function tooSlow(): Problem {
  return new Problem(503, 'timeout', 'The audit log could not be read within 5 minutes.');
}

type ReadingOptions = Pick<Parameters<typeof recordedAttempts>[1], 'signal' | 'onProgress'>;

/** The attempts of a window, as a recording has them. Sessions have their own ids. */
export async function* recorded(
  { store, clock, config }: Omit<Reading, 'changes'>,
  window: Window,
  options: ReadingOptions,
): AsyncGenerator<Recorded> {
  const dependencies = handlerDependencies(config);
  for await (const attempt of recordedAttempts(store, { ...window, clock, ...options })) {
    const { handler, policyId } = attempt;
    yield recordedOf(attempt, attempt.dependency || dependencies(handler, policyId));
  }
}
