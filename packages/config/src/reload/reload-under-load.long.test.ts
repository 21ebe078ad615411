import { mkdtempSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { retry } from '@redrive/core';
import { seededRandom, trackUnhandledRejections, virtualClock } from '@redrive/testkit';
import { expect, it } from 'vitest';
import { watchConfig } from './watch-config.ts';

const RELOADS = 1_000;
const BAD = 300;
/** So many of them come by the file's own events instead of being asked for. */
const BY_EVENT = 20;
const CALLERS = 8;
/** Against a hang. How long a thousand reloads take on a busy machine says nothing. */
const TIMEOUT_MS = 300_000;

/** Version n says the same number in three places: a call that sees two different ones has seen two versions. */
const textOf = (version: number) => `version: "1.1.0"
policies:
  orders:
    name: Version ${version}
    max_attempts: 3
    backoff_type: fixed
    base_delay: ${version / 1_000}
    max_delay: ${version / 1_000}
    jitter_type: none
subsystem_mappings:
  shop: { orders: { default: orders } }
`;

it('1,000 reloads, 300 of them bad, under load: no crash, no mixed version, the last good one in force', {
  timeout: TIMEOUT_MS,
}, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'redrive-load-'));
  const file = join(directory, 'redrive.yaml');
  const rejections = trackUnhandledRejections();
  const random = seededRandom(3);
  writeFileSync(file, textOf(1));

  let news = Promise.withResolvers<void>();
  const heard = () => {
    news.resolve();
    news = Promise.withResolvers();
  };
  const watcher = await watchConfig({
    ...{ file, environment: {}, debounceMs: 1, pollMs: 10, keepAlive: true, maxChanges: 2_000 },
    ...{ onChange: heard, onProblem: heard },
  });

  // The load: callers that retry without a pause, each taking the policy once per call and looking at it in each attempt.
  const clock = virtualClock();
  const seen = { calls: 0, mixed: 0, versions: new Set<number>() };
  let running = true;
  async function caller(): Promise<void> {
    while (running) {
      const snapshot = watcher.current;
      const policy = snapshot.policies.get('orders')?.policy;
      if (policy === undefined) throw new Error('The policy is always there');
      const startedAt = clock.monotonic();
      const versions = new Set([Math.round(policy.baseDelayMs), Math.round(policy.maxDelayMs)]);
      await retry(
        async ({ attempt }) => {
          versions.add(Number(policy.name.split(' ')[1]));
          if (attempt < 3) throw new Error('connection reset');
        },
        policy,
        { clock },
      );
      // Two waits of this version's delay, never one of this and one of that.
      versions.add((clock.monotonic() - startedAt) / 2);
      seen.calls += 1;
      if (versions.size > 1) seen.mixed += 1;
      for (const version of versions) seen.versions.add(version);
    }
  }

  const spoilers = [
    (good: string) => writeFileSync(file, good.slice(0, Math.floor(good.length * 0.6))),
    () => writeFileSync(file, 'policies: ['),
    () => writeFileSync(file, ''),
    (good: string) => writeFileSync(file, good.replace('max_attempts: 3', 'max_attempts: 0')),
    (good: string) => writeFileSync(file, `# ${'x'.repeat(300_000)}\n${good}`),
    () => unlinkSync(file),
  ];
  const bad = new Set<number>();
  while (bad.size < BAD) bad.add(1 + Math.floor(random() * RELOADS));

  const counts = { good: 0, bad: 0, byEvent: 0 };
  let version = 1;
  const load = Promise.all(Array.from({ length: CALLERS }, caller));
  for (let number = 1; number <= RELOADS; number++) {
    const isBad = bad.has(number);
    const good = textOf(version + 1);
    if (isBad) spoilers[number % spoilers.length]?.(good);
    else if (number % 2 === 0) writeFileSync(file, good);
    else {
      writeFileSync(`${file}.new`, good);
      renameSync(`${file}.new`, file);
    }
    const byEvent = !isBad && counts.byEvent < BY_EVENT && number % 3 === 0;
    if (byEvent) {
      counts.byEvent += 1;
      while (watcher.current.policies.get('orders')?.policy.name !== `Version ${version + 1}`)
        await news.promise;
    } else {
      const { status } = await watcher.reload('stress');
      // The watcher may have been faster.
      if (isBad) expect(status).toBe('refused');
      else expect(['changed', 'unchanged']).toContain(status);
    }
    if (!isBad) version += 1;
    counts[isBad ? 'bad' : 'good'] += 1;
    expect(watcher.current.policies.get('orders')?.policy.name).toBe(`Version ${version}`);
    // Time goes on by less than a call takes, so that calls overlap several versions.
    await clock.advance(Math.ceil(version * 0.7));
  }
  running = false;
  await clock.runAll();
  await load;
  watcher.close();
  rmSync(directory, { recursive: true });

  expect(counts).toEqual({ good: RELOADS - BAD, bad: BAD, byEvent: BY_EVENT });
  expect(seen.mixed).toBe(0);
  expect(seen.calls).toBeGreaterThan(500);
  expect(seen.versions.size).toBeGreaterThan(100);
  expect(watcher.changes).toHaveLength(RELOADS - BAD);
  // Each change begins where the one before ended.
  for (const [index, change] of watcher.changes.entries()) {
    const next = watcher.changes[index + 1];
    if (next) expect(next.hash_before).toBe(change.hash_after);
  }
  expect(await rejections.seen()).toEqual([]);
  rejections.stop();
});
