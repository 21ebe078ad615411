import { RedriveError } from '@redrive/core';
import type { FullStore } from '../store/full-store.ts';

export interface FaultyStore extends FullStore {
  /** Which calls fail, and whether they are carried out all the same. */
  fault: Fault | undefined;
  /** How often each was called. */
  readonly calls: Map<keyof FullStore, number>;
}

export interface Fault {
  readonly calls: readonly (keyof FullStore)[];
  /** `before`: nothing is written. `after`: it is written, and the answer is lost. `never`: no answer. */
  readonly when: 'before' | 'after' | 'never';
}

/** They answer from this process alone. */
const NO_QUESTIONS: ReadonlySet<string> = new Set(['watch', 'takeSetAside']);

/** A store whose calls fail when the test says so. */
export function faultyStore(store: FullStore): FaultyStore {
  const calls = new Map<keyof FullStore, number>();
  const faulty = new Proxy({ ...store, fault: undefined, calls } as FaultyStore, {
    get(target, name: keyof FaultyStore) {
      const value = target[name];
      if (typeof value !== 'function' || typeof name === 'symbol') return value;
      if (NO_QUESTIONS.has(name)) return value;
      return (...args: never[]) => {
        const call = name as keyof FullStore;
        calls.set(call, (calls.get(call) ?? 0) + 1);
        const { fault } = target;
        const carryOut = () => (value as (...given: never[]) => unknown)(...args);
        if (fault === undefined || !fault.calls.includes(call)) return carryOut();
        if (fault.when === 'never') return new Promise(() => {});
        const failure = new RedriveError('store_unavailable', 'The store is out of reach');
        if (fault.when === 'before') return Promise.reject(failure);
        return Promise.resolve(carryOut()).then(() => Promise.reject(failure));
      };
    },
  });
  return faulty;
}
