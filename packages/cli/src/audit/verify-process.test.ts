import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jobsOn } from '@redrive/durable';
import { openStore } from '@redrive/sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';

// What only a process of its own can show; over what `tsc -b` has built.
const launcher = fileURLToPath(new URL('../../bin/redrive.cjs', import.meta.url));

/** A sealed store in a directory of its own. */
async function sealedStore() {
  const directory = mkdtempSync(join(tmpdir(), 'redrive-verify-'));
  onTestFinished(() => {
    chmodSync(directory, 0o700);
    rmSync(directory, { recursive: true, force: true });
  });
  const path = join(directory, 'store.db');
  const store = await openStore(path);
  await jobsOn(store, { mail: () => 'sent' }).enqueue('mail', null);
  await store.seal();
  return { directory, path, store };
}

/** Changes the file itself: another handler, everywhere. */
function tamper(path: string): void {
  const text = readFileSync(path, 'latin1');
  writeFileSync(path, text.replaceAll('mail', 'pays'), 'latin1');
}

describe('a pipe that closes', () => {
  test('does not make a tampered log sound: the exit code is still 1', async () => {
    const { path, store } = await sealedStore();
    await store.close();
    tamper(path);
    const args = [launcher, 'audit', 'verify', '--store', `sqlite:${path}`];
    const child = spawn(process.execPath, args);
    // Closed before anything is written, as `head -0` would.
    child.stdout.destroy();
    expect(await once(child, 'close')).toEqual([1, null]);
  });

  test('leaves a sound log sound', async () => {
    const { path, store } = await sealedStore();
    await store.close();
    const args = [launcher, 'audit', 'verify', '--store', `sqlite:${path}`];
    const child = spawn(process.execPath, args);
    child.stdout.destroy();
    expect(await once(child, 'close')).toEqual([0, null]);
  });
});

/** Runs `audit verify` as a user who may read the store and write nothing. */
function verifyUnprivileged(directory: string, path: string) {
  for (const name of readdirSync(directory)) chmodSync(join(directory, name), 0o400);
  chmodSync(directory, 0o500);
  // Root writes where it may not, unless it gives that up. It stays root, because others may not reach the code.
  const giveUp = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'];
  const [file = '', ...args] = [
    ...(process.getuid?.() === 0 ? giveUp : []),
    ...[process.execPath, launcher, 'audit', 'verify', '--json', '--store', `sqlite:${path}`],
  ];
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8' });
  return { status, stderr, found: stdout === '' ? undefined : JSON.parse(stdout) };
}

describe('a store that cannot be written', () => {
  const SOUND = { status: 0, stderr: '', found: { ok: true, records: 1, sealed: 1 } };

  test('is verified where nobody has it open', async () => {
    const { directory, path, store } = await sealedStore();
    await store.close();
    expect(verifyUnprivileged(directory, path)).toMatchObject(SOUND);
    expect(readdirSync(directory)).toEqual(['store.db']);
  });

  test('is verified with the log that a crash has left, in a copy', async () => {
    const { directory, path, store } = await sealedStore();
    const crashed = join(directory, 'crashed');
    mkdirSync(crashed);
    for (const end of ['', '-wal']) copyFileSync(path + end, join(crashed, `store.db${end}`));
    await store.close();
    chmodSync(directory, 0o755);
    const answer = verifyUnprivileged(crashed, join(crashed, 'store.db'));
    chmodSync(crashed, 0o700);
    expect(answer).toMatchObject(SOUND);
    expect(readdirSync(crashed).sort()).toEqual(['store.db', 'store.db-wal']);
  });

  test('that was tampered with has problems', async () => {
    const { directory, path, store } = await sealedStore();
    await store.close();
    tamper(path);
    expect(verifyUnprivileged(directory, path)).toMatchObject({ status: 1, found: { ok: false } });
  });
});
