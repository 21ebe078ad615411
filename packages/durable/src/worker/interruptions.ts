import type { Clock } from '@redrive/core';
import { ABORT_GRACE_MS } from '../handler/job-context.ts';
import type { LeasedJob } from '../job/job.ts';
import type { Executor } from './executor.ts';
import { GIVEN_BACK } from './guards.ts';
import { type Cut, cutReasons, type HeldJob, timeoutOf } from './held-job.ts';
import type { HeldJobs } from './held-jobs.ts';
import type { Notice } from './notice.ts';
import type { StoreTime } from './store-contact.ts';

interface InterruptionsParts {
  readonly clock: Clock;
  readonly time: StoreTime;
  readonly jobs: HeldJobs;
  readonly executor: Executor;
  readonly notify: (notice: Notice) => void;
}

/** Interrupts held jobs: after a lost lease, a cancellation, a kill switch, a time limit, or because the worker stops. */
export class Interruptions {
  readonly #parts: InterruptionsParts;

  constructor(parts: InterruptionsParts) {
    this.#parts = parts;
    parts.jobs.limits.onLimit((held, nowMs) => this.#timeUp(held, nowMs));
  }

  /** The lease may have run out, or (`certain`) another process has it. */
  lost(held: HeldJob, certain: boolean): void {
    const { jobs, notify, clock } = this.#parts;
    // It has finished: the store's answer to its settlement will say so.
    if (held.phase === 'finished') return;
    held.isTaken ||= certain;
    if (held.isLost) return;
    held.isLost = true;
    notify({ kind: 'lease_lost', jobId: held.jobId, handler: held.handler });
    if (held.phase === 'running') {
      held.abort('lease_lost', cutReasons.leaseLost(held.jobId));
      held.limitMs = clock.monotonic() + ABORT_GRACE_MS;
      jobs.limits.watch(held.limitMs);
      return;
    }
    jobs.queue.remove((each) => each === held);
    if (certain) jobs.forget(held);
    else this.#giveBack(held);
  }

  /** Its lease was found expired. Compares the token too: this process may have claimed the job again since. */
  rescued({ id, token }: LeasedJob): void {
    for (const held of this.#parts.jobs.all) {
      if (held.jobId === id && held.token === token) this.lost(held, true);
    }
  }

  /** A user cancelled it. */
  cancel(held: HeldJob): void {
    const { jobs, executor } = this.#parts;
    if (held.phase === 'running') this.#cut(held, 'cancel', cutReasons.cancelled(held.jobId));
    if (held.phase === 'running' || held.phase === 'finished') return;
    jobs.queue.remove((each) => each === held);
    const outcome = { kind: 'failure', errorClass: 'ignored', effect: 'none' } as const;
    executor.finish(held, { outcome });
  }

  /** A kill switch interrupts its attempt. Unless the handler succeeds all the same, the job is given back. */
  kill(held: HeldJob): void {
    if (held.phase === 'running') this.#cut(held, 'killed', cutReasons.killed());
  }

  /** Its attempt has made no progress for too long. Its handler says whether that ends it. */
  stalled(held: HeldJob, forMs: number): void {
    const { jobId, lane, handler } = held;
    const { onStall, stallAfterMs } = lane.handler;
    held.stalledSinceMs = this.#parts.time.nowMs() - forMs;
    const { newest: progress } = held.reports;
    this.#parts.notify({ kind: 'attempt_stalled', jobId, handler, forMs, progress });
    if (onStall === 'interrupt') this.#cut(held, 'stalled', cutReasons.stalled(stallAfterMs));
  }

  /** Aborts its signal. A handler that does not listen to it loses its place to another job after a moment. */
  #cut(held: HeldJob, cut: Cut, reason: unknown): void {
    // Every heartbeat reports the cancellation again: the time of grace must not begin anew.
    if (held.cut !== undefined) return;
    const { clock, jobs } = this.#parts;
    held.abort(cut, reason);
    held.limitMs = clock.monotonic() + ABORT_GRACE_MS;
    jobs.limits.watch(held.limitMs);
  }

  /** The time limit of an attempt has passed, or after that the time of grace. */
  #timeUp(held: HeldJob, nowMs: number): void {
    const { executor } = this.#parts;
    const { attemptTimeoutMs } = held.version.policy;
    switch (held.cut) {
      case undefined:
        held.abort('timeout', timeoutOf(held, nowMs));
        held.limitMs = nowMs + ABORT_GRACE_MS;
        break;
      case 'stopping':
        // The caller of stop() sets this limit.
        held.limitMs = Infinity;
        break;
      case 'killed':
        // A person decides about an unknown effect, and the handler may still be running: it keeps all of its time.
        if (held.lane.handler.onUnknown === 'ask') {
          const leftMs = Math.min(attemptTimeoutMs - (nowMs - held.startMs), held.timeLeftMs);
          held.limitMs = nowMs + leftMs;
          if (leftMs > 0) break;
          held.cut = 'timeout';
          held.cutReason = timeoutOf(held, nowMs);
        }
        executor.giveUp(held);
        break;
      default:
        executor.giveUp(held);
    }
  }

  /** Gives back jobs that wait here, uncharged. */
  giveBack(isMeant: (held: HeldJob) => boolean): void {
    for (const held of this.#parts.jobs.queue.remove(isMeant)) this.#giveBack(held);
  }

  /** Gives back all jobs that have not started. */
  giveBackWaiting(): void {
    this.giveBack(() => true);
    for (const held of this.#parts.jobs.all) if (held.phase === 'asking') this.#giveBack(held);
  }

  /** Aborts running attempts. Unless a handler succeeds all the same, its job is given back. */
  stopRunning(): void {
    const reason = cutReasons.stopping();
    for (const held of this.#parts.jobs.all) {
      if (held.phase === 'running') held.abort('stopping', reason);
    }
  }

  /**
   * Waits no longer for running attempts, and gives their jobs back. Where a person decides about an unknown effect, the
   * job is left to its lease instead, because its handler may still be running. Returns the number of attempts.
   */
  abandonRunning(): number {
    const { jobs } = this.#parts;
    const running = [...jobs.all].filter(({ phase }) => phase === 'running');
    for (const held of running) {
      if (held.lane.handler.onUnknown === 'ask' || held.isTaken) jobs.forget(held);
      else this.#giveBack(held);
    }
    return running.length;
  }

  #giveBack(held: HeldJob): void {
    this.#parts.executor.finish(held, GIVEN_BACK);
  }
}
