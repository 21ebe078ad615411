import { describe, expect, it } from 'vitest';
import { resolveHandlers } from '../handler/resolve-handlers.ts';
import type { ClaimCommand, ClaimResult } from '../store/commands.ts';
import { ClaimAhead, goesAhead } from './claim-ahead.ts';
import { Lane } from './lane.ts';

function newLane(): Lane {
  const handler = resolveHandlers({ run: () => {} }, 10).get('run');
  if (handler === undefined) throw new Error('it is there');
  return new Lane(handler);
}

const asked = (limit: number, ahead: number) => ({ limit, ahead }) as ClaimCommand;
const got = (jobs: number, more: boolean) =>
  ({ jobs: Array(jobs).fill(undefined), more }) as unknown as ClaimResult;

describe('claiming ahead', () => {
  it('begins when the first job has ended', () => {
    const ahead = new ClaimAhead();
    const lane = newLane();
    expect([ahead.target(10, 0), goesAhead(lane)]).toEqual([0, false]);
    ahead.measure(lane, 2, 100, 0);
    expect([ahead.target(10, 0), goesAhead(lane)]).toEqual([100, true]);
  });

  it('believes in slowness sooner than in speed', () => {
    const ahead = new ClaimAhead();
    const lane = newLane();
    for (let n = 0; n < 100; n++) ahead.measure(lane, 0.01, 100, 0);
    ahead.measure(lane, 100, 100, 0);
    expect(goesAhead(lane)).toBe(false);
    for (let n = 0; n < 3; n++) ahead.measure(lane, 0.01, 100, 0);
    expect(goesAhead(lane)).toBe(false);
    for (let n = 0; n < 10; n++) ahead.measure(lane, 0.01, 100, 0);
    expect(goesAhead(lane)).toBe(true);
  });

  it('stops while nothing ends', () => {
    const ahead = new ClaimAhead();
    ahead.measure(newLane(), 0, 0, 1_000);
    expect(ahead.target(10, 1_100)).toBe(2_000);
    expect(ahead.target(10, 1_101)).toBe(0);
  });

  it.each([
    ['got less than there was', got(20, true)],
    ['got nothing beyond its room', got(10, false)],
  ])('stops for a while after a claim that %s', (_, futile) => {
    const ahead = new ClaimAhead();
    ahead.measure(newLane(), 0, 0, 0);
    ahead.claimed(asked(10, 490), got(500, true));
    ahead.claimed(asked(10, 490), got(20, false));
    expect(ahead.target(10, 0)).toBe(2_000);
    ahead.claimed(asked(10, 490), got(5, false));
    expect(ahead.target(10, 0)).toBe(2_000);
    ahead.claimed(asked(10, 490), futile);
    for (let claims = 0; claims < 16; claims++) {
      expect(ahead.target(10, 0)).toBe(0);
      ahead.claimed(asked(10, 0), got(10, true));
    }
    expect(ahead.target(10, 0)).toBe(2_000);
  });
});
