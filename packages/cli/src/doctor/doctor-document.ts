import type { Subject } from './check.ts';
import type { CheckResult } from './run-checks.ts';

/** The report as JSON prints it. @param store its name; `null`: it could not be opened. */
export function doctorDocument(
  store: string | null,
  checks: readonly CheckResult[],
  { read, putBack }: Subject['rows'] = { read: 0, putBack: [] },
) {
  const findings = checks.flatMap((check) => check.findings);
  return {
    store,
    ok: findings.every(({ level }) => level !== 'problem'),
    jobs_read: read,
    put_back: putBack,
    checks: checks.map(({ name, result }) => ({ name, result })),
    findings,
  };
}
