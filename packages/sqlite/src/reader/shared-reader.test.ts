import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStoreWith } from '../open-store.ts';
import { claimOf, enqueueOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { type Scratch, scratch } from '../testing/scratch.ts';
import { withoutThreads } from '../testing/without-threads.ts';

let place: Scratch;
beforeEach(async () => {
  place = scratch();
  const made = await openMade(place.path);
  await made.apply([enqueueOf('a')]);
  await made.close();
});
afterEach(() => {
  place.remove();
});

/** A store that notes the calls that would start a thread, by its main file. */
async function openNoting() {
  const calls: string[] = [];
  const store = await openStoreWith(
    place.path,
    {},
    {
      audit: true,
      start(options) {
        const caller = withoutThreads(options);
        return {
          call(name, input) {
            calls.push(`${options.main.toString().replace(/\/.*/, '')} ${name}`);
            return caller.call(name, input);
          },
          close: () => caller.close(),
        };
      },
    },
  );
  return { store, calls, threads: () => [...new Set(calls.map((call) => call.split(' ')[0]))] };
}

it('reads in the thread of the writer as long as no job was changed', async () => {
  const { store, threads } = await openNoting();
  expect(await store.counts()).toMatchObject({ groups: [{ state: 'ready', count: 1 }] });
  expect(await store.job('a')).toMatchObject({ state: 'ready' });
  expect(threads()).toEqual(['writer']);
  await store.close();
});

it('starts a thread for queries after the first change, and does not wait for it', async () => {
  const { store, threads, calls } = await openNoting();
  await store.apply([claimOf(1)]);
  expect(threads()).toEqual(['writer']);
  expect(await store.counts()).toMatchObject({ groups: [{ state: 'leased', count: 1 }] });
  expect(calls).toEqual(expect.arrayContaining(['reader ready', 'writer read']));
  expect(await store.counts()).toMatchObject({ groups: [{ state: 'leased', count: 1 }] });
  expect(calls.at(-1)).toBe('reader counts');
  await store.close();
});

it('reads the audit log in a thread of its own, which keeps what belongs to several calls', async () => {
  const { store, threads } = await openNoting();
  const audit = await store.readAudit();
  await store.apply([claimOf(1)]);
  expect(await audit.head()).toBeUndefined();
  await audit.close();
  expect(threads()).toEqual(['writer', 'reader']);
  await store.close();
});

it('an error of a query is the same in both threads', async () => {
  const { store } = await openNoting();
  await store.close();
  await expect(store.counts()).rejects.toMatchObject({ code: 'store_unavailable' });
});
