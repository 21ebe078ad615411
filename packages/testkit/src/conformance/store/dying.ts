import type { AttemptOutcome } from '@redrive/core/stored';
import type { VirtualClock } from '../../virtual-clock.ts';
import { type EnqueueWith, leased } from './commands.ts';
import { decidedEnd, settled } from './settlements.ts';
import type { FullStoreUnderTest } from './suite.ts';

export const FINAL: AttemptOutcome = { kind: 'failure', errorClass: 'final', effect: 'none' };

export interface DyingWith extends EnqueueWith {
  /** Message of the error that it dies of. */
  readonly message?: string;
  readonly outcome?: AttemptOutcome;
}

/** Lets a job die of an error, as a worker would. */
export async function die(
  { store, clock }: Pick<FullStoreUnderTest, 'store' | 'clock'>,
  id: string,
  { message = 'no luck', outcome = FINAL, ...with_ }: DyingWith = {},
): Promise<void> {
  const job = await leased(store, id, with_);
  const error = { type: 'Error', message };
  await settled(store, decidedEnd(job, outcome, clock.now(), { error }));
}

/** Lets jobs die one millisecond after the other. Answers the time before the first. */
export async function dieInTurn(
  subject: Pick<FullStoreUnderTest, 'store' | 'clock'>,
  jobs: Readonly<Record<string, DyingWith>>,
): Promise<number> {
  const startMs = subject.clock.now();
  for (const [id, with_] of Object.entries(jobs)) {
    await tickOn(subject.clock);
    await die(subject, id, with_);
  }
  return startMs;
}

async function tickOn(clock: VirtualClock): Promise<void> {
  await clock.advance(1);
}
