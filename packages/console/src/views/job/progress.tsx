import type { JobsTimelineAnswer as JobTimeline } from '@redrive/client';
import { duration, msOf, timeOfDay } from '../../format.ts';

/** Below this, it moves. */
const STILL_MS = 30_000;

type Reported = NonNullable<JobTimeline['progress']>;

/** The progress of the running attempt: a bar, the handler's note, and since when it has been the same. */
export function Progress({ of, now }: { readonly of: Reported; readonly now: string }) {
  const { fraction, note, since } = of;
  // Not rounded up: 100 % is for what is done.
  const share = `${Math.floor(fraction * 100)} %`;
  const stillMs = msOf(now) - msOf(since);
  return (
    <p class="job-progress">
      <span
        class="bar"
        role="progressbar"
        aria-label="Progress"
        aria-valuenow={Math.floor(fraction * 100)}
        aria-valuetext={note === null ? share : `${share}, ${note}`}
      >
        <i class="blue" style={{ width: `${fraction * 100}%` }} />
      </span>
      <b>{share}</b> {note}
      <span class="soft">
        {stillMs < STILL_MS
          ? ` since ${timeOfDay(since)}`
          : ` the same for ${duration(stillMs)}, since ${timeOfDay(since)}`}
      </span>
    </p>
  );
}
