import type { RetentionOptions } from '../jobs/jobs.ts';
import type { Actor, PruneCommand } from '../store/commands.ts';

type Kept = Omit<RetentionOptions, 'archive'>;

/** The deletion of finished jobs after these times. A state without a time is kept. */
export function pruneCommand(keep: Kept, limit: number, actor: Actor): PruneCommand {
  return {
    kind: 'prune',
    succeededAfterMs: storable(keep.succeededMs),
    cancelledAfterMs: storable(keep.cancelledMs),
    deadAfterMs: storable(keep.deadMs),
    purgedAfterMs: storable(keep.purgedMs),
    limit,
    actor,
  };
}

/** Databases have no infinity among their whole numbers; nothing is older than this. */
function storable(keptMs = Infinity): number {
  return Math.min(keptMs, Number.MAX_SAFE_INTEGER);
}
