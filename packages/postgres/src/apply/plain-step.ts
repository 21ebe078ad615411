import type { Command, Result } from '@redrive/durable/store';
import type { Session } from '../connect/connection.ts';
import { callStep, type StepStatements } from './call-step.ts';
import type { Locators } from './locators.ts';
import type { PlainStep } from './plan-steps.ts';
import { encodeUniformJobs, enqueueUniform } from './uniform-jobs.ts';

/** The results of each batch, and whether jobs can be claimed now that are in no result. */
export interface StepResults {
  readonly results: readonly (readonly Result[])[];
  readonly released: boolean;
  /** The number of the audit block, if it is known. */
  readonly block?: number | undefined;
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
  const uniform = hasOnlyNewJobs(step) ? encodeUniformJobs(step.enqueues) : undefined;
  if (uniform !== undefined) {
    const { enqueues } = step;
    const { schema } = statements;
    const { enqueued, block } = await enqueueUniform(
      ...([session, schema, enqueues, uniform, writer, nowMs] as const),
    );
    return { results: resultsOf(step, [], enqueued, undefined), released: false, block };
  }
  const frame = { nowMs, seq: null, writer };
  const { settled, enqueued, claimed, released, block } = await callStep(
    session,
    statements,
    frame,
    step,
    locators,
  );
  return { results: resultsOf(step, settled, enqueued, claimed), released, block };
}

function hasOnlyNewJobs({ settles, claim }: PlainStep): boolean {
  return settles.length === 0 && claim === undefined;
}

/** Splits the results by batch. The step's lists have the commands in the order of the batches. */
function resultsOf(
  { batches }: PlainStep,
  settled: readonly Result[],
  enqueued: readonly Result[],
  claimed: Result | undefined,
): Result[][] {
  const next: Partial<Record<Command['kind'], Iterator<Result | undefined>>> = {
    settle: settled.values(),
    enqueue: enqueued.values(),
    claim: [claimed].values(),
  };
  return batches.map(({ commands }) =>
    commands.map(({ kind }) => next[kind]?.next().value as Result),
  );
}
