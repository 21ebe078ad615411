import { redact, shownJson } from '../dead-letter/redact.ts';
import type { Job } from '../job/job.ts';

/**
 * How payload, result and headers appear in a document: `redacted` as bounded copies with secrets masked, `full` as they
 * are, `none` not at all.
 */
export type ShownValues = 'none' | 'redacted' | 'full';

export function shownResult({ result }: Job, values: ShownValues): unknown {
  return values === 'none' || result === undefined ? null : shownJson(result, values);
}

export function shownHeaders({ headers }: Job, values: ShownValues): unknown {
  if (values === 'none') return null;
  return values === 'full' ? headers : redact(headers);
}
