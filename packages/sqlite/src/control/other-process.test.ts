import type { FullStore } from '@redrive/durable';
import type { Change } from '@redrive/durable/store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimOf, enqueueOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { type Scratch, scratch } from '../testing/scratch.ts';

// Two stores on one file, each with threads and connections of its own, as two processes have them.

let place: Scratch;
let ours: FullStore;
let theirs: FullStore;

beforeEach(async () => {
  place = scratch();
  const open = () => openMade(place.path, { timeoutMs: 30_000 });
  [ours, theirs] = await Promise.all([open(), open()]);
});
afterEach(async () => {
  await Promise.all([ours.close(), theirs.close()]);
  place.remove();
});

const kill = { kind: 'control', of: 'kill', key: 'all' } as const;

/** The next time that who watches their store is told of this. */
function told(change: Change): Promise<void> {
  return new Promise((resolve) => {
    const stop = theirs.watch((found) => {
      if (found !== change) return;
      stop();
      resolve();
    });
  });
}

/** Resolves when their writer watches the file: it answers after what it was asked before. */
async function watching(): Promise<void> {
  await theirs.controlRevision();
}

describe('what one process says about control', () => {
  it('is told to those who watch in another one', async () => {
    const acts = [
      () => ours.apply([{ ...kill, expect: 0, document: '{}' }]),
      () => ours.apply([{ ...kill, expect: 1 }]),
    ];
    for (const [index, act] of acts.entries()) {
      const heard = told('control');
      await watching();
      await act();
      await heard;
      expect(await theirs.controlRevision()).toBe(index + 1);
      expect((await theirs.controls()).revision).toBe(index + 1);
    }
  });

  it('is not told of commits that have nothing to do with it', async () => {
    const changes = new Set<Change>();
    const heard = told('ready');
    theirs.watch((change) => changes.add(change));
    await watching();
    await ours.apply([enqueueOf('a')]);
    await heard;
    expect(changes).not.toContain('control');
  });

  it('is obeyed by the claims of another one, at once', async () => {
    await ours.apply([enqueueOf('a'), enqueueOf('b')]);
    expect((await theirs.apply([claimOf(1)]))[0].jobs.length).toBe(1);
    await ours.apply([{ ...kill, expect: 0, document: '{}' }]);
    expect((await theirs.apply([claimOf(1)]))[0].jobs).toEqual([]);
    await ours.apply([{ ...kill, expect: 1 }]);
    expect((await theirs.apply([claimOf(1)]))[0].jobs.length).toBe(1);
  });

  it('is compared over processes: of two who have seen the same, one wins', async () => {
    const writers = [ours, theirs, ours, theirs];
    const answers = await Promise.all(
      writers.map((store, by) =>
        store.apply([{ ...kill, expect: 0, document: JSON.stringify({ by }) }]),
      ),
    );
    expect(answers.filter(([answer]) => answer.ok).length).toBe(1);
  });
});
