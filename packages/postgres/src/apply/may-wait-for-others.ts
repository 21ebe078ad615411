import type { Command } from '@redrive/durable/store';

/** Whether a command may have to wait for a transaction of somebody else, or take long because of one. */
export function mayWaitForOthers(command: Command): boolean {
  switch (command.kind) {
    case 'enqueue':
      return command.job.uniqueKey !== undefined;
    // Of notes that are written once, one waits until it is known whether another one was.
    case 'note':
      return command.once !== undefined;
    // A job may be locked: by an enqueueing in a caller's transaction that replaces it.
    case 'act':
    case 'control':
    case 'pause':
    case 'resume':
    // While somebody reads in an old transaction, what was deleted since is in its way, batch after batch.
    case 'prune':
      return true;
    default:
      return false;
  }
}
