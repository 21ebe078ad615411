import { philox2x32 } from '@redrive/core/stored';

/**
 * Uniform numbers on [0, 1), one after the other, from core's counter-based generator. `seed` and `stream` are the key:
 * each part of a simulation has a stream of its own, so that one more draw in one part changes no other.
 */
export class Draws {
  readonly #seed: number;
  readonly #stream: number;
  #counter = 0;

  constructor(seed: number, stream: number) {
    this.#seed = seed;
    this.#stream = stream;
  }

  next(): number {
    this.#counter += 1;
    const [high, low] = philox2x32(this.#counter, this.#seed, this.#stream);
    return ((high >>> 5) * 0x4000000 + (low >>> 6)) / 0x20000000000000;
  }
}
