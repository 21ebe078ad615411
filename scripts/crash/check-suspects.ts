import type { TrailRecord } from '../../packages/testkit/src/conformance/store/audit-trail.ts';
import { overlapMs, stillTimes } from './check-recovery.ts';
import type { Facts } from './evidence.ts';
import { percentile } from './latencies.ts';
import { processOf } from './process-of.ts';
import type { Findings } from './report.ts';

export interface SuspectBounds {
  readonly leaseMs: number;
  readonly sweepMs: number;
  /** What a machine may take besides. */
  readonly slackMs: number;
}

/**
 * From the kill of its worker to the next claim of the job, for jobs that lost one process, two in a row, and more. Times in
 * which no worker was up do not count.
 */
export function checkSuspects(
  trails: ReadonlyMap<string, readonly TrailRecord[]>,
  { blows }: Pick<Facts, 'blows'>,
  { leaseMs, sweepMs, slackMs }: SuspectBounds,
  findings: Findings,
): void {
  const killedAtMs = new Map(
    blows.filter(({ kind }) => kind === 'kill').map(({ worker, atMs }) => [worker, atMs]),
  );
  const stills = stillTimes(blows, false);
  const waits: Record<'once' | 'twice' | 'more often', number[]> = {
    once: [],
    twice: [],
    'more often': [],
  };
  for (const trail of trails.values()) {
    let losses = 0;
    let lostAtMs: number | undefined;
    for (const [index, { event, atMs }] of trail.entries()) {
      if (event === 'lease_lost') {
        losses += 1;
        const claim = trail[index - 1];
        lostAtMs = claim && (killedAtMs.get(processOf(claim.detail.by)) ?? atMs);
      } else if (event === 'claim') {
        const often = losses === 1 ? 'once' : losses === 2 ? 'twice' : 'more often';
        if (lostAtMs !== undefined) {
          waits[often].push(atMs - lostAtMs - overlapMs(stills, lostAtMs, atMs));
        }
        lostAtMs = undefined;
      } else if (event === 'settle') {
        losses = 0;
      }
    }
  }
  for (const [often, found] of Object.entries(waits)) {
    found.sort((a, b) => a - b);
    findings.figures[`lost ${often}: jobs`] = found.length;
    findings.figures[`lost ${often}: median to the next start, ms`] = percentile(found, 0.5);
    findings.figures[`lost ${often}: longest to the next start, ms`] = found.at(-1) ?? 0;
  }
  const boundMs = 2 * (leaseMs + sweepMs + slackMs);
  findings.atMost('from the second loss to the next start, ms', waits.twice.at(-1) ?? 0, boundMs);
}
