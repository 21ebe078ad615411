import type { Command, Result } from '@redrive/durable/store';
import type { Row, Session, Statement } from '../connect/connection.ts';
import { CLAIM_VALUES } from '../schema/claim-function.ts';
import { NEW_JOB_ARRAYS } from '../schema/enqueue-function.ts';
import { SETTLEMENT_ARRAYS } from '../schema/settle-function.ts';
import type { Chain } from './chain.ts';
import { encodeClaim, NO_CLAIM } from './encode-claim.ts';
import { encodeNewJobs, NO_NEW_JOBS } from './encode-new-jobs.ts';
import { encodeSettlements, NO_SETTLEMENTS } from './encode-settlements.ts';
import type { PlainStep } from './plan-steps.ts';
import { claimResult, enqueueResults, settleResults } from './read-results.ts';

/** The text of a step's statement. */
export function stepText(schema: string): string {
  const count = 3 + SETTLEMENT_ARRAYS.length + NEW_JOB_ARRAYS.length + CLAIM_VALUES.length;
  const numbers = Array.from({ length: count }, (_, at) => `$${at + 1}`);
  return `select * from "${schema}".step(${numbers.join(', ')})`;
}

/** The results of each batch, and whether jobs became claimable that no result tells of. */
export interface StepResults {
  readonly results: readonly (readonly Result[])[];
  readonly released: boolean;
}

/** One statement: one round trip, one commit. Answers with the results of each batch. */
export async function runPlainStep(
  session: Session,
  text: string,
  step: PlainStep,
  chain: Chain,
  nowMs: number | null,
): Promise<StepResults> {
  const answer = readAnswer(await session.query(statementOf(text, step, chain, nowMs)));
  if (answer.block !== undefined) chain.head = answer.block.hash;
  const [refused, refusals, released] = answer.settled;
  const settled = settleResults(step.settles.length, refused, refusals);
  const enqueued = enqueueResults(step.enqueues, ...answer.outcomes);
  const claimed =
    step.claim && claimResult(step.claim, answer.jobs, answer.claim ?? '', answer.block?.seq ?? 0);
  const next: Partial<Record<Command['kind'], Iterator<Result>>> = {
    settle: settled.values(),
    enqueue: enqueued.values(),
    claim: claimed === undefined ? [].values() : [claimed].values(),
  };
  // Each batch's commands stand in the step's lists in the order of the batches.
  const results = step.batches.map(({ commands }) =>
    commands.map(({ kind }) => next[kind]?.next().value as Result),
  );
  return { results, released: released > 0 };
}

function statementOf(
  text: string,
  { settles, enqueues, claim }: PlainStep,
  { writer, head }: Chain,
  nowMs: number | null,
): Statement {
  return {
    name: 'redrive step',
    text,
    values: [
      nowMs,
      writer ?? null,
      head,
      ...(settles.length === 0
        ? NO_SETTLEMENTS
        : encodeSettlements(settles.map(({ settlement }) => settlement))),
      ...(enqueues.length === 0 ? NO_NEW_JOBS : encodeNewJobs(enqueues)),
      ...(claim === undefined ? NO_CLAIM : encodeClaim(claim)),
    ],
  };
}

interface Answer {
  readonly jobs: readonly Row[];
  readonly settled: [refused: readonly number[], refusals: readonly string[], released: number];
  readonly outcomes: [outcomes?: readonly string[], ids?: readonly string[]];
  readonly claim: string | undefined;
  readonly block: { readonly seq: number; readonly hash: string } | undefined;
}

function readAnswer(rows: readonly Row[]): Answer {
  const jobs: Row[] = [];
  let settled: Answer['settled'] = [[], [], 0];
  let outcomes: Answer['outcomes'] = [];
  let claim: string | undefined;
  let block: Answer['block'];
  for (const row of rows) {
    const [kind, meta] = row;
    const text = meta ?? '';
    // What each kind says is written by the function `step`.
    if (kind === 'job') jobs.push(row);
    else if (kind === 'claim') claim = text;
    else if (kind === 'settle') settled = JSON.parse(text) as Answer['settled'];
    else if (kind === 'enqueue') outcomes = JSON.parse(text) as Answer['outcomes'];
    else if (kind === 'block') {
      const [seq, hash = ''] = text.split(',');
      block = { seq: Number(seq), hash };
    }
  }
  return { jobs, settled, outcomes, claim, block };
}
