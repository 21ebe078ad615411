import type { TrailRecord } from '../../packages/testkit/src/conformance/store/audit-trail.ts';
import type { Findings } from './report.ts';

/** The latest time that the store's clock has shown between the run before and the one with this token, if known. */
export type LatestTime = (id: string, token: number) => number | undefined;

/**
 * No attempt begins before its time, by the clock of the store, which alone says what time it is. A job that has become
 * ready stays so, though the clock may be set back before it is claimed.
 */
export function checkNeverEarly(
  trails: ReadonlyMap<string, readonly TrailRecord[]>,
  latest: LatestTime,
  findings: Findings,
): void {
  const early: string[] = [];
  let waits = 0;
  for (const [id, trail] of trails) {
    let dueAtMs: number | undefined;
    for (const record of trail) {
      if (record.event === 'claim' && dueAtMs !== undefined) {
        waits += 1;
        const shownMs = Math.max(record.atMs, latest(id, record.token) ?? record.atMs);
        if (shownMs < dueAtMs) early.push(`${id} by ${dueAtMs - shownMs} ms`);
      }
      dueAtMs = dueAfter(record);
    }
  }
  findings.figures['attempts that had to wait'] = waits;
  findings.none('early attempts', early);
}

/** Attempts take no negative time, whatever the clocks say, and none longer than the run. */
export function checkDurations(
  trails: ReadonlyMap<string, readonly TrailRecord[]>,
  longestMs: number,
  findings: Findings,
): void {
  const wrong = [...trails].flatMap(([id, trail]) =>
    trail
      .filter(({ event }) => event === 'settle')
      .map(({ detail }) => detail.durationMs)
      .filter((ms) => typeof ms === 'number' && !(ms >= 0 && ms <= longestMs))
      .map((ms) => `${id}: ${String(ms)} ms`),
  );
  findings.none('impossible durations', wrong);
}

/** When a job is due after this record, if it has to wait for that. */
function dueAfter({ event, atMs, to, detail }: TrailRecord): number | undefined {
  if (to !== 'scheduled') return undefined;
  if (event !== 'enqueue') return atMs + Number(detail.delayMs ?? 0);
  // The two forms of a moment, as `enqueueDetail` writes them.
  const due = detail.due as { readonly atMs?: number; readonly inMs?: number } | undefined;
  return due?.atMs ?? (due?.inMs === undefined ? undefined : atMs + due.inMs);
}
