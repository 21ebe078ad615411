import { NO_RESULTS, type RampPlan, type RampStage } from './ramp.ts';
import type { ReleasePace } from './release-pace.ts';

/** Kind `operation`; its key is the id of the bulk operation. Its options, and its progress beside the stored cursor. */
export interface BulkProgress {
  /** `stopped`: by its ramp, because too many jobs failed again. `aborted`: by an operator, for good. */
  readonly state: 'running' | 'paused' | 'stopped' | 'aborted' | 'finished';
  /** Its submission and the changes of its state since, oldest first. At least one. */
  readonly changes: readonly BulkChange[];
  /** Absent: it has not been carried out since the last change of its state or rate. */
  readonly speed?: BulkSpeed | undefined;
  /** Acts per second at most, as a pace that does not grow. Absent: no limit. */
  readonly pace?: ReleasePace | undefined;
  /** Jobs that were sent and have no result, at most. Absent: any number. */
  readonly maxInFlight?: number | undefined;
  /** Absent: all at once. */
  readonly ramp?: { readonly plan: RampPlan; readonly at: RampStage } | undefined;
  /**
   * Jobs without a result, where results are observed (a ramp, or a maximum in flight). Written before they are sent, so
   * that a crash in between loses none of them.
   */
  readonly underWay: readonly BulkItem[];
  /** The operation's revision when the newest of `underWay` were written. */
  readonly sentAt: number;
  /** Results of all stages, also of those before a resume. */
  readonly succeeded: number;
  readonly cameBack: number;
  /** The number of items at the beginning, where it is known. */
  readonly total?: { readonly count: number; readonly bounded: boolean } | undefined;
  /** The items, where they were named one by one. */
  readonly ids?: readonly (string | BulkItem)[] | undefined;
  /** Its payload or its ids are not stored: only a process that submits it again can carry it out. */
  readonly bySubmitter?: true | undefined;
  /** The process that carries it out, and until when no other process does. */
  readonly runner?: { readonly worker: string; readonly untilMs: number } | undefined;
  /** It is over, and its operation is finished, too. */
  readonly settled?: boolean | undefined;
}

/** A change of the state of a bulk operation: who made it, when and why. */
export interface BulkChange {
  readonly to: BulkProgress['state'];
  readonly atMs: number;
  readonly by: string;
  readonly why?: string | undefined;
}

/** Since when it is in its state. */
export function changedAtMs({ changes }: Pick<BulkProgress, 'changes'>): number {
  return changes.at(-1)?.atMs ?? 0;
}

const MAX_CHANGES = 20;

/** The progress in another state. Keeps the submission and the newest changes. */
export function changeState(progress: BulkProgress, change: BulkChange): BulkProgress {
  const { changes } = progress;
  const newest = changes.slice(1).slice(2 - MAX_CHANGES);
  return { ...progress, state: change.to, changes: [...changes.slice(0, 1), ...newest, change] };
}

/** Items that were done until two times, the second at least as late. */
export interface BulkSpeed {
  readonly from: DoneAt;
  readonly to: DoneAt;
}

export interface DoneAt {
  readonly atMs: number;
  readonly done: number;
}

/** The speed is measured over the last half to whole minute. */
const HALF_MS = 30_000;

/** The speed with the items that are done now. */
export function noteSpeed(speed: BulkSpeed | undefined, now: DoneAt): BulkSpeed {
  const pastMs = now.atMs - (speed?.to.atMs ?? 0);
  // Nothing was written for a while, or the clock was set back.
  if (speed === undefined || pastMs < 0 || pastMs > 2 * HALF_MS) return { from: now, to: now };
  return pastMs < HALF_MS ? speed : { from: speed.to, to: now };
}

/** A job in the generation that the act gave it. */
export interface BulkItem {
  readonly id: string;
  readonly generation: number;
}

/** An item as it is now. */
export interface ItemNow {
  readonly generation: number;
  /** The first result of this generation. Absent: none yet. `other`: the job ended without success or failure. */
  readonly result?: 'succeeded' | 'failed' | 'other' | undefined;
}

/** Whether it observes the results of its items. */
export function isFollowed({
  ramp,
  maxInFlight,
}: Pick<BulkProgress, 'ramp' | 'maxInFlight'>): boolean {
  return ramp !== undefined || maxInFlight !== undefined;
}

/** Whether nothing more follows. */
export function isOver({ state }: Pick<BulkProgress, 'state'>): boolean {
  return state === 'finished' || state === 'aborted';
}

export interface CountedResults {
  readonly progress: BulkProgress;
  /** Items were written down, and it is open whether they will be sent: a process may be about to send them. */
  readonly pending: boolean;
}

/**
 * The progress with all results that exist by now. `revision` is the operation's, read before the items: if it is not
 * higher than `sentAt`, the newest items may not have been sent yet; if it is, an item in its old generation has refused.
 * An item that refused or ended in another way leaves its place in the stage to the next item.
 */
export function countResults(
  progress: BulkProgress,
  items: ReadonlyMap<string, ItemNow>,
  revision: number,
): CountedResults {
  const underWay: BulkItem[] = [];
  let pending = false;
  const count = { succeeded: 0, failed: 0, dropped: 0 };
  for (const item of progress.underWay) {
    const now = items.get(item.id);
    if (now !== undefined && now.generation < item.generation && revision <= progress.sentAt) {
      pending = true;
      underWay.push(item);
      continue;
    }
    const result = resultOf(item, now);
    if (result === undefined) underWay.push(item);
    else count[result] += 1;
  }
  if (underWay.length === progress.underWay.length) return { progress, pending };
  const { ramp } = progress;
  return {
    progress: {
      ...progress,
      underWay,
      succeeded: progress.succeeded + count.succeeded,
      cameBack: progress.cameBack + count.failed,
      ramp: ramp && {
        ...ramp,
        at: {
          ...ramp.at,
          sent: Math.max(0, ramp.at.sent - count.dropped),
          succeeded: ramp.at.succeeded + count.succeeded,
          cameBack: ramp.at.cameBack + count.failed,
        },
      },
    },
    pending,
  };
}

function resultOf(
  { generation }: BulkItem,
  now: ItemNow | undefined,
): 'succeeded' | 'failed' | 'dropped' | undefined {
  if (now === undefined || now.generation < generation) return 'dropped';
  // Somebody has sent it again since: it had failed.
  if (now.generation > generation) return 'failed';
  return now.result === 'other' ? 'dropped' : now.result;
}

/** The progress when these items are about to be sent. An item that was named twice counts once. */
export function noteSent(
  progress: BulkProgress,
  items: readonly BulkItem[],
  revision: number,
): BulkProgress {
  const { ramp } = progress;
  const underWay = new Map(progress.underWay.map((item) => [item.id, item]));
  for (const item of items) if (!underWay.has(item.id)) underWay.set(item.id, item);
  const sent = underWay.size - progress.underWay.length;
  if (sent === 0) return progress;
  return {
    ...progress,
    underWay: [...underWay.values()],
    sentAt: revision,
    ramp: ramp && { ...ramp, at: { ...ramp.at, sent: ramp.at.sent + sent } },
  };
}

/** The progress at the beginning of a stage of its ramp. */
export function enterStage(progress: BulkProgress, stage: number): BulkProgress {
  const { ramp } = progress;
  return { ...progress, ramp: ramp && { ...ramp, at: { ...NO_RESULTS, stage } } };
}
