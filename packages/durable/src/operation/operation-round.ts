import { bulkAnswer } from '../control/rules/bulk-answer.ts';
import {
  type BulkProgress,
  changeState,
  countResults,
  enterStage,
  isFollowed,
  isOver,
  noteSpeed,
} from '../control/rules/bulk-progress.ts';
import type { FullStore } from '../store/full-store.ts';
import { type ActWish, cutOffOf, wishOf } from './act-wish.ts';
import { settleOperation } from './end-operation.ts';
import type { ActRefusal } from './plan-acts.ts';
import { itemsNow, sendPage, skipPending } from './send-page.ts';
import { type FoundProgress, findProgress, writeProgress } from './stored-progress.ts';

/** A process that carries out bulk operations. */
export interface BulkRunner {
  readonly store: FullStore;
  /** Names this process, and no other one at the same time. */
  readonly worker: string;
  /** Items of one step, 1 to 1,000. */
  readonly batch: number;
  /** Given by the process that submitted it. Default: as it is stored. */
  readonly wish?: ActWish | undefined;
}

export type RoundAnswer =
  /** Call again after this time. `sent`: it has just acted on some. */
  | {
      readonly kind: 'again';
      readonly waitMs: number;
      readonly sent: boolean;
      readonly refusals: readonly ActRefusal[];
    }
  /** There is nothing to do now. */
  | { readonly kind: 'rest' }
  /** Another process carries it out, at least for this time. */
  | { readonly kind: 'others'; readonly waitMs: number };

/** A process that has not written for this long loses the bulk operation to others. */
export const RUNNER_LEASE_MS = 5_000;
const RENEW_MS = RUNNER_LEASE_MS / 2;
/** The time between two looks for results while it is paused or stopped. */
const REST_MS = 1_000;

/**
 * One step of a bulk operation: reads the results, asks `bulkAnswer` for the next step, and does it. Every step is
 * written first, on condition that no other process has written since. So any number of processes may try, each may be
 * killed at any place, and each job is acted on once.
 */
export async function operationRound(runner: BulkRunner, id: string): Promise<RoundAnswer> {
  const { store, worker } = runner;
  const by = `worker:${worker}`;
  const [found, operation] = await Promise.all([findProgress(store, id), store.operation(id)]);
  if (found === undefined || operation === undefined) return REST;
  const { progress: before, nowMs } = found;
  if (isOver(before)) {
    await settleOperation(store, id);
    return REST;
  }
  const othersMs = heldByOthersMs(before, worker, nowMs);
  if (othersMs > 0) return { kind: 'others', waitMs: othersMs };
  const wish = runner.wish ?? wishOf(operation, before.ids);
  if (wish === undefined) return REST;
  const earlyMs = wish.act === 'regroup' ? (cutOffOf(operation.request) ?? 0) - nowMs : -1;
  if (earlyMs >= 0) return again(earlyMs + 1);
  const items = await itemsNow(store, before.underWay);
  const { progress, pending } = countResults(before, items, operation.revision);
  if (pending) {
    await skipPending(store, operation);
    return again(0);
  }
  const more = operation.state === 'running';
  const answer = bulkAnswer(progress, { more, atMost: runner.batch, nowMs });
  const write = (next: BulkProgress, note?: object) => {
    const lease = isOver(next) ? undefined : leaseOf(worker, nowMs);
    const done = { atMs: nowMs, done: operation.acted + operation.refused };
    const speed = next.state === 'running' ? noteSpeed(next.speed, done) : undefined;
    return writeProgress(store, id, found, { ...next, speed, runner: lease }, note);
  };
  const mustWrite = progress !== before || isRenewed(found);
  switch (answer.kind) {
    case 'rest':
      if (mustWrite) await write(progress);
      return progress.underWay.length > 0 ? again(REST_MS) : REST;
    case 'wait':
      if (mustWrite) await write(progress);
      return again(answer.waitMs);
    case 'next':
      await write(enterStage(progress, answer.stage), {
        by,
        act: 'stage',
        stage: answer.stage + 1,
      });
      return again(0);
    case 'stop': {
      const said = { by, why: stopText(progress) };
      const stopped = changeState(progress, { to: 'stopped', atMs: nowMs, ...said });
      await write(stopped, { ...said, act: 'stop' });
      return again(0);
    }
    case 'finish': {
      const { ids: _, ...rest } = progress;
      const { succeeded, cameBack } = rest;
      const finished = changeState(rest, { to: 'finished', atMs: nowMs, by });
      // The operation has noted its end with its numbers. Results are known only here.
      const note = isFollowed(rest) ? { by, act: 'finish', succeeded, cameBack } : undefined;
      return (await write({ ...finished, settled: true }, note)) ? REST : again(0);
    }
    case 'send': {
      const { items: count, pace } = answer;
      const { sent, refusals } = await sendPage({
        store,
        wish,
        operation,
        progress: { ...progress, pace },
        items: count,
        mustWrite: mustWrite || pace !== before.pace,
        write,
      });
      return { kind: 'again', waitMs: 0, sent, refusals };
    }
  }
}

const REST: RoundAnswer = { kind: 'rest' };

function again(waitMs: number): RoundAnswer {
  return { kind: 'again', waitMs, sent: false, refusals: [] };
}

/** The time for which another process has it, if that process does not write again. 0: no other process has it. */
export function heldByOthersMs({ runner }: BulkProgress, worker: string, nowMs: number): number {
  if (runner === undefined || runner.worker === worker) return 0;
  const leftMs = Math.max(0, runner.untilMs - nowMs);
  // Longer than any lease: the clock was set back since, and nobody would continue for as long.
  return leftMs > 2 * RUNNER_LEASE_MS ? 0 : leftMs;
}

/** Whether it is time to renew the lease. */
function isRenewed({ progress, nowMs }: FoundProgress): boolean {
  const leftMs = (progress.runner?.untilMs ?? 0) - nowMs;
  // Also when the clock was set back: a lease that lies too far ahead keeps no other process away.
  return leftMs < RENEW_MS || leftMs > RUNNER_LEASE_MS;
}

export function leaseOf(worker: string, nowMs: number): BulkProgress['runner'] {
  return { worker, untilMs: nowMs + RUNNER_LEASE_MS };
}

function stopText({ ramp }: BulkProgress): string {
  const { stage = 0, sent = 0, cameBack = 0 } = ramp?.at ?? {};
  return `${cameBack} of ${sent} jobs of stage ${stage + 1} failed again`;
}

/** Ends the lease, so that other processes need not wait until it runs out. */
export async function endLease({ store, worker }: BulkRunner, id: string): Promise<void> {
  const found = await findProgress(store, id);
  if (found?.progress.runner?.worker !== worker) return;
  const { runner: _, ...progress } = found.progress;
  await writeProgress(store, id, found, progress);
}
