import {
  type AttemptContext,
  type Classification,
  type Classifier,
  type Clock,
  isRetryError,
  type KillSwitch,
  type Policy,
  RedriveError,
  type RetryOptions,
} from '@redrive/core';
import { runInAttempt } from '@redrive/core/node';
import { classifyStored, sanitiseError } from '@redrive/core/stored';
import type { ClosedGates, GateName } from '../control/closed-gates.ts';
import type { ControlView } from '../control/control-view.ts';
import type { Stoppable } from '../control/kill-target.ts';
import { gateKey } from '../control/rules/documents.ts';
import type { Stops } from '../control/stops.ts';
import type { ResolvedHandler } from '../handler/resolve-handlers.ts';
import { isVerdict, type Verdict } from '../handler/verdict.ts';
import { decodePayload } from '../jobs/payload.ts';
import type { JobLedger } from '../ledger/ledger-store.ts';
import { failureOfVerdict } from './attempt-result.ts';
import { DirectContext, type DirectEvent } from './direct-context.ts';
import type { Guards, JobGuards } from './guards.ts';
import { cutReasons } from './held-job.ts';
import type { PolicyVersion, PolicyVersions } from './policy-versions.ts';

interface DirectRunsParts {
  readonly clock: Clock;
  readonly view: Pick<ControlView, 'isFresh' | 'need'>;
  readonly stops: Stops;
  readonly gates: Pick<ClosedGates, 'hasAny' | 'isClosed' | 'hint'>;
  readonly guards: Guards;
  readonly policies: PolicyVersions;
  readonly ledger: JobLedger;
  readonly events?: RetryOptions['events'];
}

interface DirectRunParts extends Pick<DirectRunsParts, 'clock' | 'gates' | 'ledger' | 'events'> {
  readonly handler: ResolvedHandler;
  readonly version: PolicyVersion;
  readonly guards: JobGuards;
  /** Whether a kill switch or a pause covers it, or the worker stops. */
  readonly isStopped: () => boolean;
  readonly onEnd: () => void;
}

type DirectOptions = Pick<
  RetryOptions,
  'breaker' | 'budget' | 'killSwitch' | 'signal' | 'events' | 'clock'
> & { readonly policy: Policy };

/**
 * A batch of events that run in this process before they are stored, as the worker would run their jobs: same policy,
 * classification, breaker, budget and context. For a source with `direct: true`.
 */
export class DirectRun {
  readonly #parts: DirectRunParts;
  readonly #controller = new AbortController();
  readonly work: Stoppable;
  /** Of `handleEventWithRetry`. */
  readonly options: DirectOptions;

  constructor(work: Stoppable, parts: DirectRunParts) {
    this.work = work;
    this.#parts = parts;
    const { version, guards, events, clock, isStopped } = parts;
    const { breaker, budget } = guards;
    const killSwitch: KillSwitch = { isEngaged: isStopped };
    const { signal } = this.#controller;
    const policy = policyOf(version);
    this.options = { policy, breaker, budget, killSwitch, signal, events, clock };
  }

  /** Events that run at once. */
  get concurrency(): number {
    return this.#parts.handler.concurrency;
  }

  /** Whether another event may start. */
  get mayStart(): boolean {
    const { isStopped, guards } = this.#parts;
    if (isStopped() || this.#controller.signal.aborted || this.#isGateClosed) return false;
    return (guards.breaker?.openForMs() ?? 0) === 0;
  }

  get #isGateClosed(): boolean {
    const { guards, gates } = this.#parts;
    if (guards.dependency === '' || !gates.hasAny(guards.dependency)) return false;
    // Where only a function of the handler knows the credential, the stored job finds its gate.
    return this.#gate === undefined || gates.isClosed(gateKey(this.#gate));
  }

  get #gate(): GateName | undefined {
    const { guards, handler } = this.#parts;
    const { credential = '' } = handler;
    if (guards.dependency === '' || typeof credential !== 'string') return undefined;
    return { dependency: guards.dependency, credential, tenant: this.work.tenant };
  }

  /** Runs one attempt. */
  async attempt(event: DirectEvent, attempt: AttemptContext): Promise<unknown> {
    const { handler, clock, version } = this.#parts;
    const context = new DirectContext(event, attempt, this.#parts);
    let value: unknown;
    try {
      value = await runInAttempt(context.parent, () =>
        handler.run(decodePayload(event.payload), context),
      );
    } catch (error) {
      if (!hasGiveUp(error)) throw error;
      // As in a job, a call inside that gave up is an ordinary failure of the attempt.
      const about = { attempt: attempt.attempt, nowMs: clock.now() };
      const { meaning, blockedBy } = classifyStored(error, version.rules, about);
      // Only the caller can store it without a charge.
      if (blockedBy !== undefined && meaning.errorClass !== 'final') throw error;
      const { type, message } = sanitiseError(error);
      throw new KnownFailure(type, message, meaning);
    }
    return isVerdict(value) ? obey(value) : value;
  }

  /** A Retry-After closes the gate of its dependency. */
  rateLimited(retryAfterMs: number): void {
    if (this.#gate !== undefined) this.#parts.gates.hint(this.#gate, retryAfterMs);
  }

  /** Aborts its attempts: their messages go back to the broker. */
  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  /** Nothing of it runs any more. */
  end(): void {
    this.#parts.onEnd();
  }
}

/** The batches of events that run in this process before they are stored. */
export class DirectRuns {
  readonly #parts: DirectRunsParts;
  readonly #running = new Set<DirectRun>();
  #onEmpty: (() => void) | undefined;
  /** The worker stops: nothing more starts. */
  isClosed = false;

  constructor(parts: DirectRunsParts) {
    this.#parts = parts;
  }

  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  begin(work: Stoppable, handler: ResolvedHandler | undefined): DirectRun | undefined {
    if (handler === undefined) return undefined;
    const { policies, guards, view, stops } = this.#parts;
    const version = policies.ofEvent(handler);
    const run: DirectRun = new DirectRun(work, {
      ...this.#parts,
      handler,
      version,
      guards: guards.of(handler, version),
      isStopped: () => this.isClosed || !view.isFresh() || stops.stop(work),
      onEnd: () => this.#ended(run),
    });
    if (!run.mayStart) return undefined;
    this.#running.add(run);
    // From now on the store is asked all the time whether something stops it.
    view.need();
    return run;
  }

  /** A kill switch may have been engaged that interrupts. */
  kill(): void {
    const { stops } = this.#parts;
    for (const run of this.#running) if (stops.interrupt(run.work)) run.abort(cutReasons.killed());
  }

  abort(reason: unknown): void {
    for (const run of this.#running) run.abort(reason);
  }

  close(): void {
    this.isClosed = true;
  }

  /** Resolves when none runs. */
  async empty(): Promise<void> {
    if (!this.isBusy) return;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
  }

  #ended(run: DirectRun): void {
    this.#running.delete(run);
    if (!this.isBusy) this.#onEmpty?.();
  }
}

/** @throws RedriveError `invalid_option`: the handler acts on unknown effects, and only a stored job knows of them. */
export function checkDirect(handler: ResolvedHandler | undefined): void {
  if (handler === undefined || (handler.onUnknown === 'retry' && !handler.probe)) return;
  const { name } = handler;
  const text = `The handler ${name} has a probe, or onUnknown: dead_letter. After a crash, an event of a direct source runs again without them. Remove "direct" from its source.`;
  throw new RedriveError('invalid_option', text, { handler: name });
}

/** A failure whose class is known already. */
class KnownFailure extends Error {
  readonly meaning: Classification;

  constructor(name: string, message: string, meaning: Classification) {
    super(message);
    this.name = name;
    this.meaning = meaning;
  }
}

const knownFailures: Classifier = (error) =>
  error instanceof KnownFailure ? error.meaning : undefined;

const policies = /* @__PURE__ */ new WeakMap<PolicyVersion, Policy>();

/** The policy with the rules of jobs for verdicts and inner calls. */
function policyOf(version: PolicyVersion): Policy {
  const known = policies.get(version);
  if (known !== undefined) return known;
  const { policy, rules } = version;
  const classify = [knownFailures, ...[rules.classify ?? []].flat()];
  const made = { ...policy, classify };
  policies.set(version, made);
  return made;
}

function hasGiveUp(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < 10 && cause instanceof Error; depth += 1) {
    if (isRetryError(cause)) return true;
    cause = cause.cause;
  }
  return false;
}

/** A cancelled event is not needed any more: nothing is stored. */
function obey(verdict: Verdict): void {
  if (verdict.kind === 'cancel') return;
  const { meaning, error } = failureOfVerdict(verdict);
  throw new KnownFailure(error.type, error.message, meaning);
}
