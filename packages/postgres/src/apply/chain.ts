import { type Clock, newId } from '@redrive/core';

/**
 * The chain of audit blocks that one connection writes. Its head is kept here and not in the database, so that no commit
 * waits for another one's. After a commit whose end is not known the head is not known either: a new connection begins a
 * new chain.
 */
export interface Chain {
  /** Absent: no audit. For benchmarks only. */
  readonly writer: string | undefined;
  head: string;
}

export function newChain(audit: boolean, clock: Clock): Chain {
  return { writer: audit ? newId('writer', clock) : undefined, head: '' };
}
