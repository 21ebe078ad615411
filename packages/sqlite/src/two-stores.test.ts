import { StatementSync } from 'node:sqlite';
import type { Store } from '@redrive/durable';
import { type LeasedJob, recordsIn } from '@redrive/durable/store';
import { virtualClock } from '@redrive/testkit';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { claimOf, enqueueOf, settleOf } from './testing/commands.ts';
import { openMade } from './testing/open-made.ts';
import { type Scratch, scratch } from './testing/scratch.ts';
import { withoutThreads } from './testing/without-threads.ts';

// Two writers on one file, as two processes have them: what one remembers, the other may have changed.

const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
let place: Scratch;
let ours: Store;
let theirs: Store;

beforeEach(async () => {
  place = scratch();
  const open = () => openMade(place.path, { clock }, { audit: true, start: withoutThreads });
  [ours, theirs] = [await open(), await open()];
});
afterEach(async () => {
  await ours.close();
  await theirs.close();
  place.remove();
});

const actor = { name: 'test' };

async function claimed(store: Store): Promise<LeasedJob> {
  const [{ jobs }] = await store.apply([claimOf(1)]);
  const [job] = jobs;
  if (job === undefined) throw new Error('one job to be claimed');
  return job;
}

describe('what another process does is seen', () => {
  it('by a note that is written once', async () => {
    const once = { key: 'read:a', forMs: 900_000 };
    const note = { kind: 'note', event: 'read', subject: 'list', detail: '{}', once } as const;
    await Promise.all([ours.apply([note]), theirs.apply([note])]);
    await theirs.apply([note]);
    const blocks = await ours.auditBlocks(0, 10);
    expect(blocks.flatMap((block) => recordsIn(block))).toHaveLength(1);
  });

  it('by the end of an attempt: a cancellation', async () => {
    await ours.apply([enqueueOf('a')]);
    const job = await claimed(ours);
    await theirs.apply([{ kind: 'act', act: 'cancel', id: 'a', actor }]);
    await ours.apply([settleOf(job, 'scheduled')]);
    expect(await ours.job('a')).toMatchObject({ state: 'cancelled', revision: 4 });
  });

  it('by the end of an attempt: a rescue', async () => {
    await ours.apply([enqueueOf('a')]);
    const job = await claimed(ours);
    await clock.advance(60_000);
    const [expired] = await theirs.expiredLeases(1);
    if (expired === undefined) throw new Error('an expired lease');
    const rescue = settleOf(expired, 'ready');
    const settlement = { ...rescue.settlement, by: 'expired' } as const;
    expect(await theirs.apply([{ ...rescue, settlement }])).toEqual([{ ok: true }]);
    expect(await ours.apply([settleOf(job)])).toEqual([{ ok: false, refusal: 'stale_token' }]);
  });

  it('by the end of an attempt: its job is gone, and another one has its row number', async () => {
    await ours.apply([enqueueOf('a')]);
    const job = await claimed(ours);
    await clock.advance(60_000);
    const [expired] = await theirs.expiredLeases(1);
    if (expired === undefined) throw new Error('an expired lease');
    const { settlement } = settleOf(expired, 'dead');
    await theirs.apply([{ kind: 'settle', settlement: { ...settlement, by: 'expired' } }]);
    const times = { succeededAfterMs: 0, cancelledAfterMs: 0, deadAfterMs: 0, purgedAfterMs: 0 };
    await theirs.apply([{ kind: 'prune', ...times, limit: 10, actor }, enqueueOf('b')]);
    const other = await claimed(theirs);
    expect([other.id, other.revision]).toEqual(['b', job.revision]);
    expect(await ours.apply([settleOf(job)])).toEqual([{ ok: false, refusal: 'not_found' }]);
    expect(await ours.job('b')).toMatchObject({ state: 'leased', revision: other.revision });
  });

  it('by claims: pauses, new queues, and jobs that are taken', async () => {
    await ours.apply([enqueueOf('a'), claimOf(1)]);
    await theirs.apply([
      enqueueOf('b', { queue: 'new' }),
      enqueueOf('c', { queue: 'paused' }),
      { kind: 'control', of: 'kill', key: 'pause:queue:paused', expect: 0, document: '{}' },
    ]);
    const [{ jobs }] = await ours.apply([claimOf(10)]);
    expect(jobs.map(({ id }) => id)).toEqual(['b']);
    expect((await theirs.apply([claimOf(10)]))[0].jobs).toEqual([]);
  });

  it('by claims: a kill switch, also one that has the revision of a write that failed', async () => {
    await ours.apply([enqueueOf('a')]);
    const kill = { kind: 'control', of: 'kill', key: 'all', expect: 0, document: '{}' } as const;
    const bad = enqueueOf('b', { priority: 'high' as unknown as number });
    await expect(ours.apply([{ ...kill, of: 'gate' }, claimOf(1), bad])).rejects.toThrow();
    expect(await theirs.apply([kill])).toEqual([{ ok: true, revision: 1 }]);
    expect((await ours.apply([claimOf(1)]))[0].jobs).toEqual([]);
    await theirs.apply([{ ...kill, expect: 1, document: undefined }]);
    expect((await ours.apply([claimOf(1)]))[0].jobs.length).toBe(1);
  });

  it('by the audit chain, which goes on where the other one left it', async () => {
    for (const [n, store] of [ours, theirs, theirs, ours, theirs, ours].entries()) {
      await store.apply([enqueueOf(`job-${n}`)]);
    }
    const blocks = await ours.auditBlocks(0, 10);
    expect(blocks.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    for (const [index, { prevHash }] of blocks.entries()) {
      expect(prevHash).toBe(blocks[index - 1]?.hash ?? '');
    }
  });
});

it('after a commit of another process, settlements still read no row', async () => {
  const ids = Array.from({ length: 50 }, (_, n) => `job-${n}`);
  await ours.apply(ids.map((id) => enqueueOf(id)));
  const [{ jobs }] = await ours.apply([claimOf(50)]);
  await theirs.apply([enqueueOf('other')]);
  const get = vi.spyOn(StatementSync.prototype, 'get');
  onTestFinished(() => get.mockRestore());
  await ours.apply(jobs.map((job) => settleOf(job)));
  expect(get.mock.calls.filter(([id]) => ids.includes(String(id)))).toEqual([]);
});

it('an attempt whose commit failed is remembered by nobody', async () => {
  await ours.apply([enqueueOf('a')]);
  const bad = enqueueOf('b', { priority: 'high' as unknown as number });
  await expect(ours.apply([claimOf(1), bad])).rejects.toMatchObject({ code: 'invalid_job' });
  expect(await ours.job('a')).toMatchObject({ state: 'ready', token: 0 });
  const job = await claimed(ours);
  expect(job.token).toBe(1);
  expect(await ours.apply([settleOf(job)])).toEqual([{ ok: true }]);
  const blocks = await ours.auditBlocks(0, 10);
  expect(blocks.map(({ seq }) => seq)).toEqual([1, 2, 3]);
});
