import { type Config, lookUp } from '@redrive/config';
import { isPreset, listedPolicies } from '@redrive/config/documents';
import { type Clock, RedriveError } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import { Attempts, RecordingReader, review } from '@redrive/lab';
import type * as z from 'zod';
import type { Context } from '../action/context.ts';
import { within } from '../action/pause.ts';
import { attemptsRecorded, type Window } from '../lab/recorded.ts';
import type { REVIEW } from './review-schema.ts';

const WEEK_MS = 604_800_000;
const KEPT_MS = 3_600_000;
/** A request waits for the review this long; the next one gets it. */
const ANSWER_MS = 5_000;
const MAX_READ_MS = 300_000;
/** A review of so many holds the process for a fifth of a second. Of more attempts it takes a shorter window. */
const MAX_ATTEMPTS = 100_000;
const MIN_WINDOW_MS = 60_000;

type PolicyReview = z.input<typeof REVIEW>;

const NO_REVIEW: PolicyReview = {
  ...{ reviewed_at: null, since: null, until: null },
  ...{ policies: [], findings: [], undecided: [], under_way: null },
};

interface Kept {
  latest?: PolicyReview;
  underWay?: { readonly done: Promise<unknown>; share: number } | undefined;
}

const kept = new WeakMap<FullStore, Kept>();

/** `signal`: aborted when nothing more is to be read. */
interface Reading {
  readonly store: FullStore;
  readonly clock: Clock;
  readonly config: Config;
  readonly signal: AbortSignal;
}

/**
 * The review of the last seven days. One is made at a time, and anew when the last one is an hour old.
 *
 * @param renew now, however old the last one is.
 * @throws RedriveError what ended the review that was under way.
 */
export async function policyReview(
  { store, clock, config, signal: left, server }: Context,
  renew: boolean,
): Promise<PolicyReview> {
  // A server continues it for the next request.
  const signal = server?.closed ?? left;
  const ask = { store, clock, config: await config(), signal };
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
    policies: rows.map((row) => ({ ...marked(row), succeeded_at: [...row.succeeded_at] })),
    findings: findings.map((each) => ({ ...marked(each), examples: [...each.examples] })),
    undecided: undecided.map(marked),
    under_way: null,
  };
}

/** Not more than one of the attempts above the limit is read. */
async function attemptsOf(
  ask: Reading,
  window: Window,
  onShare: (share: number) => void,
  limit: number,
): Promise<Attempts> {
  const { clock, signal } = ask;
  const deadlineMs = clock.now() + MAX_READ_MS;
  const reader = new RecordingReader(new Attempts(limit));
  const onProgress = (_: number, share: number) => {
    if (clock.now() > deadlineMs) throw tooSlow();
    onShare(share);
  };
  let count = 0;
  for await (const one of attemptsRecorded(ask, window, { signal, onProgress })) {
    reader.add(one);
    count += 1;
    if (count > limit) break;
  }
  reader.end();
  return reader.attempts;
}

function tooSlow(): RedriveError {
  const message = 'The audit log could not be read within 5 minutes.';
  return new RedriveError('store_unavailable', message);
}
