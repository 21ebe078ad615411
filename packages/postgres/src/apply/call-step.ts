import type {
  ClaimCommand,
  ClaimResult,
  EnqueueCommand,
  EnqueueResult,
  SettleCommand,
  SettleResult,
} from '@redrive/durable/store';
import type { Row, Session } from '../connect/connection.ts';
import { CLAIM_VALUES } from '../schema/claim-function.ts';
import { CLAIMED_COLUMNS } from '../schema/claimed-columns.ts';
import { NEW_JOB_COLUMNS } from '../schema/enqueue-function.ts';
import { SETTLEMENT_COLUMNS } from '../schema/settle-function.ts';
import { encodeClaim, NO_CLAIM } from './encode-claim.ts';
import { encodeNewJobs, NO_NEW_JOBS } from './encode-new-jobs.ts';
import { encodeSettlements, NO_SETTLEMENTS } from './encode-settlements.ts';
import type { Locators } from './locators.ts';
import { claimResult, enqueueResults, settleResults } from './read-results.ts';

/** Parameters of the function `step` that do not come from commands. */
export interface StepFrame {
  readonly nowMs: number | null;
  /** The block that somebody else writes. */
  readonly seq: number | null;
  /** Who writes a block of its own; null: nobody. */
  readonly writer: string | null;
}

export interface StepParts {
  readonly settles: readonly SettleCommand[];
  readonly enqueues: readonly EnqueueCommand[];
  readonly claim: ClaimCommand | undefined;
}

export interface StepAnswer {
  readonly settled: readonly SettleResult[];
  readonly enqueued: readonly EnqueueResult[];
  readonly claimed: ClaimResult | undefined;
  /** Whether jobs became claimable that no result tells of. */
  readonly released: boolean;
  /** Records for a block that somebody else writes. */
  readonly records: string | undefined;
}

/** Behind the kind and what it says, a job's columns begin. */
const ID = 2;
const TID = 2 + CLAIMED_COLUMNS.findIndex(({ name }) => name === 'tid');

/** The text of a step's statement. */
export function stepText(schema: string): string {
  const count = 3 + SETTLEMENT_COLUMNS.length + NEW_JOB_COLUMNS.length + CLAIM_VALUES.length;
  const numbers = Array.from({ length: count }, (_, at) => `$${at + 1}`);
  return `select * from "${schema}".step(${numbers.join(', ')})`;
}

/** Ends attempts, accepts jobs and claims, in one statement. */
export async function callStep(
  session: Session,
  text: string,
  { nowMs, seq, writer }: StepFrame,
  { settles, enqueues, claim }: StepParts,
  locators: Locators,
): Promise<StepAnswer> {
  const rows = await session.query({
    name: 'redrive step',
    text,
    values: [
      nowMs,
      seq,
      writer,
      ...(settles.length === 0
        ? NO_SETTLEMENTS
        : encodeSettlements(
            settles.map(({ settlement }) => settlement),
            locators,
          )),
      ...(enqueues.length === 0 ? NO_NEW_JOBS : encodeNewJobs(enqueues)),
      ...(claim === undefined ? NO_CLAIM : encodeClaim(claim)),
    ],
  });
  for (const { settlement } of settles) locators.forget(settlement.id);
  const { jobs, said } = readRows(rows);
  for (const job of jobs) locators.remember(job[ID] ?? '', job[TID] ?? '');
  const block = Number(said.get('block') ?? seq ?? 0);
  // What each kind says is written by the function.
  const [refused, refusals, released] = JSON.parse(said.get('settle') ?? '[[],[],0]') as [
    number[],
    string[],
    number,
  ];
  const [outcomes, ids] = JSON.parse(said.get('enqueue') ?? '[]') as [string[]?, string[]?];
  return {
    settled: settleResults(settles.length, refused, refusals),
    enqueued: enqueueResults(enqueues, outcomes, ids),
    claimed: claim && claimResult(claim, jobs, said.get('claim') ?? '', block),
    released: released > 0,
    records: said.get('records'),
  };
}

/** Claimed jobs, and what the function says besides, by kind. */
function readRows(rows: readonly Row[]): { jobs: Row[]; said: Map<string, string> } {
  const jobs: Row[] = [];
  const said = new Map<string, string>();
  for (const row of rows) {
    const [kind, meta] = row;
    if (kind === null || kind === undefined) jobs.push(row);
    else said.set(kind, meta ?? '');
  }
  return { jobs, said };
}
