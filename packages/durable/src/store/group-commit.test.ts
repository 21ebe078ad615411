import { isRedriveError } from '@redrive/core';
import { expectNoTimers, settle, virtualClock } from '@redrive/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GroupCommitOptions, groupCommit } from './group-commit.ts';

interface Commit {
  readonly commands: readonly number[];
  succeed(): void;
  fail(error: unknown): void;
}

/** A store whose commits end when the test says so. A command's result is its text. */
function slowStore(options: Partial<GroupCommitOptions<number, string>> = {}) {
  const commits: Commit[] = [];
  const group = groupCommit<number, string>({
    commit: (commands) =>
      new Promise((resolve, reject) => {
        commits.push({ commands, succeed: () => resolve(commands.map(String)), fail: reject });
      }),
    maxCommands: 100,
    inFlight: 1,
    ...options,
  });
  const end = async (index: number, how: 'succeed' | { fail: unknown } = 'succeed') => {
    if (how === 'succeed') commits[index]?.succeed();
    else commits[index]?.fail(how.fail);
    await settle();
  };
  return { group, commits, end, groups: () => commits.map(({ commands }) => commands) };
}

/** What became of a promise, without waiting for it. */
function watched<T>(promise: Promise<T>) {
  const seen: { value?: T; error?: unknown } = {};
  promise.then(
    (value) => {
      seen.value = value;
    },
    (error: unknown) => {
      seen.error = error;
    },
  );
  return seen;
}

describe('what goes into a commit', () => {
  it('is everything that was brought in the same turn, in order, each caller getting its own results', async () => {
    const { group, groups, end } = slowStore();
    const first = group.apply([1, 2]);
    const second = Promise.resolve().then(() => group.apply([3]));
    await settle();
    expect(groups()).toEqual([[1, 2, 3]]);
    await end(0);
    expect(await first).toEqual(['1', '2']);
    expect(await second).toEqual(['3']);
  });

  it('is what arrived while the commit before was under way', async () => {
    const { group, groups, end } = slowStore();
    const all = [group.apply([1])];
    await settle();
    all.push(group.apply([2]));
    await settle();
    all.push(group.apply([3]));
    await settle();
    expect(groups()).toEqual([[1]]);
    expect(group.queued).toBe(2);
    await end(0);
    expect(groups()).toEqual([[1], [2, 3]]);
    await end(1);
    expect(await Promise.all(all)).toEqual([['1'], ['2'], ['3']]);
  });

  it('is all callers who come back as soon as they are answered, however many promises stand between', async () => {
    const { group, groups, end } = slowStore();
    const hop = async <T>(promise: Promise<T>): Promise<T> => await promise;
    const loops = [1, 2, 3].map(async (caller) => {
      await hop(hop(hop(group.apply([caller]))));
      if (caller > 1) await null;
      await group.apply([caller + 10]);
    });
    await settle();
    await end(0);
    expect(groups()).toEqual([
      [1, 2, 3],
      [11, 12, 13],
    ]);
    await end(1);
    await Promise.all(loops);
  });

  it('is bounded, but what one caller brings stays together', async () => {
    const { group, groups, end } = slowStore({ maxCommands: 3 });
    const all = [[1, 2], [3, 4], [5], [6, 7, 8, 9], [10]].map((part) => group.apply(part));
    await settle();
    for (let index = 0; index < 4; index += 1) await end(index);
    await Promise.all(all);
    expect(groups()).toEqual([[1, 2], [3, 4, 5], [6, 7, 8, 9], [10]]);
  });

  it('is bounded by what commands count for, where one stands for many', async () => {
    const { group, groups, end } = slowStore({ maxCommands: 10, sizeOf: (command) => command });
    const all = [4, 5, 3, 20, 1].map((command) => group.apply([command]));
    expect(group.queued).toBe(33);
    await settle();
    for (let index = 0; index < 4; index += 1) await end(index);
    await Promise.all(all);
    expect(groups()).toEqual([[4, 5], [3], [20], [1]]);
  });

  it('is nothing for an empty list', async () => {
    const { group, groups } = slowStore();
    expect(await group.apply([])).toEqual([]);
    expect(groups()).toEqual([]);
  });
});

it('begins a commit beside another one only when enough waits for it', async () => {
  const { group, groups, end } = slowStore({ inFlight: 2, overlapFrom: 3 });
  const all = [group.apply([1])];
  await settle();
  all.push(group.apply([2]), group.apply([3]));
  await settle();
  expect(groups()).toEqual([[1]]);
  all.push(group.apply([4]));
  await settle();
  expect(groups()).toEqual([[1], [2, 3, 4]]);
  all.push(group.apply([5]));
  await end(0);
  expect(groups()).toHaveLength(2);
  await end(1);
  expect(groups()).toEqual([[1], [2, 3, 4], [5]]);
  await end(2);
  await Promise.all(all);
});

it('has as many commits under way as allowed', async () => {
  const { group, groups, end } = slowStore({ inFlight: 2, maxCommands: 1 });
  const all = [1, 2, 3, 4].map((command) => group.apply([command]));
  await settle();
  expect(groups()).toEqual([[1], [2]]);
  await end(1);
  expect(groups()).toEqual([[1], [2], [3]]);
  await end(0);
  await end(2);
  await end(3);
  expect(await Promise.all(all)).toEqual([['1'], ['2'], ['3'], ['4']]);
});

describe('when a commit fails', () => {
  it('rejects everybody with store_unavailable, and goes on with what waits', async () => {
    const { group, end } = slowStore();
    const broken = new Error('disk I/O error');
    const [first, second] = [watched(group.apply([1])), watched(group.apply([2]))];
    await settle();
    const third = group.apply([3]);
    await end(0, { fail: broken });
    for (const { error } of [first, second]) {
      expect(error).toMatchObject({ code: 'store_unavailable', cause: broken });
      expect(String(error)).toContain('disk I/O error');
    }
    await end(1);
    expect(await third).toEqual(['3']);
  });

  it('tries each caller by itself where one of them brought what cannot be stored', async () => {
    const bad = new Error('malformed');
    const tried: (readonly number[])[] = [];
    const group = groupCommit<number, string>({
      commit: async (commands) => {
        tried.push(commands);
        if (commands.includes(13)) throw bad;
        return commands.map(String);
      },
      maxCommands: 100,
      inFlight: 1,
      isCallersFault: (error) => error === bad,
    });
    const seen = [[1, 2], [13], [3]].map((part) => watched(group.apply(part)));
    await settle();
    expect(seen).toEqual([{ value: ['1', '2'] }, { error: bad }, { value: ['3'] }]);
    expect(tried).toEqual([[1, 2, 13, 3], [1, 2], [13], [3]]);
  });

  it('does not try again what may have been written', async () => {
    const { group, groups, end } = slowStore({ isCallersFault: () => false });
    const seen = [watched(group.apply([1])), watched(group.apply([2]))];
    await settle();
    await end(0, { fail: undefined });
    expect(seen.map(({ error }) => isRedriveError(error, 'store_unavailable'))).toEqual([
      true,
      true,
    ]);
    expect(groups()).toHaveLength(1);
  });

  it('takes a wrong number of results for a failure', async () => {
    const { group } = slowStore({ commit: async () => ['1'] });
    await expect(group.apply([1, 2])).rejects.toThrow('2 commands with 1 results');
  });
});

it('refuses more than may wait, and takes more again when there is room', async () => {
  const { group, end } = slowStore({ maxQueued: 2 });
  const taken = [group.apply([1])];
  await settle();
  taken.push(group.apply([2]), group.apply([3]));
  await expect(group.apply([4])).rejects.toMatchObject({
    code: 'store_unavailable',
    details: { queued: 2, limit: 2 },
  });
  await end(0);
  const later = group.apply([5]);
  await end(1);
  await end(2);
  expect(await Promise.all([...taken, later])).toEqual([['1'], ['2'], ['3'], ['5']]);
});

it('takes what is more than may wait when nothing waits: else it could never be stored', async () => {
  const { group, end } = slowStore({ maxQueued: 2 });
  const big = group.apply([1, 2, 3]);
  await settle();
  await end(0);
  expect(await big).toEqual(['1', '2', '3']);
});

describe('drain', () => {
  it('settles what was taken and refuses what comes after', async () => {
    const { group, end } = slowStore({ maxCommands: 1 });
    const taken = [group.apply([1]), group.apply([2])];
    const drained = watched(group.drain().then(() => 'drained'));
    await expect(group.apply([3])).rejects.toMatchObject({ code: 'store_unavailable' });
    await settle();
    await end(0);
    expect(drained).toEqual({});
    await end(1);
    expect(drained).toEqual({ value: 'drained' });
    expect(await Promise.all(taken)).toEqual([['1'], ['2']]);
  });

  it('resolves at once where nothing waits, and may be called twice', async () => {
    const { group } = slowStore();
    await Promise.all([group.drain(), group.drain()]);
  });
});

describe('a caller that is not answered in time', () => {
  it('is refused, and what had not gone into a commit never does', async () => {
    const clock = virtualClock();
    const { group, groups, end } = slowStore({ timeoutMs: 100, clock });
    const first = watched(group.apply([1]));
    await settle();
    const second = watched(group.apply([2]));
    await clock.advance(50);
    const third = watched(group.apply([3]));
    await clock.advance(50);
    expect(first.error).toMatchObject({ code: 'store_unavailable', details: { timeoutMs: 100 } });
    expect(String(first.error)).toContain('not known');
    expect(String(second.error)).toContain('nothing was done');
    expect(third).toEqual({});
    expect(group.queued).toBe(1);
    await end(0);
    expect(groups()).toEqual([[1], [3]]);
    await end(1);
    expect(third).toEqual({ value: ['3'] });
    await group.drain();
    expectNoTimers(clock);
  });

  it('does not keep a drain waiting when it was the last one', async () => {
    const clock = virtualClock();
    const { group, end } = slowStore({ timeoutMs: 100, maxCommands: 1, clock });
    const seen = [watched(group.apply([1])), watched(group.apply([2]))];
    await settle();
    const drained = watched(group.drain().then(() => 'drained'));
    await clock.advance(100);
    expect(drained).toEqual({});
    await end(0);
    expect(drained).toEqual({ value: 'drained' });
    expect(seen.map(({ error }) => isRedriveError(error, 'store_unavailable'))).toEqual([
      true,
      true,
    ]);
  });
});

it('loses, repeats and reorders nothing, whatever arrives and fails', async () => {
  const part = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 4 });
  const turn = fc.array(part, { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(turn, { maxLength: 6 }),
      fc.integer({ min: 1, max: 5 }),
      async (turns, maxCommands) => {
        // 0 is what cannot be stored. Every command has a place of its own, so that order can be seen.
        const bad = new Error('bad');
        const stored: string[] = [];
        const group = groupCommit<string, string>({
          commit: async (commands) => {
            await null;
            if (commands.some((command) => command.startsWith('0'))) throw bad;
            stored.push(...commands);
            return commands;
          },
          maxCommands,
          inFlight: 1,
          isCallersFault: (error) => error === bad,
        });
        const calls: { part: readonly string[]; answer: Promise<readonly string[] | undefined> }[] =
          [];
        for (const [t, parts] of turns.entries()) {
          for (const [p, kinds] of parts.entries()) {
            const named = kinds.map((kind, index) => `${kind}/${t}.${p}.${index}`);
            calls.push({ part: named, answer: group.apply(named).catch(() => undefined) });
          }
          await null;
        }
        await group.drain();
        const kept: string[] = [];
        for (const { part: named, answer } of calls) {
          const storable = !named.some((command) => command.startsWith('0'));
          expect(await answer).toEqual(storable ? named : undefined);
          if (storable) kept.push(...named);
        }
        expect(stored).toEqual(kept);
        expect(group.queued).toBe(0);
      },
    ),
  );
});
