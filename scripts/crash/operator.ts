import { setTimeout as sleep } from 'node:timers/promises';
import { isRedriveError } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import {
  engageKill,
  type KillTarget,
  pauseWork,
  releaseKill,
  resumeWork,
  submitOperation,
} from '@redrive/durable/control';
import { until } from '@redrive/testkit/services';
import { Journal } from './journal.ts';

/** Something that an operator did, and between which times it held. */
export interface Stop {
  readonly kind: 'kill' | 'pause';
  readonly target: KillTarget;
  /** When the store had answered. */
  readonly fromMs: number;
  /** When its end was asked for. */
  readonly toMs: number;
}

const ACTOR = { name: 'operator', why: 'the harness wants it' };
const PATIENCE_MS = 60_000;
const AGAIN_MS = 50;
const PACE = { perSecond: 50 };

/** Engages and releases, pauses and resumes, each for a while. Every act is tried until the store has taken it. */
export class Operator {
  readonly #store: FullStore;
  readonly #stops: Journal<Stop>;
  #acts = 0;

  constructor(store: FullStore, file: string) {
    this.#store = store;
    this.#stops = new Journal(file);
  }

  get acts(): number {
    return this.#acts;
  }

  async kill(
    target: KillTarget,
    { mode, forMs, paced }: { mode: 'finish' | 'interrupt'; forMs: number; paced: boolean },
  ): Promise<void> {
    const store = this.#store;
    await this.#act(() => engageKill(store, { ...target, mode, actor: ACTOR }));
    const fromMs = Date.now();
    await sleep(forMs);
    this.#stops.write({ kind: 'kill', target, fromMs, toMs: Date.now() });
    const pace = paced ? { pace: PACE } : {};
    await this.#act(() => releaseKill(store, { ...target, ...pace, actor: ACTOR }));
  }

  async pause(name: string, forMs: number): Promise<void> {
    const queue = { scope: 'queue', name, actor: ACTOR } as const;
    await this.#act(() => pauseWork(this.#store, queue));
    const fromMs = Date.now();
    await sleep(forMs);
    this.#stops.write({
      kind: 'pause',
      target: { scope: 'queue', name },
      fromMs,
      toMs: Date.now(),
    });
    await this.#act(() => resumeWork(this.#store, queue));
  }

  /** Sends back all that has died of this handler, through a ramp that nothing stops. Says so twice. */
  async requeue(id: string, handler: string): Promise<void> {
    // Attempts that began before the repair may still die: the bulk operation would come too early for them.
    const isIdle = async () =>
      (await this.#store.jobs({ handler, states: ['leased'] }, { limit: 1 })).jobs.length === 0;
    await until(isIdle, { timeoutMs: PATIENCE_MS, everyMs: 20 });
    const request = {
      id,
      act: 'requeue',
      target: { filter: { handler }, limit: 100_000 },
      ramp: [1, 5],
      stopShare: 1,
      actor: ACTOR,
    } as const;
    for (let time = 0; time < 2; time++) {
      await this.#act(() => submitOperation(this.#store, request));
    }
  }

  /** An operator whose act failed does it again; what it did the first time changes nothing the second. */
  async #act(act: () => Promise<unknown>): Promise<void> {
    this.#acts += 1;
    const endMs = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        await act();
        return;
      } catch (error) {
        const isPassing =
          isRedriveError(error, 'store_unavailable') || isRedriveError(error, 'control_conflict');
        if (!isPassing || performance.now() > endMs) throw error;
      }
      await sleep(AGAIN_MS);
    }
  }
}
