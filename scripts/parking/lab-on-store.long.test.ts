import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type Place, withPlace } from '../crash/place.ts';
import { realOutage } from './real-outage.ts';

const launcher = join(dirname(dirname(import.meta.dirname)), 'packages/cli/bin/redrive.cjs');

/** The JSON that a command prints in the directory of a run. */
function run({ directory }: Place, args: string) {
  const { stdout, stderr, status, error } = spawnSync(
    process.execPath,
    [launcher, ...args.split(' '), '--json'],
    { cwd: directory, encoding: 'utf8', timeout: 90_000, maxBuffer: 64 * 1_024 * 1_024 },
  );
  if (error) throw error;
  expect(status, stdout + stderr).toBe(0);
  return JSON.parse(stdout);
}

// The short form of `npm run parking -- sqlite --keep DIR`, and of the commands that follow it by hand.
test('the lab on the store of real workers: every decision derives equal, a worse policy is worse, a better one better', {
  timeout: 240_000,
}, async () => {
  await withPlace('sqlite', async (place) => {
    const { jobs } = await realOutage(place, {
      downMs: 5_000,
      perSecond: 30,
      breakerTimeoutMs: 1_000,
    });
    const yaml = readFileSync(join(place.directory, 'redrive.yaml'), 'utf8');
    const without = yaml
      .replace('max_attempts: 5', 'max_attempts: 1')
      .replace('circuit_breaker: true', 'circuit_breaker: false');
    writeFileSync(join(place.directory, 'without.yaml'), without);

    const recorded = run(place, 'lab record --since 1h --to recording');
    expect(recorded.attempts).toBeGreaterThanOrEqual(jobs);
    const { policies } = run(place, 'policies review --recording recording');
    expect(policies).toMatchObject([{ policy: 'call', sessions: jobs, success_rate: 1 }]);

    const worse = run(place, 'policies backtest call without.yaml:call --recording recording');
    expect(worse.figures.change.exhausted.value).toBeGreaterThan(0.2);
    const better = run(place, 'policies backtest without.yaml:call call --since 1h');
    expect(better.figures.change.exhausted.value).toBeLessThan(-0.2);

    const replayed = run(place, 'lab replay --since 1h --policy call=without.yaml');
    expect(replayed).toMatchObject({
      decisions: recorded.attempts,
      underived: 0,
      recorded: { sessions: jobs, succeeded: jobs },
    });
    expect(replayed.other.given_up).toBeGreaterThan(jobs * 0.2);
  });
});
