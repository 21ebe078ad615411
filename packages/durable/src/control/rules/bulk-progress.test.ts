import { expect, test } from 'vitest';
import { actOnBulk } from './bulk-acts.ts';
import { type BulkProgress, type BulkSpeed, changeState, noteSpeed } from './bulk-progress.ts';

const BEGUN: BulkProgress = {
  state: 'running',
  changes: [{ to: 'running', atMs: 0, by: 'eve', why: 'the provider is back' }],
  ...{ underWay: [], sentAt: 1, succeeded: 0, cameBack: 0 },
};

test('a change of state keeps the reasons before it', () => {
  const paused = actOnBulk(BEGUN, { kind: 'pause' }, { by: 'bob', why: 'lunch' }, 10);
  const resumed = paused && actOnBulk(paused, { kind: 'resume' }, { by: 'eve' }, 20);
  expect(resumed?.state).toBe('running');
  expect(resumed?.changes).toEqual([
    { to: 'running', atMs: 0, by: 'eve', why: 'the provider is back' },
    { to: 'paused', atMs: 10, by: 'bob', why: 'lunch' },
    { to: 'running', atMs: 20, by: 'eve', why: undefined },
  ]);
});

test('of many changes the submission and the newest are kept', () => {
  let progress = BEGUN;
  for (let atMs = 1; atMs <= 100; atMs++) {
    progress = changeState(progress, { to: atMs % 2 ? 'paused' : 'running', atMs, by: 'eve' });
  }
  expect(progress.changes).toHaveLength(20);
  expect(progress.changes[0]?.why).toBe('the provider is back');
  expect(progress.changes.slice(1).map(({ atMs }) => atMs)).toEqual(
    Array.from({ length: 19 }, (_, at) => 82 + at),
  );
});

test('the speed is that of the last half to whole minute', () => {
  let speed: BulkSpeed | undefined;
  let done = 0;
  // 100 per second for ten minutes, then 1 per second.
  for (let atMs = 0; atMs <= 720_000; atMs += 2_500) {
    done += atMs < 600_000 ? 250 : 2.5;
    speed = noteSpeed(speed, { atMs, done });
    expect(atMs - speed.from.atMs).toBeLessThanOrEqual(60_000);
    if (atMs >= 60_000) expect(atMs - speed.from.atMs).toBeGreaterThanOrEqual(27_500);
    const perSecond = ((done - speed.from.done) * 1_000) / (atMs - speed.from.atMs);
    if (atMs > 60_000 && atMs < 600_000) expect(perSecond).toBeCloseTo(100);
    if (atMs > 660_000) expect(perSecond).toBeCloseTo(1);
  }
});

test('the speed is measured anew after a pause, a stop, another rate, a gap and a clock set back', () => {
  const speed = { from: { atMs: 0, done: 0 }, to: { atMs: 30_000, done: 3_000 } };
  const measured = { ...BEGUN, speed };
  const acts = [{ kind: 'pause' }, { kind: 'rate', perSecond: 5 }] as const;
  for (const act of acts) {
    expect(actOnBulk(measured, act, { by: 'eve' }, 40_000)?.speed).toBeUndefined();
  }
  for (const atMs of [91_000, 29_000]) {
    const now = { atMs, done: 3_100 };
    expect(noteSpeed(speed, now)).toEqual({ from: now, to: now });
  }
});
