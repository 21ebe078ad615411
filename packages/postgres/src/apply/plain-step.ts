import type { Command, Result } from '@redrive/durable/store';
import type { Session } from '../connect/connection.ts';
import { callStep, type StepStatements } from './call-step.ts';
import type { Locators } from './locators.ts';
import type { PlainStep } from './plan-steps.ts';

/** The results of each batch, and whether jobs became claimable that no result tells of. */
export interface StepResults {
  readonly results: readonly (readonly Result[])[];
  readonly released: boolean;
}

/** The hot path: one statement, one round trip, one commit. */
export async function runPlainStep(
  session: Session,
  statements: StepStatements,
  step: PlainStep,
  writer: string | null,
  nowMs: number | null,
  locators: Locators,
): Promise<StepResults> {
  const frame = { nowMs, seq: null, writer };
  const { settled, enqueued, claimed, released } = await callStep(
    session,
    statements,
    frame,
    step,
    locators,
  );
  const next: Partial<Record<Command['kind'], Iterator<Result>>> = {
    settle: settled.values(),
    enqueue: enqueued.values(),
    claim: [claimed].values() as Iterator<Result>,
  };
  // Each batch's commands stand in the step's lists in the order of the batches.
  const results = step.batches.map(({ commands }) =>
    commands.map(({ kind }) => next[kind]?.next().value as Result),
  );
  return { results, released };
}
