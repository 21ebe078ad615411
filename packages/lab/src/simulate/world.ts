import type { Clock } from '@redrive/core';
import type { Scene } from '../scene/scene.ts';
import { Dependency } from './dependency.ts';
import { EventHeap, type EventTarget } from './event-heap.ts';
import { Tally } from './tally.ts';

/** All that the parts of one run share. */
export class World {
  readonly scene: Scene;
  readonly seed: number;
  readonly clock = new SimulationClock();
  readonly heap = new EventHeap();
  readonly dependency: Dependency;
  readonly tally: Tally;
  #sessions = 0;

  constructor(scene: Scene, seed: number, horizonMs: number) {
    this.scene = scene;
    this.seed = seed;
    this.dependency = new Dependency(scene.dependency, seed, horizonMs);
    this.tally = new Tally(scene, horizonMs);
  }

  get nowMs(): number {
    return this.clock.nowMs;
  }

  after(delayMs: number, target: EventTarget, code: number): void {
    this.heap.add(this.clock.nowMs + delayMs, target, code);
  }

  /** The id of the next session: core draws the jitter of its waits from it. */
  nextId(): string {
    this.#sessions += 1;
    return `${this.seed}:${this.#sessions}`;
  }
}

/** The clock of core's breakers and budgets: the time of the event that is being handled. */
class SimulationClock implements Clock {
  nowMs = 0;

  now(): number {
    return Math.floor(this.nowMs);
  }

  monotonic(): number {
    return this.nowMs;
  }

  /** Breakers and budgets have no timers; everything else waits in the heap of events. */
  setTimer(): never {
    throw new Error('A simulation has no timers: add an event to its heap.');
  }
}
