import type { Command } from '@redrive/durable/store';

/** Whether a command may have to wait for a transaction of somebody else. */
export function mayWaitForOthers(command: Command): boolean {
  switch (command.kind) {
    case 'enqueue':
      return command.job.uniqueKey !== undefined;
    // A job may be locked: by an enqueueing in a caller's transaction that replaces it.
    case 'act':
    case 'control':
    case 'pause':
    case 'resume':
      return true;
    default:
      return false;
  }
}
