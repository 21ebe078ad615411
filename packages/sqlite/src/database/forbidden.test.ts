import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../testing/scratch.ts';

let place: Scratch;
beforeEach(() => {
  place = scratch();
  chmodSync(place.directory, 0o777);
});
afterEach(() => {
  chmodSync(place.directory, 0o700);
  place.remove();
});

/** Opens a store as somebody who is not root: root may do everything. */
function openAsNobody(path: string): { readonly code: string; readonly message: string } {
  return asNobody('./open-database.ts', `openForWriting(${JSON.stringify(path)}, 100).close()`);
}

function asNobody(module: string, call: string) {
  const source = new URL(module, import.meta.url).href;
  // The rights are given up after the import: this checkout may be readable by its owner alone.
  const program = `
    const { openForWriting, readAuditFile } = await import(${JSON.stringify(source)});
    if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534); }
    try { await ${call}; console.log('{"code":"opened"}'); }
    catch ({ code, message }) { console.log(JSON.stringify({ code, message })); }`;
  const args = ['--input-type=module', '--eval', program];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

describe('missing rights are reported as such, not as an unavailable store', () => {
  it.each<[what: string, forbid: (path: string) => void, problem: RegExp]>([
    [
      'a file that may be read alone',
      (path) => chmodSync(path, 0o444),
      /permission denied: the file .+store\.db may not be written by the user .+\. Let that user write/,
    ],
    [
      'a file that may not even be read',
      (path) => chmodSync(path, 0o000),
      /permission denied: the file .+ may not be read and written by the user/,
    ],
    [
      'a directory that may not be written',
      (path) => {
        chmodSync(path, 0o666);
        chmodSync(dirname(path), 0o555);
      },
      /permission denied: the directory .+ may not be written by the user/,
    ],
    [
      'a directory that may not be entered',
      (path) => chmodSync(dirname(path), 0o600),
      /permission denied: the directory .+ may not be entered by the user/,
    ],
  ])('%s', (_, forbid, problem) => {
    const path = join(place.directory, 'store.db');
    new DatabaseSync(path).close();
    forbid(path);
    const { code, message } = openAsNobody(path);
    expect(message).toMatch(problem);
    expect(code).toBe('store_forbidden');
  });

  it('a file that may not be read is not verified', () => {
    const path = join(place.directory, 'store.db');
    new DatabaseSync(path).close();
    chmodSync(path, 0o200);
    const call = `readAuditFile(${JSON.stringify(path)})`;
    const { code, message } = asNobody('../audit/read-audit-file.ts', call);
    expect(message).toMatch(/permission denied: the file .+store\.db may not be read by the user/);
    expect(code).toBe('store_forbidden');
  });

  it('also behind a directory that hides what is in it', () => {
    const inner = join(place.directory, 'closed', 'data');
    mkdirSync(inner, { recursive: true });
    chmodSync(join(place.directory, 'closed'), 0o600);
    const { code, message } = openAsNobody(join(inner, 'store.db'));
    expect(message).toMatch(/the directory .+\/closed may not be entered by the user/);
    expect(code).toBe('store_forbidden');
    chmodSync(join(place.directory, 'closed'), 0o700);
  });

  it('and a directory that does not exist stays one', () => {
    const { code, message } = openAsNobody(join(place.directory, 'none', 'store.db'));
    expect(message).toContain('does not exist');
    expect(code).toBe('store_unavailable');
  });
});
