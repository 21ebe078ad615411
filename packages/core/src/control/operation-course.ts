import type { RampPlan, RampStage } from './ramp.ts';
import type { ReleasePace } from './release-pace.ts';

/** Kind `operation`; its key is the operation's id. How an act on many goes on, and what is known of it. */
export interface OperationCourse {
  /** `stopped`: by its ramp, because too many came back. `aborted`: for good. */
  readonly state: 'running' | 'paused' | 'stopped' | 'aborted' | 'finished';
  /** Who said so last, and why. */
  readonly by: string;
  readonly why?: string | undefined;
  /** Acts per second at most, as a pace that does not grow. Absent: as fast as it goes. */
  readonly pace?: ReleasePace | undefined;
  /** Items that were acted on and have not ended, at most. */
  readonly maxInFlight: number;
  /** Absent: all at once. */
  readonly ramp?: { readonly plan: RampPlan; readonly at: RampStage } | undefined;
  /** Items under way: written before they are acted on, so that a crash in between loses none of them. */
  readonly underWay: readonly { readonly id: string; readonly generation: number }[];
  /** Which process carries it out, and until when nobody else does. */
  readonly runner?: { readonly worker: string; readonly untilMs: number } | undefined;
}
