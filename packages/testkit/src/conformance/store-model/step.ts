import type { Command } from '@redrive/durable/store';
import fc from 'fast-check';
import { HANDLERS } from '../store/commands.ts';
import type { Pair } from './pair.ts';

/** A part of a transaction: the commands, as soon as it is known what is there. */
export type Part = readonly [words: string, commands: (pair: Pair) => Promise<readonly Command[]>];

/** One thing that is done to both stores, with words for it in a counterexample. */
export class Step implements fc.AsyncCommand<object, Pair> {
  readonly #words: string;
  readonly #act: (pair: Pair) => Promise<void>;

  constructor(words: string, act: (pair: Pair) => Promise<void>) {
    this.#words = words;
    this.#act = act;
  }

  check(): boolean {
    return true;
  }

  run(_model: object, pair: Pair): Promise<void> {
    return this.#act(pair);
  }

  toString(): string {
    return this.#words;
  }
}

// Few names of everything, so that jobs get in each other's way.
export const handlers = fc.constantFrom(...HANDLERS);
export const queues = fc.constantFrom('default', 'slow');
export const tenants = fc.constantFrom('', 'a', 'b');

/** `undefined`, this number of times: the common case. */
export function none(times: number): undefined[] {
  return Array.from({ length: times }, () => undefined);
}

export function pick<T>(all: readonly T[], index: number): T | undefined {
  return all[index % Math.max(1, all.length)];
}
