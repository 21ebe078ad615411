import {
  type Clock,
  type KillSwitch,
  type KillSwitchCall,
  systemClock,
  type Timer,
} from '@redrive/core';
import { type OptionTable, resolveOptions } from '@redrive/core/fields';
import { checkStore } from '../store/check-store.ts';
import type { FullStore } from '../store/full-store.ts';
import type { Notice } from '../worker/notice.ts';
import { StoreTime } from '../worker/store-time.ts';
import { ControlView } from './control-view.ts';

export interface KillSwitchOptions {
  /**
   * What to answer while the store has not confirmed for a second what is stopped. `fail-closed`: engaged, so no call
   * retries while nobody knows. `fail-open`: as it was last known; before the first answer, not engaged.
   */
  readonly onStale: 'fail-closed' | 'fail-open';
  /** Gets `controls_unconfirmed` and `controls_confirmed`, as of a worker. What it throws is swallowed. Default: nothing. */
  readonly onNotice?: ((notice: Notice) => void) | undefined;
  /** Default: the system's. For tests: give the store the same one. */
  readonly clock?: Clock;
}

const OPTIONS: OptionTable<KillSwitchOptions> = {
  onStale: [null, { kind: 'choice', values: ['fail-closed', 'fail-open'] }],
  onNotice: [undefined, { kind: 'function' }],
  clock: [systemClock],
};

/** The kill switches of a store, for calls in process. */
export interface StoreKillSwitch extends KillSwitch {
  /** Resolves when the store has first said what is stopped. Never rejects. */
  ready(): Promise<void>;
  /** Asks the store no more. From then on it answers as of a store that is away. */
  close(): void;
}

/**
 * The kill switches of a store as core's port: an engaged one ends retries in process, too. It answers from memory. The
 * store is asked several times a second whether anything has changed, and tells of changes by its watch, so that a call
 * obeys within a second. Its timers do not keep the process alive.
 *
 * ```ts no-run
 * const killSwitch = killSwitchOf(store, { onStale: 'fail-closed' });
 * await killSwitch.ready();
 * await retry(charge, policy, { operation: 'charge', tenantId: 'acme', killSwitch });
 * killSwitch.close();
 * ```
 *
 * A switch of `all`, of the call's operation or of its tenant engages it; one of a queue or a pause never does. A call
 * inside a running job obeys only a switch that interrupts: the others let running attempts finish. So does a store that
 * is away: the worker starts nothing new, and lets finish what runs.
 *
 * @throws RedriveError `invalid_option` with every problem at once.
 */
export function killSwitchOf(store: FullStore, options: KillSwitchOptions): StoreKillSwitch {
  checkStore('kill switch', store);
  // Plain JavaScript may leave the options out; then `onStale` is what is missing.
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
    notify: (notice) => tell(onNotice, notice),
    isNeeded: () => true,
    onFresh: () => isReady(),
  });
  const stopWatching = store.watch((change) => {
    if (change === 'control') view.told();
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
 * A clock whose timers keep no process alive that has nothing else to do, unless somebody waits for them. The view has one
 * timer at a time.
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

function tell(onNotice: KillSwitchOptions['onNotice'], notice: Notice): void {
  try {
    const answer: unknown = onNotice?.(notice);
    if (answer instanceof Promise) answer.catch(() => {});
  } catch {
    // A listener never harms a call.
  }
}
