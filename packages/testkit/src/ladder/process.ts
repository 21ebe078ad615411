import type { Clock, Timer } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import type { Bus } from '@redrive/durable/events';
import type { VirtualClock } from '../virtual-clock.ts';
import { errorOf, type Failures, type Step } from './failures.ts';

const NEVER: Promise<never> = new Promise(() => {});
/** They answer at once, so they are no steps. */
const NO_STEPS: ReadonlySet<string> = new Set(['store.committed', 'store.takeSetAside']);

/**
 * One start of a process. When it crashes, its timers are gone, its calls of ports are not carried out, and nobody gets
 * the answers to those that were under way. Code of a handler that is running goes on, as no code can be ended from
 * outside, but nothing that it returns is written.
 */
export class LadderProcess {
  readonly name: string;
  readonly clock: Clock;
  readonly #failures: Failures;
  readonly #timers = new Set<Timer>();
  readonly #steps = new Map<string, number>();
  readonly #death = Promise.withResolvers<never>();
  readonly #onCrash: (process: LadderProcess) => void;
  isAlive = true;

  constructor(
    name: string,
    clock: VirtualClock,
    failures: Failures,
    onCrash: (process: LadderProcess) => void,
  ) {
    this.name = name;
    this.#failures = failures;
    this.#onCrash = onCrash;
    this.#death.promise.catch(() => {});
    this.clock = {
      now: clock.now,
      monotonic: clock.monotonic,
      uniquePart: () => clock.uniquePart?.() ?? '',
      setTimer: (delayMs, wake) => this.#setTimer(clock, delayMs, wake),
    };
  }

  /** Rejects when the process ends. */
  get died(): Promise<never> {
    return this.#death.promise;
  }

  crash(): void {
    if (!this.isAlive) return;
    this.end();
    this.#onCrash(this);
  }

  /** Without a trace: it has stopped by itself, or is never needed again. */
  end(): void {
    this.isAlive = false;
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    this.#death.reject(new Error(`The process ${this.name} has ended`));
  }

  /** Carries out a step with the failures that it meets. A step of a dead process never ends. */
  async step<T>(step: Step, run: () => T | PromiseLike<T>): Promise<T> {
    try {
      await this.#fail(step, 'before');
      if (!this.isAlive) return await NEVER;
      const value = await run();
      await this.#fail(step, 'after');
      return this.isAlive ? value : await NEVER;
    } catch (error) {
      if (this.isAlive) throw error;
      return NEVER;
    }
  }

  /** A port of this process: each call is a step, `store.apply` for example. `own` methods are used as they are. */
  port<T extends object>(name: string, port: T, own: Partial<T> = {}): T {
    const methods = new Map<string | symbol, unknown>(Object.entries(own));
    return new Proxy(port, {
      get: (target, method) => {
        const known = methods.get(method);
        if (known !== undefined) return known;
        const value: unknown = Reflect.get(target, method, target);
        if (typeof value !== 'function') return value;
        const at = `${name}.${String(method)}`;
        const call = (...args: unknown[]): unknown => Reflect.apply(value, target, args);
        const made = NO_STEPS.has(at)
          ? call
          : (...args: unknown[]) => this.#call(at, () => call(...args));
        methods.set(method, made);
        return made;
      },
    });
  }

  /** The store. A dead process gets no notifications. */
  store(store: FullStore): FullStore {
    return this.port('store', store, {
      watch: (listener) => store.watch((change) => void (this.isAlive && listener(change))),
      ledger: (options) => this.port('ledger', store.ledger(options)),
    });
  }

  /** The bus. When its consumer dies, a broker delivers the messages again that were not acknowledged. */
  bus(bus: Bus): Bus {
    const port = this.port('bus', bus);
    return this.port('bus', bus, {
      consume: (source, options, take) =>
        port.consume(source, options, (batch) => Promise.race([take(batch), this.died])),
    });
  }

  #call(at: string, call: () => unknown): unknown {
    if (!this.isAlive) return NEVER;
    const number = (this.#steps.get(at) ?? 0) + 1;
    this.#steps.set(at, number);
    if (this.#failures.concern(at)) {
      return this.step({ at, key: this.name, number }, call);
    }
    const answer = call();
    return answer instanceof Promise ? this.#answered(answer) : answer;
  }

  async #answered(answer: Promise<unknown>): Promise<unknown> {
    try {
      const value = await answer;
      return this.isAlive ? value : NEVER;
    } catch (error) {
      if (this.isAlive) throw error;
      return NEVER;
    }
  }

  async #fail(step: Step, when: 'before' | 'after'): Promise<void> {
    const failure = this.#failures.of(step, when);
    if (failure === undefined) return;
    if (failure.slowMs > 0) await this.#wait(failure.slowMs, step.signal);
    if (failure.crash) this.crash();
    else if (failure.error !== undefined) throw errorOf(failure);
  }

  #wait(delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = this.clock.setTimer(delayMs, resolve);
      const abort = () => {
        timer.cancel();
        reject(signal?.reason);
      };
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
  }

  #setTimer(clock: VirtualClock, delayMs: number, wake: () => void): Timer {
    const timer = clock.setTimer(delayMs, () => {
      this.#timers.delete(own);
      if (this.isAlive) wake();
    });
    const own: Timer = {
      cancel: () => {
        this.#timers.delete(own);
        timer.cancel();
      },
      hold: (keepAlive) => timer.hold(keepAlive),
    };
    if (this.isAlive) this.#timers.add(own);
    else timer.cancel();
    return own;
  }
}
