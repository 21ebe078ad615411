import { type BulkProgress, isFollowed } from './bulk-progress.ts';
import { rampAnswer } from './ramp.ts';
import { paceWaitMs, type ReleasePace, takeFromPace } from './release-pace.ts';

/** The next step of a bulk operation. */
export type BulkAnswer =
  /** Send this many more items. `pace`: as it is afterwards. */
  | { readonly kind: 'send'; readonly items: number; readonly pace?: ReleasePace | undefined }
  | { readonly kind: 'wait'; readonly waitMs: number }
  | { readonly kind: 'next'; readonly stage: number }
  /** Too many items failed again. */
  | { readonly kind: 'stop' }
  | { readonly kind: 'finish' }
  /** It is paused, stopped or over. */
  | { readonly kind: 'rest' };

/** The time between two looks for results. */
const LOOK_AGAIN_MS = 200;

export interface BulkMoment {
  /** Whether there are items that were not sent. */
  readonly more: boolean;
  /** The items that fit into one step. */
  readonly atMost: number;
  readonly nowMs: number;
}

/** The next step of a bulk operation. Stops before it sends: results that exist count first. */
export function bulkAnswer(
  progress: BulkProgress,
  { more, atMost, nowMs }: BulkMoment,
): BulkAnswer {
  const { ramp, underWay, maxInFlight = Infinity, pace } = progress;
  if (progress.state !== 'running') return { kind: 'rest' };
  const stage = ramp ? rampAnswer(ramp.plan, ramp.at) : SEND_ALL;
  if (stage.kind === 'stop' || stage.kind === 'next') return stage;
  if (!more) return underWay.length === 0 ? { kind: 'finish' } : LOOK_AGAIN;
  if (stage.kind === 'wait') return LOOK_AGAIN;
  const room = isFollowed(progress) ? maxInFlight - underWay.length : Infinity;
  const items = Math.min(stage.items, room, atMost);
  if (items <= 0) return LOOK_AGAIN;
  if (pace === undefined) return { kind: 'send', items };
  const taken = takeFromPace(pace, items, nowMs);
  if (taken.granted > 0) return { kind: 'send', items: taken.granted, pace: taken.pace };
  return { kind: 'wait', waitMs: Math.max(1, paceWaitMs(pace, nowMs)) };
}

const SEND_ALL = { kind: 'send', items: Infinity } as const;
const LOOK_AGAIN = { kind: 'wait', waitMs: LOOK_AGAIN_MS } as const;
