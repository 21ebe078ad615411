import type {
  ClaimCommand,
  ClaimResult,
  EnqueueCommand,
  EnqueueResult,
  LeasedJob,
  Refusal,
  SetAsideJob,
  SettleResult,
  Suspect,
} from '@redrive/durable/store';
import type { Row } from '../connect/connection.ts';
import { claimedReader } from '../job/read-job.ts';
import { rowProblem } from '../job/row-problem.ts';

const SETTLED: SettleResult = { ok: true };

/** The results of `count` settlements; `refused` are counted from 1. */
export function settleResults(
  count: number,
  refused: readonly number[],
  refusals: readonly string[],
): SettleResult[] {
  const results = new Array<SettleResult>(count).fill(SETTLED);
  refused.forEach((ord, at) => {
    // The function returns no other values.
    results[ord - 1] = { ok: false, refusal: refusals[at] as Refusal | 'not_found' };
  });
  return results;
}

/** The results of enqueues. Without outcomes all jobs were created. */
export function enqueueResults(
  commands: readonly EnqueueCommand[],
  outcomes?: readonly string[],
  ids?: readonly string[],
): EnqueueResult[] {
  return commands.map(({ job }, at) => {
    const outcome = outcomes?.[at] ?? 'created';
    const id = ids?.[at] ?? job.id;
    return outcome === 'unique_conflict' ||
      outcome === 'duplicate_id' ||
      outcome === 'batch_closed' ||
      outcome === 'idempotency_conflict'
      ? { ok: false, refusal: outcome, id }
      : // The other ones that the function answers with.
        { ok: true, id, outcome: outcome as 'created' | 'existing' | 'replaced' };
  });
}

/** The first column of a job in a row of the answer, after `kind` and `meta`. */
const JOB_FROM = 2;

/** Claimed rows that cannot be read are returned apart; the store sets them aside. */
export type PostgresClaimResult = ClaimResult & {
  readonly unreadable?: readonly SetAsideJob[];
};

export function claimResult(
  command: ClaimCommand,
  jobRows: readonly Row[],
  meta: string,
  suspects: readonly Suspect[] | undefined,
  auditBlock: number,
): PostgresClaimResult {
  const [more, now, next = '', since] = meta.split(',');
  const nowMs = Number(now);
  const read = claimedReader(command, Number(since), auditBlock);
  const jobs: LeasedJob[] = [];
  const unreadable: SetAsideJob[] = [];
  for (const row of jobRows) {
    const problem = rowProblem(row, JOB_FROM);
    if (problem === undefined) jobs.push(read(row, JOB_FROM));
    // The id is the first column.
    else unreadable.push({ id: row[JOB_FROM] ?? '', problem });
  }
  return {
    ok: true,
    jobs,
    lastTenant: (command.only ? undefined : jobs.at(-1)?.tenant) ?? command.afterTenant,
    more: more === 't',
    nowMs,
    nextDueInMs: next === '' ? undefined : Math.max(0, Number(next) - nowMs),
    suspects,
    ...(unreadable.length > 0 && { unreadable }),
  };
}
