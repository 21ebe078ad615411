import { type Classification, type Decision, decide, type ErrorClass } from '@redrive/core';
import { type AttemptOutcome, REFUSED, sessionRandom } from '@redrive/core/stored';
import type { CallLayer, Process } from './call-layers.ts';
import type { EventTarget } from './event-heap.ts';
import type { Row } from './row.ts';
import type { World } from './world.ts';

const BEGIN = 0;
/** Codes from here on are ends of attempts: the number of the attempt is added, so that a late event is known. */
const ENDED = 1;

/** The data that all sessions of a run share. */
export interface CallRun {
  readonly world: World;
  readonly layers: readonly CallLayer[];
  readonly row: Row | undefined;
}

/** Counts the retries of all sessions that are linked. */
interface RetryCounter {
  count: number;
}

const INNER_GAVE_UP: Classification = { errorClass: 'final', effect: 'unknown' };
const SERVICE_FAILED: Classification = { errorClass: 'retryable', effect: 'unknown' };
const ABORTED: Classification = { errorClass: 'ignored', effect: 'unknown' };

/**
 * One session of `retry` in one layer, as core's runner would run it: admit, attempt, decide, wait. An attempt of the last
 * layer is a call at the dependency; an attempt of another layer is a session of the next one.
 */
export class CallSession implements EventTarget {
  readonly #run: CallRun;
  readonly #layer: CallLayer;
  readonly #parent: CallSession | undefined;
  readonly #process: Process;
  readonly #id: string;
  readonly #startMs: number;
  readonly #deadlineMs: number;
  readonly #retries: RetryCounter | undefined;
  #attempt = 0;
  #lastDelayMs = 0;
  #permit: number = REFUSED;
  #failure: Classification | undefined;
  #inner: CallSession | undefined;
  #isRunning = false;
  #isAborted = false;
  #paidFor: ErrorClass | undefined;
  /** For `Row`: the version that the attempt has read. */
  seenVersion = 0;

  constructor(run: CallRun, layer: CallLayer, parent?: CallSession) {
    const { world } = run;
    const { carries } = world.scene.callers;
    this.#run = run;
    this.#layer = layer;
    this.#parent = parent;
    this.#process = layer.process();
    this.#id = world.nextId();
    this.#startMs = world.nowMs;
    const outerMs = parent !== undefined && carries.deadline ? parent.#attemptEndsMs() : Infinity;
    this.#deadlineMs = Math.min(world.nowMs + layer.policy.ttlMs, outerMs);
    const isLinked = carries.allowance && run.layers.length > 1 && !layer.isStored;
    const inherited = parent === undefined ? undefined : parent.#retries;
    this.#retries = isLinked ? (inherited ?? { count: 0 }) : undefined;
  }

  get isStored(): boolean {
    return this.#layer.isStored;
  }

  wake(code: number): void {
    if (code === BEGIN) this.begin();
    else if (this.#isRunning && code - ENDED === this.#attempt) this.#ended();
  }

  /** Begins the next attempt, as soon as its process has room for it. */
  begin(): void {
    this.#attempt += 1;
    this.#permit = REFUSED;
    if (!this.#layer.isInnermost || this.#process.slots > 0) this.#start();
    else this.#process.waiting.push(() => this.#start());
  }

  #start(): void {
    const { budget, breaker } = this.#process;
    if (this.#isAborted) {
      // The retry that was paid for does not run.
      if (this.#paidFor !== undefined) budget?.giveBack(this.#paidFor);
      return;
    }
    if (this.#timeLeftMs() <= 0) {
      this.#conclude(SERVICE_FAILED);
      return;
    }
    if (breaker !== undefined && this.#layer.policy.enabled) {
      this.#permit = breaker.admit();
      if (this.#permit === REFUSED) {
        const retryAfterMs = breaker.openForMs();
        this.#follow(this.#decide({ kind: 'blocked', cause: 'breaker_open', retryAfterMs }));
        return;
      }
    }
    this.#isRunning = true;
    if (this.#layer.isInnermost) this.#call();
    else this.#callInnerLayer();
  }

  /** The answer of the attempt under way is known and will come at this time. */
  answerAt(atMs: number, failure: Classification | undefined): void {
    this.#failure = failure;
    this.#run.world.heap.add(atMs, this, ENDED + this.#attempt);
  }

  #call(): void {
    const { world, row } = this.#run;
    this.#process.slots -= 1;
    world.tally.attempted(this.#layer.index, world.nowMs);
    if (row !== undefined) {
      row.begin(this);
      return;
    }
    const { dependency } = world;
    dependency.call(world.nowMs, this.#attemptEndsMs() - world.nowMs);
    this.answerAt(dependency.endMs, dependency.failure);
  }

  #callInnerLayer(): void {
    const { world, layers } = this.#run;
    const layer = layers[this.#layer.index + 1];
    if (layer === undefined) return;
    world.tally.attempted(this.#layer.index, world.nowMs);
    const limitMs = this.#attemptEndsMs() - world.nowMs;
    this.#failure = SERVICE_FAILED;
    if (limitMs < Infinity) world.after(limitMs, this, ENDED + this.#attempt);
    this.#inner = new CallSession(this.#run, layer, this);
    this.#inner.begin();
  }

  /** A session of the next layer has ended. Nobody waits for that of an earlier attempt. */
  #innerEnded(inner: CallSession, failure: Classification | undefined): void {
    if (this.#inner !== inner || this.#isAborted) return;
    this.#inner = undefined;
    this.#failure = failure;
    this.#ended();
  }

  /** The attempt has ended, or its time is over. */
  #ended(): void {
    this.#isRunning = false;
    if (this.#layer.isInnermost) leave(this.#process);
    if (this.#isAborted) {
      this.#record(ABORTED);
      return;
    }
    // The signal of an attempt aborts the session in it, where it is passed on.
    const inner = this.#inner;
    this.#inner = undefined;
    if (inner !== undefined && this.#run.world.scene.callers.carries.deadline) inner.#abort();
    this.#conclude(this.#failure);
  }

  #abort(): void {
    this.#isAborted = true;
    if (this.#inner !== undefined) this.#inner.#abort();
  }

  #conclude(failure: Classification | undefined): void {
    this.#record(failure);
    if (failure === undefined) {
      if (this.#layer.deposits) this.#process.budget?.deposit();
      this.#end(undefined);
      return;
    }
    const innerGaveUp = failure === INNER_GAVE_UP;
    const { errorClass, effect, retryAfterMs } = failure;
    const decision = this.#decide({
      kind: 'failure',
      errorClass,
      effect,
      retryAfterMs,
      innerGaveUp,
    });
    this.#paidFor = decision.charge.budget ? errorClass : undefined;
    if (decision.charge.budget) this.#process.budget?.take(errorClass);
    this.#follow(decision, failure);
  }

  #record(failure: Classification | undefined): void {
    if (this.#permit !== REFUSED) this.#process.breaker?.record(this.#permit, failure);
  }

  #follow(decision: Decision, failure: Classification = SERVICE_FAILED): void {
    if (decision.action !== 'retry') {
      this.#end(failure);
      return;
    }
    if (this.#retries !== undefined) this.#retries.count += 1;
    this.#lastDelayMs = decision.delayMs;
    this.#run.world.after(decision.delayMs, this, BEGIN);
  }

  #decide(outcome: AttemptOutcome): Decision {
    const { policy } = this.#layer;
    const { budget, breaker } = this.#process;
    const failure = outcome.kind === 'failure' ? outcome : undefined;
    const isSpread = failure?.retryAfterMs !== undefined || policy.jitter !== 'none';
    return decide({
      policy,
      account: {
        charged: this.#attempt,
        freeWaits: 0,
        freeWaitMs: 0,
        lastDelayMs: this.#lastDelayMs,
      },
      outcome,
      rung: 'call',
      horizonMs: this.isStored ? Infinity : policy.horizonMs,
      canHandOver: false,
      timeLeftMs: this.#timeLeftMs(),
      allowance:
        this.#retries === undefined ? Infinity : policy.maxAttempts - 1 - this.#retries.count,
      budgetAllows: failure === undefined || (budget?.allows(failure.errorClass) ?? true),
      breakerOpenMs: breaker?.openForMs() ?? 0,
      onUnknown: 'retry',
      random: isSpread ? sessionRandom(this.#id, this.#attempt) : 0,
    });
  }

  #end(failure: Classification | undefined): void {
    const { world } = this.#run;
    const parent = this.#parent;
    if (parent !== undefined) {
      parent.#innerEnded(this, this.#outward(failure));
      return;
    }
    if (failure === undefined) world.tally.succeeded(world.nowMs, world.nowMs - this.#startMs);
    else world.tally.exhausted(world.nowMs);
  }

  /** The result for the layer above: in linked sessions a give-up is final, over plain calls it is one more failure. */
  #outward(failure: Classification | undefined): Classification | undefined {
    if (failure === undefined) return undefined;
    if (this.#retries !== undefined && !this.#parent?.isStored) return INNER_GAVE_UP;
    return failure.errorClass === 'final' ? failure : SERVICE_FAILED;
  }

  #timeLeftMs(): number {
    return this.#deadlineMs - this.#run.world.nowMs;
  }

  #attemptEndsMs(): number {
    const { world } = this.#run;
    return Math.min(world.nowMs + this.#layer.policy.attemptTimeoutMs, this.#deadlineMs);
  }
}

/** Gives the slot of an attempt to the next one that waits. One that has ended meanwhile does not take it. */
function leave(process: Process): void {
  process.slots += 1;
  while (process.slots > 0 && process.waiting.size > 0) {
    for (const start of process.waiting.take(1)) start();
  }
}
