import type { ClaimResult, Command, Result } from '@redrive/durable/store';
import { type JobRow, leasedJobOf } from '../job/job-row.ts';
import { LEASED } from '../job/states.ts';
import type { LedgerOutcome } from '../ledger/ledger-table.ts';
import type { Claimed } from '../writer/claim.ts';
import type { ClaimedRow } from '../writer/leasing.ts';

/** The result of most commands: done as asked. The caller's thread turns it into the command's own result. */
export const DONE = 0;

/** A command's result on its way back from the writer. */
export type CommandOutcome = typeof DONE | Exclude<Result, { readonly jobs: unknown }> | Claimed;

/** Of a command or a call of a ledger. */
export type Outcome = CommandOutcome | LedgerOutcome;

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
  const { lastTenant, more, nowMs, nextDueInMs, suspects } = claimed;
  return {
    ok: true,
    jobs: claimed.rows.map((row) => leasedJobOf(jobRowOf(row, claimed))),
    lastTenant: lastTenant ?? undefined,
    more,
    nowMs,
    nextDueInMs: nextDueInMs ?? undefined,
    suspects,
  };
}

/** A claimed job as it stands in the store. */
function jobRowOf(row: ClaimedRow, { lanes, untilMs, auditBlock }: Claimed): JobRow {
  const [template, id, submittedAt, payload] = row;
  const [queue, handler, lease] = lanes[template[0]] ?? ['', '', null];
  return [
    0,
    id,
    queue,
    handler,
    template[1],
    template[2],
    submittedAt,
    LEASED,
    template[3],
    template[4],
    auditBlock,
    null,
    template[5],
    template[6],
    null,
    untilMs,
    lease,
    0,
    null,
    template[7],
    template[8],
    payload,
    template[9],
    null,
  ];
}
