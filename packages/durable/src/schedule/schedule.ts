import type { Handlers, PayloadOf } from '../handler/handler.ts';
import type { SchedulePlan } from './plan.ts';

/** A schedule: when it ticks (`everyMs` or `cron`), and the job that each tick enqueues. */
export interface ScheduleOptions<H extends Handlers, K extends keyof H & string> {
  readonly handler: K;
  /** The payload of every job, at most 16 KiB of JSON. Default: none. */
  readonly payload?: PayloadOf<H[K]>;
  /** Ticks at the multiples of this interval since 1970. At least 1,000. */
  readonly everyMs?: number;
  /** Ticks by a cron expression of five fields, or six with seconds in front. */
  readonly cron?: string;
  /** The time zone of `cron`, such as `Europe/Berlin`. Default `UTC`. */
  readonly timeZone?: string;
  /**
   * For a tick while the job of an earlier tick is unfinished. `skip`: enqueues nothing. `queue`: its job waits until the
   * earlier one is finished, unless the handler allows more with `limitPerKey`. Default `skip`.
   */
  readonly overlap?: 'skip' | 'queue';
  /**
   * For ticks that passed while no worker ran, or while the schedule was stopped: `last` enqueues the last of them, `none`
   * enqueues nothing. A tick that is at most a minute late is not missed. Default `last`.
   */
  readonly missed?: 'none' | 'last';
  /**
   * With `everyMs`: a new schedule enqueues its first job at once instead of at its next tick. One with a changed interval
   * does so if its last tick is longer ago than the new interval. Default `false`.
   */
  readonly startNow?: boolean;
  /** Default `default`. */
  readonly queue?: string;
  /** Default `""`: none. */
  readonly tenant?: string;
  /** -1,000 to 1,000, higher first. Default 0. */
  readonly priority?: number;
}

/** A schedule as a process declares it, and as its document keeps it. */
export interface Schedule {
  readonly plan: SchedulePlan;
  readonly overlap: 'skip' | 'queue';
  readonly missed: 'none' | 'last';
  /** Not in its document: it matters only where the schedule is declared. */
  readonly startNow?: boolean | undefined;
  /** The job of every tick. */
  readonly job: ScheduledJob;
}

export interface ScheduledJob {
  readonly handler: string;
  readonly queue: string;
  readonly tenant: string;
  readonly priority: number;
  /** JSON. Empty: none. */
  readonly payload: string;
}

/** Kind `schedule` of the control documents; its key is the name. */
export interface ScheduleDocument extends Schedule {
  /** The worker that enqueues its ticks. Until `untilMs` the others leave them to it. */
  readonly holder: string;
  readonly untilMs: number;
  /** The last tick that was decided. Ids of pruned jobs are forgotten, so only the cursor shows that a tick is over. */
  readonly cursorMs: number;
  /** The result of that tick. `skipped`: `jobId` was unfinished. */
  readonly last?: {
    readonly tickMs: number;
    readonly result: 'enqueued' | 'skipped' | 'missed';
    readonly jobId?: string | undefined;
  };
  /** Cumulative counts: `enqueued`, `skipped` and `missed` ticks, and counts that its handler adds. */
  readonly totals: Readonly<Record<string, number>>;
  /** A position that its handler keeps, such as the last dead letter that it published. */
  readonly position?: string | undefined;
}
