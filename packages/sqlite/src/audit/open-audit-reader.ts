import type { Clock, Timer } from '@redrive/core';
import type { AuditReader } from '@redrive/durable/audit';
import type { Reads } from '../reader/reader-tasks.ts';
import type { Calls } from '../thread/protocol.ts';
import { decodePolicy } from '../writer/policy-table.ts';

/** An unused reader is closed after this time: while it is open, the write-ahead log only grows. */
export const MAX_IDLE_MS = 60_000;

/** Begins a snapshot on the reading thread. */
export async function openAuditReader(thread: Calls<Reads>, clock: Clock): Promise<AuditReader> {
  const snapshot = await thread.call('beginSnapshot');
  let timer: Timer | undefined;
  let closing: Promise<void> | undefined;

  function waitForCalls(): void {
    timer?.cancel();
    if (closing !== undefined) return;
    timer = clock.setTimer(MAX_IDLE_MS, () => void close());
    timer.hold(false);
  }

  async function reading<T>(read: () => Promise<T>): Promise<T> {
    timer?.cancel();
    try {
      return await read();
    } finally {
      waitForCalls();
    }
  }

  function close(): Promise<void> {
    // When the thread has ended, the snapshot has ended with it.
    closing ??= thread.call('endSnapshot', { snapshot }).catch(() => {});
    timer?.cancel();
    return closing;
  }

  waitForCalls();
  return {
    anchors: (after, limit) =>
      reading(() => thread.call('snapshotAnchors', { snapshot, after, limit })),
    head: () => reading(() => thread.call('snapshotHead', { snapshot })),
    packs: (after, limit) =>
      reading(() => thread.call('snapshotPacks', { snapshot, after, limit })),
    blocks: (after, limit) =>
      reading(() => thread.call('snapshotBlocks', { snapshot, after, limit })),
    block: (seq) => reading(() => thread.call('snapshotBlock', { snapshot, seq })),
    lookups: (after, limit) =>
      reading(() => thread.call('snapshotLookups', { snapshot, after, limit })),
    async policy(hash) {
      const found = await reading(() => thread.call('snapshotPolicy', { snapshot, hash }));
      return found && decodePolicy(hash, found);
    },
    close,
  };
}
