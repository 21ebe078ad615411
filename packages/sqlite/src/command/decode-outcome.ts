import type { ClaimResult, Command, Result } from '@redrive/durable/store';
import { type JobRow, leasedJobOf } from '../job/job-row.ts';
import { LEASED } from '../job/states.ts';
import type { Claimed } from '../writer/claim.ts';
import type { ClaimedRow } from '../writer/leasing.ts';
import { type CommandOutcome, DONE } from './outcome.ts';

/** A command's result, as its caller gets it. */
export function decodeOutcome(outcome: CommandOutcome, command: Command): Result {
  if (outcome === DONE) {
    return command.kind === 'enqueue'
      ? { ok: true, id: command.job.id, outcome: 'created' }
      : { ok: true };
  }
  return 'rows' in outcome ? claimResultOf(outcome) : outcome;
}

function claimResultOf(claimed: Claimed): ClaimResult {
  const { lastTenant, more, nowMs, nextDueInMs } = claimed;
  return {
    ok: true,
    jobs: claimed.rows.map((row) => leasedJobOf(jobRowOf(row, claimed))),
    lastTenant: lastTenant ?? undefined,
    more,
    nowMs,
    nextDueInMs: nextDueInMs ?? undefined,
  };
}

/** A claimed job as it stands in the store. */
function jobRowOf(row: ClaimedRow, { lanes, untilMs, auditBlock }: Claimed): JobRow {
  const [queue, handler, lease] = lanes[row[0]] ?? ['', '', null];
  return [
    0,
    row[1],
    queue,
    handler,
    row[2],
    row[3],
    row[4],
    LEASED,
    row[5],
    row[6],
    auditBlock,
    null,
    row[7],
    row[8],
    null,
    untilMs,
    lease,
    0,
    null,
    row[9],
    row[10],
    row[11],
    row[12],
    null,
  ];
}
