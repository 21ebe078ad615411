import type { Classification } from '@redrive/core';
import { Draws } from '../chance/draws.ts';
import { type Sampler, type Spread, samplerOf } from '../chance/spread.ts';
import type { CallSession } from './call-session.ts';
import { STREAMS } from './dependency.ts';
import type { EventTarget } from './event-heap.ts';
import type { World } from './world.ts';

const CONFLICT: Classification = { errorClass: 'retryable', effect: 'none' };
const READ = 0;
const WRITE = 1;

/**
 * One row with optimistic writes. An attempt reads the row and then writes it: over the network each way. The write fails
 * if another one came between.
 */
export class Row {
  readonly #world: World;
  readonly #network: Sampler;
  readonly #draws: Draws;
  #version = 0;

  constructor(world: World, network: Spread) {
    this.#world = world;
    this.#network = samplerOf(network);
    this.#draws = new Draws(world.seed, STREAMS.latency);
  }

  begin(session: CallSession): void {
    this.#world.after(this.#networkMs(), this.#message(session), READ);
  }

  #message(session: CallSession): EventTarget {
    const message: EventTarget = {
      wake: (code) => {
        if (code === READ) {
          session.seenVersion = this.#version;
          this.#world.after(this.#networkMs() + this.#networkMs(), message, WRITE);
          return;
        }
        const isFirst = session.seenVersion === this.#version;
        if (isFirst) this.#version += 1;
        session.answerAt(this.#world.nowMs + this.#networkMs(), isFirst ? undefined : CONFLICT);
      },
    };
    return message;
  }

  #networkMs(): number {
    return this.#network(this.#draws.next());
  }
}
