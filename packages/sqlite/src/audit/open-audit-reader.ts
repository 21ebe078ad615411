import type { Clock, Timer } from '@redrive/core';
import type { AuditReader } from '@redrive/durable/audit';
import type { FoundPolicy } from '../reader/reader.ts';
import type { Caller } from '../thread/protocol.ts';
import { decodePolicy } from '../writer/policy-table.ts';

/** An unused reader is closed after this time: while it is open, the write-ahead log only grows. */
export const MAX_IDLE_MS = 60_000;

/** Begins a snapshot on the reading thread. */
export async function openAuditReader(thread: Caller, clock: Clock): Promise<AuditReader> {
  const snapshot = await thread.call<number>('beginSnapshot');
  let timer: Timer | undefined;
  let closing: Promise<void> | undefined;

  function waitForCalls(): void {
    timer?.cancel();
    if (closing !== undefined) return;
    timer = clock.setTimer(MAX_IDLE_MS, () => void close());
    timer.hold(false);
  }

  async function call<T>(name: string, input: object = {}): Promise<T> {
    timer?.cancel();
    try {
      return await thread.call<T>(name, { snapshot, ...input });
    } finally {
      waitForCalls();
    }
  }

  function close(): Promise<void> {
    // When the thread has ended, the snapshot has ended with it.
    closing ??= thread.call<void>('endSnapshot', { snapshot }).catch(() => {});
    timer?.cancel();
    return closing;
  }

  waitForCalls();
  return {
    anchors: (after, limit) => call('snapshotAnchors', { after, limit }),
    head: () => call('snapshotHead'),
    packs: (after, limit) => call('snapshotPacks', { after, limit }),
    blocks: (after, limit) => call('snapshotBlocks', { after, limit }),
    block: (seq) => call('snapshotBlock', { seq }),
    lookups: (after, limit) => call('snapshotLookups', { after, limit }),
    async policy(hash) {
      const found = await call<FoundPolicy | undefined>('snapshotPolicy', { hash });
      return found && decodePolicy(hash, found);
    },
    close,
  };
}
