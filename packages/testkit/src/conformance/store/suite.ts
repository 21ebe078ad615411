import type { FullStore, Store } from '@redrive/durable';
import type { VirtualClock } from '../../virtual-clock.ts';

/** A store under test, on a clock that the test moves. */
export interface StoreUnderTest {
  readonly store: Store;
  /** The one that the store was given. Its wall clock should start at a real date. */
  readonly clock: VirtualClock;
  /** Closes the store and opens what it has kept anew. Absent: it keeps nothing. */
  readonly reopen?: () => Promise<Store>;
  /** Called when the test is over, also after a failure. Closes the newest store. */
  readonly close?: () => void | Promise<void>;
}

export type { TestRunner } from '../ledger.ts';

/** Answers the store that is open when it ends, where that is another one, or `unchecked`: nothing is to be read any more. */
// biome-ignore lint/suspicious/noConfusingVoidType: most tests answer nothing.
export type TestBody = (subject: StoreUnderTest) => Promise<Store | 'unchecked' | void>;

/** A store that implements every part of the port. */
export interface FullStoreUnderTest extends StoreUnderTest {
  readonly store: FullStore;
  readonly reopen?: () => Promise<FullStore>;
}

// biome-ignore lint/suspicious/noConfusingVoidType: most tests answer nothing.
export type FullTestBody = (subject: FullStoreUnderTest) => Promise<Store | 'unchecked' | void>;

export interface FullStoreSuite {
  describe(name: string, body: () => void): unknown;
  test(name: string, body: FullTestBody): void;
}

/** The functions that a file of tests gets. */
export interface StoreSuite {
  describe(name: string, body: () => void): unknown;
  test(name: string, body: TestBody): void;
}
