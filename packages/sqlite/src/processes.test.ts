import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Store } from '@redrive/durable';
import { blockHash, LEAF_WRITER, recordsIn } from '@redrive/durable/store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enqueueOf } from './testing/commands.ts';
import { openMade } from './testing/open-made.ts';
import { type Scratch, scratch } from './testing/scratch.ts';

let place: Scratch;
let children: OtherProcess[] = [];

beforeEach(() => {
  place = scratch();
});
afterEach(async () => {
  await Promise.all(children.map((child) => child.kill()));
  children = [];
  place.remove();
});

/** A process of `testing/other-process.ts`, and what it has told. */
class OtherProcess {
  readonly acknowledged = new Set<string>();
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  #waiting: { readonly count: number; readonly resolve: () => void } | undefined;

  constructor(name: string, role: 'enqueue' | 'work') {
    const file = join(import.meta.dirname, 'testing/other-process.ts');
    this.#child = fork(file, [place.path, name, role], { stdio: 'inherit', execArgv: [] });
    this.#exited = once(this.#child, 'exit');
    this.#child.on('message', ({ ids }: { ids: string[] }) => {
      for (const id of ids) this.acknowledged.add(id);
      if (this.acknowledged.size >= (this.#waiting?.count ?? Infinity)) this.#waiting?.resolve();
    });
    children.push(this);
  }

  /** Resolves when so many jobs were acknowledged. */
  async acknowledges(count: number): Promise<void> {
    if (this.acknowledged.size >= count) return;
    await new Promise<void>((resolve) => {
      this.#waiting = { count, resolve };
    });
  }

  async stop(): Promise<void> {
    this.#child.send('stop');
    await this.#exited;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }
}

async function allIds(store: Store): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | undefined, more = true; more; ) {
    const page = await store.jobs({}, { limit: 1_000, after });
    ids.push(...page.jobs.map(({ id }) => id));
    after = page.next;
    more = after !== undefined;
  }
  return ids;
}

/** One chain, whoever wrote, and every record of every job in its place. */
async function checkAudit(store: Store): Promise<number> {
  let prevHash = '';
  let records = 0;
  const revisions = new Map<string, number>();
  for (let after = 0; ; ) {
    const blocks = await store.auditBlocks(after, 1_000);
    if (blocks.length === 0) return records;
    for (const block of blocks) {
      after = block.seq;
      if (block.writer !== LEAF_WRITER) {
        expect(block.prevHash).toBe(prevHash);
        prevHash = block.hash;
      }
      expect(block.hash).toBe(blockHash(block.prevHash, block.body));
      for (const { id, revision } of recordsIn(block)) {
        expect(revision).toBe((revisions.get(id) ?? 0) + 1);
        revisions.set(id, revision);
        records += 1;
      }
    }
  }
}

function integrity(): unknown {
  const db = new DatabaseSync(place.path);
  const answer = db.prepare('PRAGMA integrity_check').all();
  db.close();
  return answer;
}

describe('several processes on one file', () => {
  it('write side by side: nothing is lost, done twice or chained wrongly', async () => {
    const enqueuers = [new OtherProcess('a', 'enqueue'), new OtherProcess('b', 'enqueue')];
    const workers = [new OtherProcess('w1', 'work'), new OtherProcess('w2', 'work')];
    await Promise.all(enqueuers.map((child) => child.acknowledges(150)));
    // While there is still more to do: one worker might be done with all before the other one has begun.
    await Promise.all(workers.map((child) => child.acknowledges(20)));
    await Promise.all([...enqueuers, ...workers].map((child) => child.stop()));
    const store = await openMade(place.path, { timeoutMs: 30_000 });
    const ids = new Set(await allIds(store));
    for (const { acknowledged } of enqueuers) {
      for (const id of acknowledged) expect(ids).toContain(id);
    }
    const [done1 = new Set(), done2 = new Set()] = workers.map(({ acknowledged }) => acknowledged);
    expect([...done1].filter((id) => done2.has(id))).toEqual([]);
    const { groups } = await store.counts();
    const succeeded = groups.find(({ state }) => state === 'succeeded')?.count;
    expect(succeeded).toBe(done1.size + done2.size);
    expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(ids.size);
    expect(await checkAudit(store)).toBeGreaterThan(ids.size);
    await store.close();
  }, 60_000);

  it('tell each other: who watches hears of what others commit', async () => {
    const store = await openMade(place.path, { timeoutMs: 30_000 });
    const other = await openMade(place.path, { timeoutMs: 30_000 });
    const told = new Promise<string>((resolve) => {
      store.watch(resolve);
    });
    // The watch begins a moment later, so more than one may be needed.
    for (let n = 0; ; n += 1) {
      await other.apply([enqueueOf(`job-${n}`)]);
      if ((await Promise.race([told, other.counts()])) === 'ready') break;
      expect(n).toBeLessThan(1_000);
    }
    await store.close();
    await other.close();
  });
});

it('a process that is killed while it commits loses nothing that it has acknowledged', async () => {
  const acknowledged: string[] = [];
  for (const round of [1, 2, 3, 4, 5]) {
    const child = new OtherProcess(`r${round}`, 'enqueue');
    await child.acknowledges(40 * round);
    await child.kill();
    acknowledged.push(...child.acknowledged);
    expect(integrity()).toEqual([{ integrity_check: 'ok' }]);
  }
  const store = await openMade(place.path, { timeoutMs: 30_000 });
  const ids = new Set(await allIds(store));
  for (const id of acknowledged) expect(ids).toContain(id);
  expect(await checkAudit(store)).toBe(ids.size);
  await store.close();
}, 60_000);
