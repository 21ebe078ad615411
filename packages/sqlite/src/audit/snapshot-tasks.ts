import type { DatabaseSync } from 'node:sqlite';
import { RedriveError } from '@redrive/core';
import { Snapshot } from './snapshot.ts';

/** Each snapshot has its own connection, and keeps the write-ahead log from being emptied. */
const MAX_OPEN = 20;

interface Of {
  readonly snapshot: number;
}

interface PageOf<After> extends Of {
  readonly after: After;
  readonly limit: number;
}

/** The tasks of the reading thread about snapshots. `open` makes a new connection. */
export function snapshotTasks(open: () => DatabaseSync) {
  const snapshots = new Map<number, Snapshot>();
  let last = 0;

  function find({ snapshot }: Of): Snapshot {
    const found = snapshots.get(snapshot);
    if (found !== undefined) return found;
    throw new RedriveError(
      'store_unavailable',
      'This reader of the audit log is closed. A reader is closed after a minute without a read.',
    );
  }

  function end({ snapshot }: Of): void {
    snapshots.get(snapshot)?.close();
    snapshots.delete(snapshot);
  }

  return {
    tasks: {
      beginSnapshot: (): number => {
        if (snapshots.size >= MAX_OPEN) {
          throw new RedriveError(
            'store_unavailable',
            `${MAX_OPEN} readers of the audit log are open, which is the limit: close readers that are no longer needed.`,
            { open: MAX_OPEN },
          );
        }
        last += 1;
        snapshots.set(last, new Snapshot(open()));
        return last;
      },
      snapshotAnchors: (page: PageOf<number | undefined>) =>
        find(page).anchors(page.after, page.limit),
      snapshotHead: (of: Of) => find(of).head(),
      snapshotPacks: (page: PageOf<number | undefined>) => find(page).packs(page.after, page.limit),
      snapshotBlocks: (page: PageOf<string>) => find(page).blocks(page.after, page.limit),
      snapshotBlock: (of: Of & { readonly seq: number }) => find(of).block(of.seq),
      snapshotLookups: (page: PageOf<string>) => find(page).lookups(page.after, page.limit),
      snapshotPolicy: (of: Of & { readonly hash: string }) => find(of).policy(of.hash),
      endSnapshot: end,
    },
    endAll(): void {
      for (const snapshot of [...snapshots.keys()]) end({ snapshot });
    },
  };
}
