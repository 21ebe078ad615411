import type { Actor } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';

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
