import { join } from 'node:path';
import type { FullStore } from '@redrive/durable';
import { operationStatus } from '@redrive/durable/control';
import { trailsOf } from '../../packages/testkit/src/conformance/store/audit-trail.ts';
import { allJobs } from '../../packages/testkit/src/conformance/store/invariants.ts';
import { type Blow, type Deed, readEvidence } from './evidence.ts';
import { readJournal } from './journal.ts';
import type { Stop } from './operator.ts';
import type { Findings } from './report.ts';

export interface ControlBounds {
  /** Where the operator has noted what was stopped. */
  readonly stops: string;
  /** So long after a stop has begun, nothing starts any more. */
  readonly seenWithinMs: number;
  /** The bulk operation. */
  readonly operation: string;
  readonly slackMs: number;
}

/** Whether control was obeyed while everything else went on, and has left nothing behind. */
export async function checkControl(
  store: FullStore,
  directory: string,
  bounds: ControlBounds,
  findings: Findings,
): Promise<void> {
  const { deeds, blows } = readEvidence(directory);
  const stops = readJournal<Stop>(join(directory, bounds.stops));
  findings.figures['kill switches'] = stops.filter(({ kind }) => kind === 'kill').length;
  findings.figures['pauses of the queue'] = stops.filter(({ kind }) => kind === 'pause').length;
  findings.none('started while stopped', startsWhileStopped(deeds, blows, stops, bounds));
  await checkActs(store, bounds.operation, findings);
  await checkLeftovers(store, findings);
}

/**
 * Attempts that began while all of the queue was stopped. A process that was paused in between may have passed its checks
 * before the stop, and begins when it wakes up: nobody can help that.
 */
export function startsWhileStopped(
  deeds: readonly Deed[],
  blows: readonly Blow[],
  stops: readonly Stop[],
  { seenWithinMs }: Pick<ControlBounds, 'seenWithinMs'>,
): readonly string[] {
  const whole = stops.filter(({ target }) => target.scope === 'all' || target.scope === 'queue');
  const pauses = blows.filter(({ kind }) => kind === 'pause' || kind === 'resume');
  const wasPaused = (worker: string, fromMs: number, toMs: number): boolean =>
    pauses.some((blow) => blow.worker === worker && blow.atMs >= fromMs && blow.atMs <= toMs);
  return whole.flatMap(({ kind, target, fromMs, toMs }) =>
    deeds
      .filter(({ what, atMs, worker }) => {
        const isInside = what === 'start' && atMs > fromMs + seenWithinMs && atMs < toMs;
        return isInside && !wasPaused(worker, fromMs - seenWithinMs, atMs);
      })
      .map(
        ({ key, worker, atMs }) =>
          `${key} by ${worker}, ${atMs - fromMs} ms after the ${kind} of ${target.name ?? 'all'}`,
      ),
  );
}

/** Each job was requeued once, however often it was asked for and whoever died while doing it. */
async function checkActs(store: FullStore, operation: string, findings: Findings): Promise<void> {
  const status = await operationStatus(store, operation);
  findings.figures['sent back'] = status?.acted ?? 0;
  if (status?.state !== 'finished') {
    findings.violation('operation not finished', String(status?.state));
  }
  const trails = await trailsOf(store);
  const requeues = [...trails].map(([id, trail]) => {
    return [id, trail.filter(({ event }) => event === 'requeue').length] as const;
  });
  findings.none(
    'sent back twice',
    requeues.filter(([, times]) => times > 1).map(([id, times]) => `${id}: ${times} times`),
  );
  const sent = requeues.filter(([, times]) => times > 0).length;
  if (sent !== status?.acted) {
    findings.violation('acts', `${status?.acted} are told, and ${sent} are in the log`);
  }
  const jobs = await allJobs(store);
  // An attempt that began before the repair may end as dead after the bulk operation has begun: that one is not its job.
  const beganAtMs = status?.startedAtMs ?? 0;
  const dead = jobs.filter(
    ({ state, handler, finishedAtMs = 0 }) =>
      state === 'dead' && handler === 'fragile' && finishedAtMs < beganAtMs,
  );
  findings.none(
    'left behind',
    dead.map(({ id }) => id),
  );
  const parked = [...trails.values()].flat().filter(({ to }) => to === 'parked');
  findings.figures['times parked'] = parked.length;
}

async function checkLeftovers(store: FullStore, findings: Findings): Promise<void> {
  const { all } = await store.controls();
  const kills = all.filter(({ kind }) => kind === 'kill');
  findings.none(
    'left stopped',
    kills.map(({ key }) => key),
  );
  const parks = (await store.parks()).filter(({ count }) => count > 0);
  findings.none(
    'left parked',
    parks.map(({ cause, count }) => `${cause}: ${count}`),
  );
  for (const kind of ['gate', 'breaker'] as const) {
    const count = all.filter((control) => control.kind === kind).length;
    findings.figures[`documents of kind ${kind}`] = count;
  }
}
