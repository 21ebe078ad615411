import { RedriveError } from '@redrive/core';
import type { AuditBlock } from '@redrive/durable/store';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, test } from 'vitest';
import { deadLetters } from '../testing/dead-letters.ts';
import { START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';

const dead = (count: number) => deadLetters(virtualClock(START), count);

const unknownIds = (count: number) => Array.from({ length: count }, (_, n) => `none-${n}`);

describe('by id', () => {
  test('the last of many ids is looked at, too, before anything is thrown away', async () => {
    const { run, jobs, work, store } = await dead(0);
    const { id } = await jobs.enqueue('mail', {});
    await work(1_000);
    const { exitCode, stderr } = await run(`purge ${unknownIds(1_000).join(' ')} ${id}`);
    expect(exitCode).toBe(7);
    expect(stderr).toContain(`${id} is not a dead letter: its state is succeeded.`);
    expect((await store.job(id))?.state).toBe('succeeded');
  });

  test.each(['--limit 1', '--confirm 1'])('%s is refused, not ignored', async (option) => {
    const { run, ids, states } = await dead(1);
    const { exitCode, stderr } = await run(`purge ${ids[0]} ${option}`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`${option.split(' ')[0]} needs a filter`);
    expect(await states()).toEqual(['dead']);
  });

  test('--yes is no harm', async () => {
    const { run, ids } = await dead(1);
    expect((await run(`purge ${ids[0]} --yes`)).exitCode).toBe(0);
  });
});

test('what goes on with an operation takes neither --limit nor --confirm', async () => {
  const { run } = await dead(1);
  await run('purge --handler import --yes --operation gone');
  for (const args of ['purge --operation gone --limit 1', 'restore --purge gone --confirm 1']) {
    expect((await run(args)).exitCode, args).toBe(2);
  }
});

test('--all is all that there are, a filter finds 1,000 unless --limit says otherwise', async () => {
  const { json, jobs, work, clock } = await dead(0);
  await jobs.enqueueMany('import', [...Array(1_001).keys()]);
  await work(60_000);
  await clock.advance(10);
  const numbers = async (args: string) => {
    const { done, more } = await json(`purge ${args} --dry-run`);
    return [done, more];
  };
  expect(await numbers('--all')).toEqual([1_001, false]);
  expect(await numbers('--all --handler import')).toEqual([1_001, false]);
  expect(await numbers('--handler import')).toEqual([1_000, true]);
  expect(await numbers('--all --limit 2')).toEqual([2, true]);
  expect(await json('purge --all --confirm=1001')).toMatchObject({ done: 1_001, finished: true });
});

test('a number that counting has stopped at cannot be confirmed', async () => {
  const { store, clock, ids } = await dead(1);
  const [letter] = (await store.deadLetters({}, { limit: 1 })).jobs;
  let letters = 0;
  // A page has no end, and everything in it could be acted on.
  const endless = {
    ...store,
    deadLetters: async (_: unknown, { limit }: { readonly limit: number }) => ({
      jobs: Array.from({ length: limit }, () => ({ ...letter, id: `letter-${letters++}` })),
      next: 'more',
    }),
    actSubjects: async (all: readonly string[]) =>
      all.map((id) => ({ id, state: 'dead', generation: 1 })),
    stepOperation: async () => Promise.reject(new Error('It was done')),
  } as unknown as typeof store; // Only what a plan asks for is there.
  const run = (...args: string[]) =>
    runMain(['dlq', 'purge', ...args], { store: endless, clock, env: { COLUMNS: '400' } });
  const { exitCode, stderr } = await run('--all', '--confirm=10000');
  expect(exitCode).toBe(4);
  expect(stderr).toContain('the filter matches more than 10,000 dead letters, not 10000');
  expect(stderr).toContain('Add --yes to go ahead with any number, or --limit with at most 10000');
  expect((await run('--all', '--limit', '20', '--confirm=19')).stderr).toContain('--confirm=20');
  expect((await store.job(ids[0] ?? ''))?.state).toBe('dead');
});

test('a purge of more than 10,000 can be undone as a whole', async () => {
  const { run, json, store, ids } = await dead(1);
  await run('purge --all --yes --operation gone');
  const others = unknownIds(10_001);
  const withOthers = (block: AuditBlock): AuditBlock => {
    const records: unknown[][] = JSON.parse(block.body);
    const own = records.find(([, , event]) => event === 'purge');
    if (own === undefined) return block;
    const more = others.map((id) => [id, ...own.slice(1)]);
    return { ...block, body: JSON.stringify([...records, ...more]) };
  };
  const large = {
    ...store,
    auditBlocks: async (after: number, limit: number) =>
      (await store.auditBlocks(after, limit)).map(withOthers),
  };
  expect(await json('restore --purge gone', { store: large })).toMatchObject({
    exitCode: 5,
    done: 1,
    refused: 10_001,
    finished: true,
  });
  expect((await store.job(ids[0] ?? ''))?.state).toBe('dead');
  const detached = await run('restore --purge gone --detach', { store: large });
  expect(detached.exitCode).toBe(2);
  expect(detached.stderr).toContain('workers can carry out at most 1000 ids');
});

describe('an act that fails in the middle', () => {
  const away = async () => {
    throw new RedriveError('store_unavailable', 'The store is away', { store: 'test' });
  };

  test.each(['', '--detach'])('names its operation in JSON as well %s', async (option) => {
    const { store, run } = await dead(1);
    const broken = {
      ...store,
      stepOperation: away,
      controls: option === '' ? store.controls : away,
    };
    const args = `purge --all --yes --operation op-1 --json ${option}`.trim();
    const { exitCode, stderr } = await run(args, { store: broken });
    expect(exitCode).toBe(8);
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: 'unreachable',
        message: 'The store is away',
        hint: 'If it has started, continue it with: redrive dlq purge --operation op-1',
      },
    });
  });

  test('but not where the id stands for another act', async () => {
    const { run, ids } = await dead(2);
    await run(`requeue ${ids[0]} --operation op-1`);
    const { exitCode, stderr } = await run(`requeue ${ids[1]} --operation op-1 --json`);
    expect(exitCode).toBe(7);
    expect(JSON.parse(stderr).error.hint).toBeNull();
  });
});
