import type { JobContext } from '../handler/job-context.ts';
import { checkedProgress, type Progress } from '../job/progress.ts';
import type { StoreTime } from './store-contact.ts';

/** The progress that one attempt reports, until a heartbeat has brought it to the store. The last report wins. */
export class AttemptProgress {
  /** When it last changed, on the monotonic clock. */
  movedAtMs: number;
  newest: Progress | undefined;
  readonly #time: StoreTime;
  #stored: Progress | undefined;

  constructor(time: StoreTime, startMs: number) {
    this.#time = time;
    this.movedAtMs = startMs;
  }

  readonly report: JobContext['progress'] = (fraction, note) => {
    const said = checkedProgress(fraction, note);
    // A report that repeats the last one is no progress.
    if (said.fraction === this.newest?.fraction && said.note === this.newest.note) return;
    this.newest = { ...said, sinceMs: this.#time.nowMs() };
    this.movedAtMs = this.#time.monotonicMs();
  };

  /** The progress that the next heartbeat brings, if the store does not have it. */
  get unstored(): Progress | undefined {
    return this.newest === this.#stored ? undefined : this.newest;
  }

  stored(progress: Progress | undefined): void {
    if (progress !== undefined) this.#stored = progress;
  }
}
