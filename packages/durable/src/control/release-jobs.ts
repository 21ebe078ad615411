import type { Actor } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';

export interface ParkReleased {
  /** So many are ready now. With a pace: none, they come. */
  readonly released: number;
  /** There are more of them under the cause. */
  readonly more: boolean;
}

const BATCH = 1_000;
/** Of one call: what is parked again at once must not keep it going for ever. */
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
