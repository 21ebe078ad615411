import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import type { AuditBlock } from './audit-block.ts';
import { BlockFollower } from './block-follower.ts';

/** A log in which blocks turn up in any order. */
function logOf() {
  const blocks = new Map<number, AuditBlock>();
  let asked = 0;
  return {
    get asked() {
      return asked;
    },
    add(...seqs: number[]) {
      for (const seq of seqs) this.addAt(seq, 0);
    },
    addAt(seq: number, atMs: number) {
      blocks.set(seq, { seq, writer: 'w', atMs, prevHash: '', hash: '', body: '[]' });
    },
    async auditBlocks(after: number, limit: number) {
      asked += 1;
      const found = [...blocks.values()].filter(({ seq }) => seq > after);
      return found.sort((a, b) => a.seq - b.seq).slice(0, limit);
    },
  };
}

async function seqsOf(follower: BlockFollower, read: 'next' | 'late' = 'next'): Promise<number[]> {
  const seqs: number[] = [];
  for await (const page of follower[read]()) seqs.push(...page.map(({ seq }) => seq));
  return seqs;
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

test('a block that is committed behind thousands of others is read once', async () => {
  const log = logOf();
  const follower = new BlockFollower(log, 10, virtualClock());
  log.add(11, ...numbers(13, 2_500));
  expect(await seqsOf(follower)).toEqual([11, ...numbers(13, 2_500)]);
  log.add(12, 2_501);
  expect(await seqsOf(follower)).toEqual([12, 2_501]);
  expect(await seqsOf(follower)).toEqual([]);
});

test('numbers that nobody uses are looked for a few pages at a time, and not for ever', async () => {
  const log = logOf();
  const clock = virtualClock();
  const follower = new BlockFollower(log, 0, clock);
  log.add(...numbers(1, 5_000).map((at) => at * 2));
  await seqsOf(follower);
  log.add(9_001);
  const found: number[] = [];
  for (let call = 0; call < 6; call += 1) {
    const before = log.asked;
    found.push(...(await seqsOf(follower)));
    expect(log.asked - before).toBeLessThanOrEqual(11);
  }
  expect(found).toEqual([9_001]);
  await clock.advance(600_000);
  log.add(9_003);
  const before = log.asked;
  expect(await seqsOf(follower)).toEqual([]);
  expect(log.asked - before).toBe(1);
});

test('one look finds every late block of a long log, and looks only where one can still come', async () => {
  const log = logOf();
  const follower = new BlockFollower(log, 0, virtualClock());
  // A day of Postgres: a block every ten seconds, and a transaction beside it that wrote nothing.
  for (const n of numbers(1, 8_640)) log.addAt(n * 2, n * 10_000);
  await seqsOf(follower);
  const before = log.asked;
  log.addAt(17_201, 86_000_000);
  log.addAt(17_275, 86_370_000);
  expect(await seqsOf(follower, 'late')).toEqual([17_201, 17_275]);
  expect(log.asked - before).toBe(1);
});

test('one look goes through all pages', async () => {
  const log = logOf();
  const follower = new BlockFollower(log, 0, virtualClock());
  log.add(...numbers(1, 5_000).map((at) => at * 2));
  await seqsOf(follower);
  log.add(9_001);
  expect(await seqsOf(follower, 'late')).toEqual([9_001]);
});

test('a store that always has one block more does not keep it reading', async () => {
  const log = logOf();
  let next = 1;
  const busy = {
    auditBlocks(after: number, limit: number) {
      if (next > 20) throw new Error('it does not end');
      log.add(next++);
      return log.auditBlocks(after, limit);
    },
  };
  expect(await seqsOf(new BlockFollower(busy, 0, virtualClock()))).toEqual([1]);
});
