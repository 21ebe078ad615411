import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { virtualClock } from '@redrive/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConfigWatcher, WatchConfigOptions } from '../reload/config-watcher.ts';
import { watchConfig } from '../reload/watch-config.ts';

let directory: string;
let watcher: ConfigWatcher | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'redrive-env-'));
});
afterEach(() => {
  watcher?.close();
  rmSync(directory, { recursive: true, force: true });
});

const file = () => join(directory, 'redrive.yaml');
const env = () => join(directory, 'retry.env');
const write = (line: string) => writeFileSync(file(), `version: "1.1.0"\n${line}`);
const policyIn = ({ current }: ConfigWatcher) => current.policies.get('events.default');

/** On virtual time, so that nothing is reloaded unless the test asks for it. */
async function start(options: Partial<WatchConfigOptions> = {}): Promise<ConfigWatcher> {
  const clock = virtualClock();
  watcher = await watchConfig({ file: file(), environment: {}, clock, ...options });
  return watcher;
}

describe('the environment file', () => {
  it('is read again with the file that names it, from where that is', async () => {
    write('env_file: retry.env\n');
    writeFileSync(env(), 'RETRY_MAX_ATTEMPTS=4\n');
    const watcher = await start();
    expect(policyIn(watcher)?.policy.maxAttempts).toBe(4);
    writeFileSync(env(), '\nRETRY_MAX_ATTEMPTS=6\n');
    expect(await watcher.reload()).toMatchObject({ status: 'changed' });
    expect(policyIn(watcher)?.policy.maxAttempts).toBe(6);
    expect(policyIn(watcher)?.sources.maxAttempts).toEqual({
      kind: 'environment',
      where: 'retry.env:2 RETRY_MAX_ATTEMPTS',
    });
  });

  it('may be named by the caller instead', async () => {
    write('env_file: other.env\n');
    writeFileSync(env(), 'RETRY_MAX_ATTEMPTS=4\n');
    const watcher = await start({ envFile: env() });
    expect(policyIn(watcher)?.policy.maxAttempts).toBe(4);
  });

  it('is beaten by the process, and both by flags, at every reload', async () => {
    write('env_file: retry.env\n');
    writeFileSync(env(), '');
    const source = { kind: 'flag', where: '--ttl' } as const;
    const watcher = await start({
      environment: { RETRY_BASE_DELAY_MS: '2', RETRY_TTL_MINUTES: '2' },
      flags: [{ policyId: 'events.*', field: 'ttlMs', value: 180_000, source }],
    });
    for (const attempts of [4, 5]) {
      writeFileSync(
        env(),
        `RETRY_MAX_ATTEMPTS=${attempts}\nRETRY_BASE_DELAY_MS=1\nRETRY_TTL_MINUTES=1\n`,
      );
      await watcher.reload();
      expect(policyIn(watcher)?.policy).toMatchObject({
        ...{ maxAttempts: attempts, baseDelayMs: 2, ttlMs: 180_000 },
      });
    }
  });

  it('leaves the last good configuration in force when it is bad or gone', async () => {
    write('env_file: retry.env\n');
    writeFileSync(env(), 'RETRY_MAX_ATTEMPTS=4\n');
    const watcher = await start();
    writeFileSync(env(), 'RETRY_MAX_ATTEMPTS=four\n');
    expect(await watcher.reload()).toMatchObject({
      status: 'refused',
      problems: [{ code: 'malformed_variable', line: 1, file: 'retry.env' }],
    });
    writeFileSync(env(), `# ${'x'.repeat(70_000)}\n`);
    expect(await watcher.reload()).toMatchObject({
      status: 'refused',
      problems: [{ code: 'unreadable_file', message: /more than 65536 bytes/ }],
    });
    unlinkSync(env());
    expect(await watcher.reload()).toMatchObject({
      status: 'refused',
      problems: [{ code: 'unreadable_file', file: 'retry.env' }],
    });
    expect(policyIn(watcher)?.policy.maxAttempts).toBe(4);
  });
});
