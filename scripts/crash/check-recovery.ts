import type { TrailRecord } from '../../packages/testkit/src/conformance/store/audit-trail.ts';
import type { Blow, Facts } from './evidence.ts';
import { processOf } from './process-of.ts';
import type { Findings } from './report.ts';

export interface RecoveryBounds {
  readonly leaseMs: number;
  readonly sweepMs: number;
  /** What a machine may take besides. */
  readonly slackMs: number;
  /** A paused process may hold the one write lock, and then nothing moves. */
  readonly pausesStopAll: boolean;
}

/**
 * How long the jobs of killed workers stayed with them: from the kill to the record that frees the job. Times in which
 * nobody was there who could have freed them do not count.
 */
export function checkRecovery(
  trails: ReadonlyMap<string, readonly TrailRecord[]>,
  { blows }: Facts,
  { leaseMs, sweepMs, slackMs, pausesStopAll }: RecoveryBounds,
  findings: Findings,
): void {
  const killedAtMs = new Map(
    blows.filter(({ kind }) => kind === 'kill').map(({ worker, atMs }) => [worker, atMs]),
  );
  const stills = stillTimes(blows, pausesStopAll);
  const waits: number[] = [];
  const late: string[] = [];
  const boundMs = leaseMs + sweepMs + slackMs;
  for (const [id, trail] of trails) {
    for (const [index, claim] of trail.entries()) {
      const next = trail[index + 1];
      const fromMs = killedAtMs.get(processOf(claim.detail.by));
      if (claim.event !== 'claim' || fromMs === undefined || next?.event !== 'lease_lost') continue;
      const waitMs = next.atMs - fromMs - overlapMs(stills, fromMs, next.atMs);
      waits.push(waitMs);
      if (waitMs > boundMs) late.push(`${id} after ${waitMs} ms, not ${boundMs}`);
    }
  }
  waits.sort((a, b) => a - b);
  findings.figures['jobs freed after a kill'] = waits.length;
  findings.figures['longest recovery, ms'] = `${waits.at(-1) ?? 0} (at most ${boundMs})`;
  findings.none('late recoveries', late);
}

export type Interval = readonly [fromMs: number, toMs: number];

/** The times in which nobody could rescue: no worker was up that was not paused, or a paused one may have stopped all. */
export function stillTimes(blows: readonly Blow[], pausesStopAll: boolean): readonly Interval[] {
  const up = new Set<string>();
  const paused = new Set<string>();
  const intervals: Interval[] = [];
  let fromMs: number | undefined;
  for (const { kind, worker, atMs } of blows) {
    if (kind === 'ready') up.add(worker);
    else if (kind === 'kill') up.delete(worker);
    else if (kind === 'pause') paused.add(worker);
    else paused.delete(worker);
    const nobodyIsUp = [...up].every((name) => paused.has(name));
    const isStill = nobodyIsUp || (pausesStopAll && paused.size > 0);
    if (isStill) fromMs ??= atMs;
    else if (fromMs !== undefined) {
      intervals.push([fromMs, atMs]);
      fromMs = undefined;
    }
  }
  return intervals;
}

export function overlapMs(intervals: readonly Interval[], fromMs: number, toMs: number): number {
  return intervals
    .map(([from, to]) => Math.min(to, toMs) - Math.max(from, fromMs))
    .reduce((sum, ms) => sum + Math.max(0, ms), 0);
}
