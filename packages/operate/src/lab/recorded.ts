import type { Config } from '@redrive/config';
import { handlerDependencies } from '@redrive/config/documents';
import type { Clock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import { recordedAttempts } from '@redrive/durable/audit';
import { type Recorded, recordedOf } from '@redrive/lab';

export interface Window {
  readonly sinceMs: number;
  readonly untilMs: number;
}

interface Reading {
  readonly store: FullStore;
  readonly clock: Clock;
  readonly config: Config;
}

/** The attempts of a window, as a recording has them. Sessions have their own ids. */
export async function* attemptsRecorded(
  { store, clock, config }: Reading,
  window: Window,
  options: Pick<Parameters<typeof recordedAttempts>[1], 'signal' | 'onProgress'>,
): AsyncGenerator<Recorded> {
  const dependencies = handlerDependencies(config);
  for await (const attempt of recordedAttempts(store, { ...window, clock, ...options })) {
    const { handler, policyId } = attempt;
    yield recordedOf(attempt, attempt.dependency || dependencies(handler, policyId));
  }
}
