import { type OptionTable, resolveOptions } from '@redrive/core/fields';
import type { Actor } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import type { ParkedCause } from './rules/documents.ts';
import { openPace } from './rules/release-pace.ts';

/** A growing pace: it slows down when failures or latency increase. */
export interface PaceWish {
  /** Jobs per second at the beginning. 1 to 100,000. Default 5. */
  readonly perSecond?: number | undefined;
}

const OPTIONS: OptionTable<PaceWish> = {
  perSecond: [undefined, { kind: 'number', min: 1, max: 100_000 }],
};

/** @throws RedriveError `invalid_option`. */
export function checkPace(pace: PaceWish | undefined): void {
  if (pace !== undefined) resolveOptions('pace', pace, OPTIONS);
}

/** The pace as a cause's document stores it. */
export function paceFrom(
  { perSecond }: PaceWish,
  nowMs: number,
): Required<Pick<ParkedCause, 'pace' | 'askedPerSecond'>> {
  return { pace: openPace(nowMs, perSecond), askedPerSecond: perSecond };
}

export interface ParkReleased {
  /** Jobs that are ready now. With a pace: 0, they follow. */
  readonly released: number;
  /** Whether more are parked under the cause. */
  readonly more: boolean;
}

const BATCH = 1_000;
/** Most batches of one call: jobs that are parked again at once must not keep it going for ever. */
export const MAX_RELEASED = 1_000_000;

/** Makes parked jobs of a cause ready. */
export async function releaseJobs(
  store: FullStore,
  cause: string,
  atMost: number,
  actor: Actor,
): Promise<ParkReleased> {
  let released = 0;
  for (;;) {
    const limit = Math.min(BATCH, atMost - released);
    const [answer] = await store.apply([{ kind: 'release', cause, limit, actor }]);
    released += answer.released;
    if (!answer.more || answer.released === 0 || released >= atMost) {
      return { released, more: answer.more };
    }
  }
}
