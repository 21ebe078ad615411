import type { Command } from '@redrive/durable/store';

/** Whether a command may have to wait for another transaction, or takes long because of one. */
export function mayWaitForOthers(command: Command): boolean {
  switch (command.kind) {
    case 'enqueue':
      return command.job.uniqueKey !== undefined;
    // A note that is written once per key waits for a transaction that is writing the same key.
    case 'note':
      return command.once !== undefined;
    // An enqueue in a caller's transaction may have locked the job to replace it.
    case 'act':
    case 'control':
    // While an old transaction is open, each batch must scan the rows that were deleted before it.
    case 'prune':
      return true;
    default:
      return false;
  }
}
