import {
  type Clock,
  type KillSwitch,
  type KillSwitchCall,
  systemClock,
  type Timer,
} from '@redrive/core';
import { aClock, type OptionTable, resolveOptions } from '@redrive/core/fields';
import { checkStore } from '../store/check-store.ts';
import type { FullStore } from '../store/full-store.ts';
import type { Notice } from '../worker/notice.ts';
import { StoreTime } from '../worker/store-contact.ts';
import { ControlView } from './control-view.ts';

export interface KillSwitchOptions {
  /**
   * The answer while the store has not confirmed the switches for a second. `fail-closed`: engaged, so no call retries.
   * `fail-open`: the last known state; before the first answer, not engaged.
   */
  readonly onStale: 'fail-closed' | 'fail-open';
  /** Gets the notices `controls_unconfirmed` and `controls_confirmed`. An error that it throws is ignored. Default: none. */
  readonly onNotice?: ((notice: Notice) => void) | undefined;
  /** Default: the system's. For tests: give the store the same one. */
  readonly clock?: Clock;
}

const OPTIONS: OptionTable<KillSwitchOptions> = {
  onStale: [null, { kind: 'choice', values: ['fail-closed', 'fail-open'] }],
  onNotice: [undefined, { kind: 'function' }],
  clock: [systemClock, aClock],
};

/** The kill switches of a store, for calls in process. */
export interface StoreKillSwitch extends KillSwitch {
  /** Resolves at the store's first answer. Never rejects. */
  ready(): Promise<void>;
  /** Stops asking the store. From then on it answers as if the store were away. */
  close(): void;
}

/**
 * The kill switches of a store for in-process calls: an engaged switch ends their retries, too. It answers from memory.
 * The store notifies it of changes, and it also polls several times a second, so that a call obeys within a second. Its
 * timers do not keep the process alive.
 *
 * ```ts no-run
 * const killSwitch = killSwitchOf(store, { onStale: 'fail-closed' });
 * await killSwitch.ready();
 * await retry(charge, policy, { operation: 'charge', tenantId: 'acme', killSwitch });
 * killSwitch.close();
 * ```
 *
 * A switch of `all`, of the call's operation or of its tenant engages it; one of a queue or a pause never does. A call
 * inside a running job obeys only a switch that interrupts: the others let running attempts finish. The same is true while
 * the store is away: the worker starts no jobs, and lets running ones finish.
 *
 * @throws RedriveError `invalid_option` with every problem at once.
 */
export function killSwitchOf(store: FullStore, options: KillSwitchOptions): StoreKillSwitch {
  checkStore('kill switch', store);
  // Plain JavaScript may leave the options out; the error then names `onStale`.
  const given = options ?? {};
  const { onStale, onNotice, clock } = resolveOptions('kill switch', given, OPTIONS);
  const background = new BackgroundClock(clock);
  let isReady = (): void => {};
  const ready = new Promise<void>((resolve) => {
    isReady = () => {
      background.hold(false);
      resolve();
    };
  });
  const view = new ControlView({
    store,
    clock: background,
    time: new StoreTime(clock),
    notify: (notice) => notify(onNotice, notice),
    isNeeded: () => true,
    onFresh: () => isReady(),
  });
  const stopWatching = store.watch((change) => {
    if (change === 'control') view.changeNotified();
  });
  view.start();
  let isClosed = false;

  return {
    isEngaged(call) {
      const isKnown = !isClosed && view.isFresh();
      if (!isKnown && !call.inJob && onStale === 'fail-closed') return true;
      return keysOf(call).some((key) => {
        const kill = view.get('kill', key)?.document;
        return kill !== undefined && (!call.inJob || kill.mode === 'interrupt');
      });
    },
    ready() {
      if (!isClosed && !view.isFresh()) background.hold(true);
      return ready;
    },
    close() {
      isClosed = true;
      stopWatching();
      view.close();
      isReady();
    },
  };
}

/** The kill switches that cover a call. A call has no queue; the name of no tenant is empty. */
function keysOf({ operation, tenantId = '' }: KillSwitchCall): readonly string[] {
  return ['all', `operation:${operation}`, `tenant:${tenantId}`];
}

/**
 * A clock whose timers do not keep the process alive, unless a caller awaits `ready()`. The view has one timer at a time.
 */
class BackgroundClock implements Clock {
  readonly #clock: Clock;
  #isHeld = false;
  #newest: Timer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  setTimer(delayMs: number, wake: () => void): Timer {
    this.#newest = this.#clock.setTimer(delayMs, wake);
    this.#newest.hold(this.#isHeld);
    return this.#newest;
  }

  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.#newest?.hold(isHeld);
  }
}

function notify(onNotice: KillSwitchOptions['onNotice'], notice: Notice): void {
  try {
    const answer: unknown = onNotice?.(notice);
    if (answer instanceof Promise) answer.catch(() => {});
  } catch {
    // A listener never harms a call.
  }
}
