import type { Clock, Timer } from '@redrive/core';
import type { Change } from './live.ts';

const TOGETHER_MS = 1_000;

/** Reads again once for all changes of a second. While `isBusy`, it waits: a load that is replaced each second never ends. */
export class Renewal {
  readonly #clock: Clock;
  readonly #isBusy: () => boolean;
  readonly #read: () => void;
  #timer: Timer | undefined;

  constructor(clock: Clock, isBusy: () => boolean, read: () => void) {
    this.#clock = clock;
    this.#isBusy = isBusy;
    this.#read = read;
  }

  noteChange(): void {
    this.#timer ??= this.#clock.setTimer(TOGETHER_MS, () => this.#turn());
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #turn(): void {
    this.#timer = undefined;
    if (this.#isBusy()) this.noteChange();
    else this.#read();
  }
}

/** Whether a change may be one of this job. A switch may stop it, and a number of changes names none. */
export function mayBeOf(id: string, change: Change): boolean {
  return !('id' in change) || change.id === id || EVERYBODYS.includes(change.kind);
}

const EVERYBODYS: readonly string[] = ['control', 'act'];
