import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
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
const built = (file: string) => new URL(`../../dist/${file}`, import.meta.url).href;
const NOBODY = 65534;

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
  const isRoot = process.getuid?.() === 0;
  const files = readdirSync(directory).map((name) => join(directory, name));
  for (const file of files) chmodSync(file, 0o400);
  if (isRoot) for (const file of [...files, directory]) chownSync(file, NOBODY, NOBODY);
  chmodSync(directory, 0o500);
  // All code is loaded before the privileges go, because the code may be where that user cannot read.
  const program = `
    const { main } = await import(${JSON.stringify(built('main.js'))});
    await import(${JSON.stringify(built('audit/verify.js'))});
    await import('@redrive/sqlite');
    if (${isRoot}) { process.setgid(${NOBODY}); process.setuid(${NOBODY}); }
    process.exitCode = await main(['audit', 'verify', '--json', '--store', ${JSON.stringify(`sqlite:${path}`)}]);`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { encoding: 'utf8', cwd: fileURLToPath(new URL('..', import.meta.url)) },
  );
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
