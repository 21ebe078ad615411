import type { JobSummary } from '@redrive/durable';
import type { Deed } from './evidence.ts';
import type { Findings } from './report.ts';

export interface EffectFacts {
  readonly jobs: readonly JobSummary[];
  readonly deeds: readonly Deed[];
  /** How often each key's effect is in the store's own database. */
  readonly rows: ReadonlyMap<string, number> | undefined;
  /** Effects outside that may be made again: so many runs may have been cut between effect and record. */
  readonly gaps: number;
}

/** Effects happen once: in the store's own database without exception, outside of it but for the gap. */
export function checkEffects({ jobs, deeds, rows, gaps }: EffectFacts, findings: Findings): void {
  if (rows !== undefined) {
    const several = [...rows].filter(([, times]) => times > 1);
    findings.figures['effects in a transaction'] = rows.size;
    findings.none(
      'double effects in a transaction',
      several.map(([key, times]) => `${key}: ${times} times`),
    );
    findings.none(
      'succeeded without an effect in a transaction',
      jobs
        .filter(({ state, idempotencyKey: key }) => state === 'succeeded' && !rows.has(key))
        .map(({ id }) => id),
    );
  }
  const outside = outsideEffects(deeds);
  findings.figures['effects outside'] = outside.first;
  findings.atMost('effects outside again, cut before their record', outside.again, gaps);
  findings.figures['effects outside with an older token'] = outside.stale;
  findings.none('effects outside after their record', outside.afterRecord);
}

function outsideEffects(deeds: readonly Deed[]) {
  const made = new Set<string>();
  const recorded = new Map<string, number>();
  let again = 0;
  let stale = 0;
  const afterRecord: string[] = [];
  for (const { what, key, token, ledgerToken = token } of deeds) {
    const record = recorded.get(key);
    if (what === 'recorded') recorded.set(key, Math.max(record ?? 0, ledgerToken));
    if (what !== 'effect') continue;
    // Who takes tokens refuses an older one: whoever held the key before cannot know that it has lost it.
    if (record !== undefined && ledgerToken <= record) stale += 1;
    else if (record !== undefined) afterRecord.push(`${key}: token ${ledgerToken} after ${record}`);
    else if (made.has(key)) again += 1;
    made.add(key);
  }
  return { first: made.size, again, stale, afterRecord };
}
