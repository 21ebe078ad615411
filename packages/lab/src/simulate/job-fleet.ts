import {
  type Budget,
  type Classification,
  type DecisionInput,
  decide,
  type ResolvedPolicy,
  retryBudget,
} from '@redrive/core';
import {
  type AttemptAccount,
  type AttemptOutcome,
  claimAttempt,
  isDependencyFailure,
  openAccount,
  sessionRandom,
  settleAttempt,
  viewOf,
} from '@redrive/core/stored';
import { closeGate, type Gate, ownWaitMs, PARKED_AT_MOST_MS } from '@redrive/durable/control/rules';
import { EventHeap, type EventTarget } from './event-heap.ts';
import { type Admission, FleetBreaker } from './fleet-breaker.ts';
import { ParkedJobs } from './parking.ts';
import type { World } from './world.ts';

const DUE = 0;
const ENDED = 1;

interface Worker {
  readonly index: number;
  slots: number;
  readonly budget: Budget | undefined;
}

/** A stored job, and the attempt that runs. */
class Job implements EventTarget {
  readonly fleet: JobFleet;
  readonly id: string;
  /** Older jobs are claimed first. */
  readonly submitted: number;
  readonly startMs: number;
  account: AttemptAccount = openAccount();
  worker: Worker | undefined;
  admission: Admission | undefined;
  beganMs = 0;
  failure: Classification | undefined;

  constructor(fleet: JobFleet, id: string, submitted: number, startMs: number) {
    this.fleet = fleet;
    this.id = id;
    this.submitted = submitted;
    this.startMs = startMs;
  }

  wake(code: number): void {
    if (code === DUE) this.fleet.ready(this);
    else this.fleet.ended(this);
  }
}

/**
 * Workers that claim stored jobs: the oldest first, as many at once as they have slots. With a breaker in the policy, jobs
 * of a dependency that is down are parked, one of them probes, and they are released at a pace, all by durable's rules. A
 * hint closes the gate of a dependency for all of its jobs, where the policy names the dependency.
 */
export class JobFleet {
  readonly #world: World;
  readonly #policy: ResolvedPolicy;
  readonly #workers: readonly Worker[];
  readonly #breaker: FleetBreaker | undefined;
  readonly #behindBreaker: ParkedJobs<Job>;
  readonly #behindGate: ParkedJobs<Job>;
  /** Ordered by submission. */
  readonly #ready = new EventHeap();
  #gate: Gate | undefined;
  #next = 0;
  #freeSlots: number;
  #turn = 0;
  #isClaiming = false;

  constructor(world: World, policy: ResolvedPolicy) {
    const { processes, concurrency, budget } = world.scene.callers;
    this.#world = world;
    this.#policy = policy;
    const { clock } = world;
    const newBudget = () => {
      if (budget === undefined) return undefined;
      const { scope: _, ...options } = budget;
      return retryBudget({ ...options, clock });
    };
    const shared = newBudget();
    this.#workers = Array.from({ length: processes }, (_, index) => ({
      index,
      slots: concurrency,
      budget: budget?.scope === 'fleet' ? shared : newBudget(),
    }));
    this.#freeSlots = processes * concurrency;
    this.#breaker = policy.enableCircuitBreaker ? new FleetBreaker(world, policy) : undefined;
    const isFull = () => this.#freeSlots === 0;
    const release = (job: Job) => this.#claimSoon(job);
    this.#behindBreaker = new ParkedJobs(
      world,
      () => this.#breaker?.cause ?? { lastsMs: 0 },
      isFull,
      release,
    );
    const gateLastsMs = () => Math.max(0, (this.#gate?.untilMs ?? 0) - world.nowMs);
    this.#behindGate = new ParkedJobs(world, () => ({ lastsMs: gateLastsMs() }), isFull, release);
  }

  submit(): void {
    const { nowMs } = this.#world;
    this.#next += 1;
    this.ready(new Job(this, this.#world.nextId(), this.#next, nowMs));
  }

  ready(job: Job): void {
    this.#claimSoon(job);
    this.#claim();
  }

  /** The attempt of a job has ended. */
  ended(job: Job): void {
    const { nowMs } = this.#world;
    const { worker, failure, admission } = job;
    const latencyMs = nowMs - job.beganMs;
    job.worker = undefined;
    if (worker !== undefined) worker.slots += 1;
    this.#freeSlots += 1;
    const failed = isDependencyFailure(failure?.errorClass);
    this.#behindBreaker.count(worker?.index ?? 0, failed, latencyMs);
    this.#behindGate.count(worker?.index ?? 0, failed, latencyMs);
    if (failure === undefined) worker?.budget?.deposit();
    const isChanged = admission !== undefined && this.#breaker?.record(admission, failure);
    const hasGate = this.#policy.dependency !== '';
    if (hasGate && failure?.errorClass === 'rate_limited' && failure.retryAfterMs !== undefined) {
      this.#gate = closeGate(this.#gate, failure.retryAfterMs, nowMs);
    }
    if (failure === undefined) this.#world.tally.succeeded(nowMs, nowMs - job.startMs);
    else this.#decide(job, { kind: 'failure', ...failure }, worker?.budget);
    if (isChanged) this.#behindBreaker.changed();
    this.#claim();
  }

  #claimSoon(job: Job): void {
    this.#ready.add(job.submitted, { wake: () => this.#start(job) }, 0);
    this.#countParked();
    this.#claim();
  }

  /** Gives ready jobs to workers with a free slot, in turn. */
  #claim(): void {
    if (this.#isClaiming) return;
    this.#isClaiming = true;
    while (this.#ready.size > 0 && this.#freeSlots > 0) this.#ready.fire();
    this.#isClaiming = false;
  }

  /** The next one in turn that has room. */
  #freeWorker(): Worker | undefined {
    if (this.#freeSlots === 0) return undefined;
    for (;;) {
      this.#turn = (this.#turn + 1) % this.#workers.length;
      const worker = this.#workers[this.#turn];
      if (worker === undefined || worker.slots > 0) return worker;
    }
  }

  #start(job: Job): void {
    const { nowMs, dependency, tally } = this.#world;
    const wasParked = job.account.unchargedSinceMs > 0;
    job.account = claimAttempt(job.account);
    job.admission = undefined;
    if (nowMs >= this.#deadlineMs(job)) {
      this.#decide(job, { kind: 'unstarted' }, undefined);
      return;
    }
    if ((this.#gate?.untilMs ?? 0) > nowMs) {
      this.#decide(job, blocked('gate_closed'), undefined);
      return;
    }
    if (this.#breaker !== undefined) {
      job.admission = this.#breaker.admit(wasParked);
      if (job.admission === undefined) {
        this.#decide(job, blocked('breaker_open'), undefined);
        return;
      }
    }
    const worker = this.#freeWorker();
    if (worker === undefined) return;
    worker.slots -= 1;
    this.#freeSlots -= 1;
    job.worker = worker;
    job.beganMs = nowMs;
    tally.attempted(0, nowMs);
    dependency.call(nowMs, Math.min(this.#policy.attemptTimeoutMs, this.#deadlineMs(job) - nowMs));
    job.failure = dependency.failure;
    this.#world.heap.add(dependency.endMs, job, ENDED);
  }

  /** The decision after an attempt, as a worker makes it: `decide-next-step.ts` of durable. */
  #decide(job: Job, outcome: AttemptOutcome, budget: Budget | undefined): void {
    const { nowMs } = this.#world;
    const { account, admission } = job;
    const failure = outcome.kind === 'failure' ? outcome : undefined;
    const probe = admission?.probe !== undefined;
    const isHinted = failure?.errorClass === 'rate_limited' && (failure.retryAfterMs ?? 0) > 0;
    const waitsForItself = failure !== undefined && (isHinted || !probe);
    const isOpen = this.#breaker !== undefined && !this.#breaker.isClosed;
    const input: DecisionInput = {
      policy: this.#policy,
      account: viewOf(account),
      outcome,
      rung: 'job',
      horizonMs: Infinity,
      canHandOver: false,
      timeLeftMs: this.#deadlineMs(job) - nowMs,
      allowance: Infinity,
      budgetAllows: failure === undefined || (budget?.allows(failure.errorClass) ?? true),
      breakerOpenMs: isOpen && !waitsForItself ? PARKED_AT_MOST_MS : 0,
      probe,
      unchargedForMs: account.unchargedSinceMs > 0 ? nowMs - account.unchargedSinceMs : 0,
      onUnknown: 'retry',
      random: sessionRandom(job.id, account.executions),
    };
    const decision = decide(input);
    if (failure !== undefined && decision.charge.budget) budget?.take(failure.errorClass);
    const { action, charge } = decision;
    const parkedAtMs = action === 'park' ? nowMs : undefined;
    job.account = settleAttempt(account, charge.entry, ownWaitMs(decision), parkedAtMs);
    if (decision.action === 'give-up') this.#world.tally.exhausted(nowMs);
    else if (decision.action === 'park' && decision.reason !== 'budget_exhausted')
      this.#park(job, decision.reason === 'gate_closed' ? this.#behindGate : this.#behindBreaker);
    else this.#world.after(decision.delayMs, job, DUE);
  }

  #park(job: Job, parked: ParkedJobs<Job>): void {
    parked.park(job);
    this.#countParked();
  }

  #countParked(): void {
    const count = this.#behindBreaker.size + this.#behindGate.size;
    this.#world.tally.parked(this.#world.nowMs, count);
  }

  #deadlineMs({ startMs }: Job): number {
    return startMs + this.#policy.ttlMs;
  }
}

function blocked(cause: 'breaker_open' | 'gate_closed'): AttemptOutcome {
  return { kind: 'blocked', cause, retryAfterMs: PARKED_AT_MOST_MS };
}
