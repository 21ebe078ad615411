import { openPace, type ParkedCause } from '@redrive/core/control';
import { type OptionTable, resolveOptions } from '@redrive/core/fields';

/** A growing pace: it slows down when failures or latency rise. */
export interface PaceWish {
  /** It begins with so many a second. 1 to 100,000. Default 5. */
  readonly perSecond?: number | undefined;
}

const OPTIONS: OptionTable<PaceWish> = {
  perSecond: [undefined, { kind: 'number', min: 1, max: 100_000 }],
};

/** @throws RedriveError `invalid_option`. */
export function checkPace(pace: PaceWish | undefined): void {
  if (pace !== undefined) resolveOptions('pace', pace, OPTIONS);
}

/** What a cause's document says of it from now on. */
export function paceFrom(
  { perSecond }: PaceWish,
  nowMs: number,
): Required<Pick<ParkedCause, 'pace' | 'askedPerSecond'>> {
  return { pace: openPace(nowMs, perSecond), askedPerSecond: perSecond };
}
