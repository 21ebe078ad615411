import type { AuditBlock } from './audit-block.ts';
import { recordsIn } from './read-body.ts';

/** How a dead letter leaves: it is sent back, purged, or deleted when its time is over, with or without an archive. */
export type RemovalAct = 'requeue' | 'purge' | 'retention' | 'archive';

/** Dead letters that left, by act. An absent act had none. */
export type RemovedLetters = Readonly<Partial<Record<RemovalAct, number>>>;

/** In the body of every block with a record whose job was dead before: a seal reads these bodies alone. */
export const LEFT_DEAD = '"dead","';

/** The reason that deletions behind an archive have in the audit log. */
export const ARCHIVED = 'archived';

/** Counts the dead letters that left with the records of blocks. `undefined`: none did. */
export function removedLetters(
  blocks: Iterable<Pick<AuditBlock, 'body'>>,
): RemovedLetters | undefined {
  const removed: Partial<Record<RemovalAct, number>> = {};
  for (const block of blocks) {
    if (!block.body.includes(LEFT_DEAD)) continue;
    for (const {
      event,
      from,
      to,
      detail: { why },
    } of recordsIn(block)) {
      if (from !== 'dead' || to === 'dead') continue;
      const deleted = why === ARCHIVED ? 'archive' : 'retention';
      const act = event === 'requeue' || event === 'purge' ? event : deleted;
      removed[act] = (removed[act] ?? 0) + 1;
    }
  }
  return Object.keys(removed).length === 0 ? undefined : removed;
}
