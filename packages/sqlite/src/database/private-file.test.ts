import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { enqueueOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { scratch } from '../testing/scratch.ts';
import { withoutThreads } from '../testing/without-threads.ts';

function setUp() {
  const place = scratch();
  onTestFinished(() => place.remove());
  const warnings: string[] = [];
  const onWarning = (message: string) => void warnings.push(message);
  const open = () => openMade(place.path, { onWarning }, { audit: true, start: withoutThreads });
  const modes = () =>
    Object.fromEntries(
      readdirSync(place.directory).map((name) => [
        name,
        (statSync(join(place.directory, name)).mode & 0o777).toString(8),
      ]),
    );
  return { ...place, warnings, open, modes };
}

it('a store’s file is made with mode 0600, and its companions too', async () => {
  const umask = process.umask(0o022);
  onTestFinished(() => void process.umask(umask));
  const { open, modes, warnings } = setUp();
  const store = await open();
  await store.apply([enqueueOf('a')]);
  expect(modes()).toEqual({ 'store.db': '600', 'store.db-wal': '600', 'store.db-shm': '600' });
  await store.close();
  expect(warnings).toEqual([]);
});

it('a wider file is a warning that says what to do, and works', async () => {
  const { open, path, warnings } = setUp();
  await (await open()).close();
  chmodSync(path, 0o644);
  const store = await open();
  expect(warnings).toEqual([
    expect.stringMatching(
      /^Other users of this machine can open .*store\.db, .*-wal, .*-shm, which holds payloads\..* chmod 600 /u,
    ),
  ]);
  expect(await store.job('a')).toBeUndefined();
  await store.close();
});
