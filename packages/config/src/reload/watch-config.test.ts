import { chmodSync, mkdirSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRedriveError } from '@redrive/core';
import { expectNoTimers, virtualClock } from '@redrive/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Config } from '../config.ts';
import type { Problem } from '../problem/problem.ts';
import type { ConfigChange, ConfigWatcher, WatchConfigOptions } from './config-watcher.ts';
import { watchConfig } from './watch-config.ts';

let directory: string;
let file: string;
let watcher: ConfigWatcher | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'redrive-reload-'));
  file = join(directory, 'redrive.yaml');
});
afterEach(() => {
  watcher?.close();
  watcher = undefined;
  rmSync(directory, { recursive: true, force: true });
});

const textWith = (attempts: number | string, more = '') => `version: "1.1.0"
${more}policies:
  orders: { name: Orders, max_attempts: ${attempts}, backoff_type: fixed, base_delay: 1, max_delay: 1 }
subsystem_mappings: { shop: { checkout: { default: orders } } }
`;
const write = (attempts: number | string, more?: string) =>
  writeFileSync(file, textWith(attempts, more));
const attemptsIn = (config: Config | undefined) =>
  config?.policies.get('orders')?.policy.maxAttempts;

/** A watcher on virtual time, so that only what the test does happens; real events only where a test asks for them. */
async function start(options: Partial<WatchConfigOptions> = {}) {
  const clock = virtualClock({ startMs: Date.parse('2026-01-29T12:00:00Z') });
  const told = { changes: [] as ConfigChange[], problems: [] as (readonly Problem[])[] };
  watcher = await watchConfig({
    file,
    environment: {},
    clock,
    onChange: (change) => told.changes.push(change),
    onProblem: (problems) => told.problems.push(problems),
    ...options,
  });
  return { watcher, clock, told };
}

describe('a reload', () => {
  it('puts the new configuration in force and records the change', async () => {
    write(3);
    const { watcher, clock, told } = await start({ actor: 'deploy@ci' });
    const before = watcher.current;
    write(5);
    await clock.advance(1_000);
    const result = await watcher.reload();
    expect(attemptsIn(watcher.current)).toBe(5);
    expect(attemptsIn(before)).toBe(3);
    expect(result).toMatchObject({ status: 'changed', config: watcher.current, problems: [] });
    expect(told.changes).toEqual(watcher.changes);
    expect(JSON.parse(JSON.stringify(watcher.changes))).toEqual([
      {
        schema_version: 'config-change/v1',
        timestamp: '2026-01-29T12:00:01.000Z',
        actor: 'deploy@ci',
        cause: 'api',
        file,
        last_change: { file, owner: expect.any(String), at: expect.any(String), applied_by: null },
        hash_before: before.hash,
        hash_after: watcher.current.hash,
        diff: {
          entries: [
            { kind: 'changed', path: 'policies.orders.max_attempts', before: '3', after: '5' },
          ],
          omitted: 0,
        },
      },
    ]);
    expect(Object.isFrozen(watcher.current)).toBe(true);
  });

  it('names who asked for it; of a file that another program wrote the user is unknown', async () => {
    write(3);
    const { watcher } = await start();
    write(4);
    await watcher.reload('alice');
    write(5);
    await watcher.reload();
    const [first, second] = watcher.changes;
    expect(first?.actor).toBe('alice');
    expect(second?.actor).toBeNull();
  });

  it('is no change where the file says the same', async () => {
    write(3);
    const { watcher, told } = await start();
    write(3, '# moved by a comment\n');
    expect(await watcher.reload()).toMatchObject({ status: 'unchanged' });
    expect([watcher.changes, told.changes]).toEqual([[], []]);
    expect(watcher.current.policies.get('orders')?.sources.maxAttempts.where).toMatch(/:4$/);
  });

  it.each<[string, () => unknown, string]>([
    ['broken', () => writeFileSync(file, 'version: "1.1.0"\npolicies: {'), 'syntax_error'],
    ['half-written', () => writeFileSync(file, textWith(5).slice(0, -85)), 'syntax_error'],
    ['empty', () => writeFileSync(file, ''), 'missing_field'],
    ['invalid', () => write(0), 'out_of_range'],
    ['too large', () => write(5, `# ${'x'.repeat(300_000)}\n`), 'unreadable_file'],
    ['no text', () => writeFileSync(file, Buffer.from([0xff, 0xff])), 'unreadable_file'],
    ['gone', () => unlinkSync(file), 'unreadable_file'],
    ['a directory', () => [unlinkSync, mkdirSync].map((act) => act(file)), 'unreadable_file'],
  ])('leaves the last good one in force when the file is %s', async (_, spoil, code) => {
    write(3);
    const { watcher, told } = await start();
    const good = watcher.current;
    spoil();
    const result = await watcher.reload();
    expect(result).toMatchObject({ status: 'refused', problems: [{ severity: 'error', code }] });
    expect([watcher.current, result.config, watcher.changes]).toEqual([good, good, []]);
    expect(watcher.current).toBe(good);
    expect(told.problems).toEqual([result.problems]);
    rmSync(file, { recursive: true, force: true });
    write(5);
    expect(await watcher.reload()).toMatchObject({ status: 'changed' });
    expect(attemptsIn(watcher.current)).toBe(5);
  });

  it('leaves the last good one in force when reading is forbidden', async () => {
    // Root reads everything, so what is forbidden is played by the process's user id where the test runs as root.
    write(3);
    const root = process.getuid?.() === 0;
    const { watcher } = await start();
    write(5);
    chmodSync(directory, 0o700);
    chmodSync(file, 0o000);
    if (root) process.seteuid?.(65_534);
    try {
      expect(await watcher.reload()).toMatchObject({
        status: 'refused',
        problems: [{ code: 'unreadable_file', message: /not permitted/ }],
      });
    } finally {
      if (root) process.seteuid?.(0);
    }
    expect(attemptsIn(watcher.current)).toBe(3);
  });

  it('reports the same problem once, and again after it was gone', async () => {
    write(3);
    const { watcher, told } = await start();
    for (const attempts of [0, 0, 3, 0, -1]) {
      write(attempts);
      await watcher.reload();
    }
    expect(told.problems).toHaveLength(3);
  });

  it('warns of a file that everybody may write, and uses it', async () => {
    write(3);
    chmodSync(file, 0o666);
    const { watcher, told } = await start();
    expect(attemptsIn(watcher.current)).toBe(3);
    expect(told.problems).toMatchObject([[{ severity: 'warning', code: 'world_writable' }]]);
  });

  it('keeps the last changes only', async () => {
    write(1);
    const { watcher } = await start({ maxChanges: 2 });
    for (const attempts of [2, 3, 4]) {
      write(attempts);
      await watcher.reload();
    }
    const afters = watcher.changes.map(({ diff }) => diff.entries[0]);
    expect(afters).toMatchObject([{ after: '3' }, { after: '4' }]);
  });

  it('runs one after another, and gives the same answer to the same question', async () => {
    write(1);
    const { watcher, told } = await start();
    write(2);
    const results = await Promise.all(Array.from({ length: 50 }, () => watcher.reload()));
    expect(results.filter(({ status }) => status === 'changed').length).toBeGreaterThan(0);
    expect(told.changes).toHaveLength(1);
    expect(results.every(({ config }) => attemptsIn(config) === 2)).toBe(true);
  });

  it('survives listeners that throw, and says so', async () => {
    write(1);
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const { watcher } = await start({
      onChange: () => {
        throw new Error('oops');
      },
      onProblem: () => Promise.reject(new Error('ouch')),
    });
    write(2);
    await watcher.reload();
    write(0);
    await watcher.reload();
    expect(attemptsIn(watcher.current)).toBe(2);
    expect(warn.mock.calls.map(([message]) => message)).toEqual([
      'onChange of watchConfig failed: oops',
      'onProblem of watchConfig failed: ouch',
    ]);
  });
});

describe('closing', () => {
  it('stops also what was on its way', async () => {
    write(3);
    const { watcher, told } = await start({ onSignal: true });
    write(4);
    process.emit('SIGHUP');
    watcher.close();
    // Reloads run one after another: when this one has read the file, the other one has too.
    expect(await watcher.reload()).toMatchObject({ status: 'changed', change: { cause: 'api' } });
    expect(told.changes).toHaveLength(1);
  });

  it('leaves nothing behind, and stays with what it had', async () => {
    write(3);
    const { watcher, clock } = await start();
    watcher.close();
    watcher.close();
    expectNoTimers(clock);
    expect(process.listenerCount('SIGHUP')).toBe(0);
    write(4);
    expect(attemptsIn(watcher.current)).toBe(3);
  });
});

describe('the start', () => {
  it('fails with every problem when there is nothing good to begin with', async () => {
    write(0, 'nonsense: 1\n');
    const error = await start().catch((error: unknown) => error);
    if (!isRedriveError(error, 'invalid_config')) throw error;
    expect(error.details.problems).toMatchObject([
      { code: 'unknown_key', line: 2 },
      { code: 'out_of_range', line: 4 },
    ]);
  });

  it('fails when there is no file', async () => {
    await expect(start()).rejects.toMatchObject({ code: 'invalid_config' });
  });

  it('checks its options, all at once', async () => {
    write(3);
    const options = { debounceMs: -1, pollMs: 0, maxChanges: Number.NaN };
    await expect(start(options)).rejects.toMatchObject({
      code: 'invalid_option',
      details: {
        problems: [{ field: 'debounceMs' }, { field: 'pollMs' }, { field: 'maxChanges' }],
      },
    });
  });
});
