import {
  type ClaimCommand,
  type ClaimRate,
  type ClaimResult,
  claimDetail,
  type EnqueueCommand,
  type EnqueueResult,
  type SettleCommand,
  type SettleResult,
  type Suspect,
} from '@redrive/durable/store';
import type { Row, Session } from '../connect/connection.ts';
import { CLAIM_VALUES } from '../schema/claim-variables.ts';
import { CLAIMED_COLUMNS } from '../schema/claimed-columns.ts';
import { NEW_JOB_COLUMNS } from '../schema/enqueue-function.ts';
import { SETTLEMENT_COLUMNS } from '../schema/settle-function.ts';
import { plainArray, textArray } from './array-literal.ts';
import { encodeNewJobs } from './encode-new-jobs.ts';
import { encodeSettlements, type Values } from './encode-settlements.ts';
import type { Locators } from './locators.ts';
import { claimResult, enqueueResults, settleResults } from './read-results.ts';

/** Parameters of the function `step` that do not come from commands. */
export interface StepFrame {
  readonly nowMs: number | null;
  /** The number of the block, if the caller writes it. */
  readonly seq: number | null;
  /** The writer of the block, if the step writes it; null: it writes none. */
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
  /** Whether jobs can be claimed now that are in no result. */
  readonly released: boolean;
  /** Records for the block that the caller writes. */
  readonly records: string | undefined;
  /** The number of the block that the step has written. */
  readonly block: number | undefined;
}

/** A job's columns begin after `kind` and `meta`. */
const ID = 2;
const TID = 2 + CLAIMED_COLUMNS.findIndex(({ name }) => name === 'tid');

/** The parts of a step. Each combination has its own statement, so that no parameters of missing parts are sent. */
type Shape = `${'s' | ''}${'e' | ''}${'c' | ''}`;

/** The statements of steps, by their shape. */
export class StepStatements {
  readonly schema: string;
  readonly #texts = new Map<Shape, string>();

  constructor(schema: string) {
    this.schema = schema;
  }

  text(shape: Shape): string {
    const known = this.#texts.get(shape);
    if (known !== undefined) return known;
    const text = this.#write(shape);
    this.#texts.set(shape, text);
    return text;
  }

  #write(shape: Shape): string {
    let count = 3;
    const part = (letter: string, columns: readonly unknown[]): string[] =>
      columns.map(() => {
        if (!shape.includes(letter)) return 'null';
        count += 1;
        return `$${count}`;
      });
    const values = [
      '$1, $2, $3',
      ...part('s', SETTLEMENT_COLUMNS),
      ...part('e', NEW_JOB_COLUMNS),
      ...part('c', CLAIM_VALUES),
    ];
    // Without a claim there are no jobs in the answer.
    const columns = shape.includes('c') ? '*' : 'kind, meta';
    return `select ${columns} from "${this.schema}".step(${values.join(', ')})`;
  }
}

/** Settles attempts, inserts jobs and claims, in one statement. */
export async function callStep(
  session: Session,
  statements: StepStatements,
  { nowMs, seq, writer }: StepFrame,
  { settles, enqueues, claim }: StepParts,
  locators: Locators,
): Promise<StepAnswer> {
  const hasSettles = settles.length > 0;
  const hasEnqueues = enqueues.length > 0;
  const shape: Shape = `${hasSettles ? 's' : ''}${hasEnqueues ? 'e' : ''}${claim ? 'c' : ''}`;
  const settlements = settles.map(({ settlement }) => settlement);
  const rows = await session.query({
    name: `redrive step ${shape}`,
    text: statements.text(shape),
    values: [
      nowMs,
      seq,
      writer,
      ...(hasSettles ? encodeSettlements(settlements, locators) : []),
      ...(hasEnqueues ? encodeNewJobs(enqueues) : []),
      ...(claim === undefined ? [] : encodeClaim(claim)),
    ],
  });
  for (const { settlement } of settles) locators.forget(settlement.id);
  const { jobs, said } = readRows(rows);
  for (const job of jobs) locators.remember(job[ID] ?? '', job[TID] ?? '');
  const written = said.get('block');
  const block = Number(written ?? seq ?? 0);
  // The SQL function writes the JSON of each kind.
  const [refused, refusals, released] = JSON.parse(said.get('settle') ?? '[[],[],0]') as [
    number[],
    string[],
    number,
  ];
  const suspects = JSON.parse(said.get('suspects') ?? 'null') as Suspect[] | null;
  const [outcomes, ids] = JSON.parse(said.get('enqueue') ?? '[]') as [string[]?, string[]?];
  return {
    settled: settleResults(settles.length, refused, refusals),
    enqueued: enqueueResults(enqueues, outcomes, ids),
    claimed:
      claim && claimResult(claim, jobs, said.get('claim') ?? '', suspects ?? undefined, block),
    released: released > 0,
    records: said.get('records'),
    block: written === undefined ? undefined : block,
  };
}

/** The claimed jobs, and the other rows of the function, by kind. */
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

/** The parameters of `claim`, in their order. */
export function encodeClaim(command: ClaimCommand): Values {
  const { worker, leaseMs, limit, ahead, queues, afterTenant, lanes } = command;
  const { maxLosses = Infinity, only, alone = false, rates } = command;
  return [
    worker,
    Math.ceil(leaseMs),
    limit,
    ahead,
    // An empty list means no queue; null means all queues.
    queues === undefined ? null : (textArray(queues) ?? '{}'),
    afterTenant ?? null,
    maxLosses === Infinity ? null : maxLosses,
    only === undefined ? null : (textArray(only) ?? '{}'),
    alone ? 'true' : null,
    rates === undefined || rates.length === 0 ? null : JSON.stringify(rates.map(rateRow)),
    textArray(lanes.map(({ handler }) => handler)),
    plainArray(lanes.map((lane) => lane.limit)),
    textArray(lanes.map(({ policyHash }) => policyHash)),
    // `l_max_attempts`: nothing reads it.
    null,
    plainArray(lanes.map((lane) => Math.min(lane.limitPerKey, MAX_INTEGER))),
    textArray(lanes.map((lane) => claimDetail(command, lane))),
  ];
}

/** As `rates_of` reads it. */
function rateRow({ name, handler, queue, by, everyUs, burst, perMs }: ClaimRate): unknown[] {
  return [name, handler ?? null, queue ?? null, by, everyUs, burst, perMs];
}

const MAX_INTEGER = 2 ** 31 - 1;
