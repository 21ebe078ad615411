import type { ClaimResult, Result } from '@redrive/durable/store';
import { leasedJobOf } from '../job/job-row.ts';
import type { Claimed } from '../writer/claim.ts';
import type { Outcome } from '../writer/writer.ts';

/** A command's result, as its caller gets it. */
export function decodeOutcome(outcome: Outcome): Result {
  return 'rows' in outcome ? claimResultOf(outcome) : outcome;
}

function claimResultOf({ rows, lastTenant, more, nowMs, nextDueInMs }: Claimed): ClaimResult {
  return {
    ok: true,
    jobs: rows.map(leasedJobOf),
    lastTenant: lastTenant ?? undefined,
    more,
    nowMs,
    nextDueInMs: nextDueInMs ?? undefined,
  };
}
