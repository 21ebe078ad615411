import { systemClock } from '@redrive/core';
import { describe, expect, it } from 'vitest';
import { resolveHandlers } from '../handler/resolve-handlers.ts';
import type { ClaimCommand, ClaimResult } from '../store/commands.ts';
import { ClaimAhead } from './claim-ahead.ts';
import { Lane } from './held-jobs.ts';

function newLane(): Lane {
  const handler = resolveHandlers(
    { run: () => {} },
    { concurrency: 10, leaseMs: 30_000, clock: systemClock },
  ).get('run');
  if (handler === undefined) throw new Error('it is there');
  return new Lane(handler);
}

const LEASE_MS = 30_000;

/** As many attempts as a worker needs to know its jobs. */
function measureMany(
  ahead: ClaimAhead,
  lane: Lane,
  durationMs: number,
  bytes = 0,
  nowMs = 0,
): void {
  for (let n = 0; n < 200; n++) ahead.measure(lane, durationMs, bytes, nowMs);
}

const asked = (limit: number, ahead: number) => ({ limit, ahead }) as ClaimCommand;
const got = (jobs: number, more: boolean) =>
  ({ jobs: Array(jobs).fill(undefined), more }) as unknown as ClaimResult;

describe('claiming ahead', () => {
  it('begins when the first job has finished', () => {
    const ahead = new ClaimAhead(LEASE_MS);
    const lane = newLane();
    expect([ahead.target(10, [lane], 0), ahead.goesAhead(lane)]).toEqual([0, false]);
    ahead.measure(lane, 2, 100, 0);
    expect([ahead.target(10, [lane], 0), ahead.goesAhead(lane)]).toEqual([16, true]);
  });

  it('grows with the attempts that have finished', () => {
    const ahead = new ClaimAhead(LEASE_MS);
    const lane = newLane();
    for (const most of [16, 32, 48]) {
      ahead.measure(lane, 0.01, 100, 0);
      expect(ahead.target(10, [lane], 0)).toBe(most);
    }
  });

  it('believes in slowness sooner than in speed', () => {
    const ahead = new ClaimAhead(LEASE_MS);
    const lane = newLane();
    measureMany(ahead, lane, 0.01);
    expect(ahead.target(10, [lane], 0)).toBe(2_000);
    ahead.measure(lane, 100, 100, 0);
    expect(ahead.target(10, [lane], 0)).toBe(6);
    for (let n = 0; n < 3; n++) ahead.measure(lane, 0.01, 100, 0);
    expect(ahead.target(10, [lane], 0)).toBe(9);
    for (let n = 0; n < 10; n++) ahead.measure(lane, 0.01, 100, 0);
    expect(ahead.target(10, [lane], 0)).toBe(26);
  });

  it('of slow handlers is as much as finishes in 20 ms, and counts the places that they have', () => {
    const ahead = new ClaimAhead(LEASE_MS);
    const lane = newLane();
    ahead.measure(lane, 50, 100, 0);
    expect(ahead.target(5, [lane], 0)).toBe(2);
    // The handler runs ten at once.
    expect(ahead.target(1_000, [lane], 0)).toBe(4);
    ahead.measure(lane, 2_000, 100, 0);
    expect([ahead.target(1_000, [lane], 0), ahead.goesAhead(lane)]).toEqual([0, false]);
  });

  it('is no more than starts within a third of the lease', () => {
    const ahead = new ClaimAhead(30);
    const lane = newLane();
    measureMany(ahead, lane, 1);
    expect(ahead.target(10, [lane], 0)).toBe(100);
    // The store takes long to answer.
    ahead.claimed(asked(10, 0), got(10, true), 40);
    expect(ahead.target(10, [lane], 0)).toBe(100);
  });

  it('leaves out a handler whose TTL could pass before another worker takes its jobs', () => {
    const ahead = new ClaimAhead(LEASE_MS);
    const lane = newLane();
    ahead.measure(lane, 1, 100, 0);
    lane.shortestTtlMs = 2 * LEASE_MS + 1;
    expect(ahead.goesAhead(lane)).toBe(true);
    lane.shortestTtlMs = 2 * LEASE_MS;
    expect([ahead.goesAhead(lane), ahead.target(10, [lane], 0)]).toEqual([false, 0]);
  });

  it('leaves out a handler that is slow beside the others', () => {
    const ahead = new ClaimAhead(LEASE_MS);
    const [slow, quick] = [newLane(), newLane()];
    ahead.measure(slow, 100, 100, 0);
    expect(ahead.goesAhead(slow)).toBe(true);
    for (let n = 0; n < 10; n++) ahead.measure(quick, 1, 100, 0);
    expect([ahead.goesAhead(slow), ahead.goesAhead(quick)]).toEqual([false, true]);
  });

  it('stops while nothing finishes', () => {
    const ahead = new ClaimAhead(LEASE_MS);
    const lane = newLane();
    measureMany(ahead, lane, 0, 0, 1_000);
    expect(ahead.target(10, [lane], 1_100)).toBe(2_000);
    expect(ahead.target(10, [lane], 1_101)).toBe(0);
  });

  it.each([
    ['got less than there was', got(20, true)],
    ['got nothing beyond its room', got(10, false)],
  ])('stops for a while after a claim that %s', (_, futile) => {
    const ahead = new ClaimAhead(LEASE_MS);
    const lane = newLane();
    measureMany(ahead, lane, 0);
    ahead.claimed(asked(10, 490), got(500, true), 1);
    ahead.claimed(asked(10, 490), got(20, false), 1);
    expect(ahead.target(10, [lane], 0)).toBe(2_000);
    ahead.claimed(asked(10, 490), got(5, false), 1);
    expect(ahead.target(10, [lane], 0)).toBe(2_000);
    ahead.claimed(asked(10, 490), futile, 1);
    for (let claims = 0; claims < 16; claims++) {
      expect(ahead.target(10, [lane], 0)).toBe(0);
      ahead.claimed(asked(10, 0), got(10, true), 1);
    }
    expect(ahead.target(10, [lane], 0)).toBe(2_000);
  });
});
