import { readFileSync } from 'node:fs';
import * as sqlite from 'node:sqlite';
import { describe, expect, it, vi } from 'vitest';
import { keepsCommits, missingIn, openDatabase } from './node-sqlite.ts';

describe('the SQLite store tests features of Node, not its version', () => {
  it('a SQLite with the fix is accepted, also where it was back-ported', () => {
    const safe = ['3.44.6', '3.44.10', '3.50.7', '3.51.3', '3.51.10', '3.52', '3.53.4', '4.0.0'];
    expect(safe.filter((version) => !keepsCommits(version))).toEqual([]);
  });

  it('a SQLite that can lose commits is refused', () => {
    const unsafe = ['3.44.5', '3.45.3', '3.49.9', '3.50.6', '3.51', '3.51.2', '3.9.9', '2.99.99'];
    expect(unsafe.filter((version) => keepsCommits(version))).toEqual([]);
  });

  it('a Node without node:sqlite is refused with what to install', () => {
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
    expect(() => openDatabase(':memory:')).toThrow(
      `The SQLite store needs the module node:sqlite, which Node ${process.versions.node} does not have. Use Node 22.22.3, 24.15.0, 25.9.0 or a newer release of these lines.`,
    );
  });

  it('a node:sqlite without a function that the store calls is refused with its name', () => {
    // A stand-in that has none of the members.
    const StatementSync = class {} as unknown as typeof sqlite.StatementSync;
    expect(missingIn(sqlite)).toBeUndefined();
    expect(missingIn({ ...sqlite, StatementSync })).toBe('setReturnArrays() of node:sqlite');
  });

  it('the engines name the same releases of Node', () => {
    const manifest = new URL('../../package.json', import.meta.url);
    const { engines } = JSON.parse(readFileSync(manifest, 'utf8'));
    expect(engines.node).toBe('^22.22.3 || ^24.15.0 || >=25.9.0');
  });
});
