import { ENQUEUE, type Encoded, SETTLE } from './encoded.ts';

/** A command with so much text or so many bytes in it counts for two, with twice as much for three. */
const LARGE = 16 * 1024;

const ACT_PAYLOAD = 7;
const LEDGER_VALUE = 4;

/**
 * How many commands one counts for. Large ones count for more: a commit shall stay short also where payloads are of a
 * megabyte each, because heartbeats wait for it, and what waits for a commit is in memory.
 */
export function sizeOf(command: Encoded): number {
  switch (command[0]) {
    case 'enqueue':
      return 1 + Math.floor(command[ENQUEUE.payload].length / LARGE);
    case 'settle':
      return 1 + Math.floor((command[SETTLE.result]?.length ?? 0) / LARGE);
    case 'act':
      return 1 + Math.floor((command[ACT_PAYLOAD]?.length ?? 0) / LARGE);
    case 'end':
      return 1 + Math.floor((command[LEDGER_VALUE]?.length ?? 0) / LARGE);
    default:
      return 1;
  }
}
