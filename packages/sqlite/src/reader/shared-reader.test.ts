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
            calls.push(options.main.toString().replace(/\/.*/, ''));
            return caller.call(name, input);
          },
          close: () => caller.close(),
        };
      },
    },
  );
  return { store, threads: () => [...new Set(calls)] };
}

it('reads in the thread of the writer as long as no job was changed', async () => {
  const { store, threads } = await openNoting();
  expect(await store.counts()).toMatchObject({ groups: [{ state: 'ready', count: 1 }] });
  expect(await store.job('a')).toMatchObject({ state: 'ready' });
  expect(threads()).toEqual(['writer']);
  await store.close();
});

it('reads in a thread of its own from the first change on', async () => {
  const { store, threads } = await openNoting();
  await store.apply([claimOf(1)]);
  expect(await store.counts()).toMatchObject({ groups: [{ state: 'leased', count: 1 }] });
  expect(threads()).toEqual(['writer', 'reader']);
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
