import { type OptionTable, resolveOptions } from '@redrive/core/fields';
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
