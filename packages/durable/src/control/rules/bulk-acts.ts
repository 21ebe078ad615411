import { type BulkProgress, changeState, enterStage, isOver } from './bulk-progress.ts';
import { openPace } from './release-pace.ts';

/** The actor of a change, and the reason. */
export interface BulkActor {
  readonly by: string;
  readonly why?: string | undefined;
}

/** An act of an operator on a bulk operation. */
export type BulkAct =
  | { readonly kind: 'pause' | 'resume' | 'abort' }
  /** Absent: no limit. */
  | { readonly kind: 'rate'; readonly perSecond?: number | undefined };

/**
 * The progress after an operator's act. The same one: nothing changes. `undefined`: the act is not possible, because it is
 * over. One that its ramp has stopped begins its ramp again; jobs that were sent before are not observed any more.
 */
export function actOnBulk(
  progress: BulkProgress,
  act: BulkAct,
  { by, why }: BulkActor,
  nowMs: number,
): BulkProgress | undefined {
  const { state } = progress;
  const changed = (from: BulkProgress, to: BulkProgress['state']): BulkProgress => ({
    ...changeState(from, { to, atMs: nowMs, by, why }),
    speed: undefined,
  });
  if (isOver(progress)) return act.kind === 'abort' && state === 'aborted' ? progress : undefined;
  switch (act.kind) {
    case 'pause':
      return state === 'running' ? changed(progress, 'paused') : progress;
    case 'resume': {
      if (state === 'running') return progress;
      const begun = state === 'stopped' ? enterStage({ ...progress, underWay: [] }, 0) : progress;
      return changed(begun, 'running');
    }
    case 'abort':
      return changed({ ...progress, underWay: [] }, 'aborted');
    case 'rate': {
      const { perSecond } = act;
      const pace = perSecond === undefined ? undefined : openPace(nowMs, perSecond);
      return { ...progress, pace, speed: undefined };
    }
  }
}
