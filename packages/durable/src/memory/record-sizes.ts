import type { AuditRecord } from '../audit/audit-block.ts';
import type { RecordSizes, StoredPolicy } from '../store/store.ts';
import type { AuditLog } from './audit-log.ts';
import type { JobTable } from './job-table.ts';

const SAMPLE = 100;

/** Mean size of the newest records of each kind, written as JSON. Payloads and results are the user's, and not counted. */
export function sizesOf(
  table: JobTable,
  audit: AuditLog,
  policies: Iterable<StoredPolicy>,
): RecordSizes {
  const sessions: object[] = [];
  const attempts: object[] = [];
  for (const id of table.submitted.latestFirst()) {
    if (sessions.length >= SAMPLE) break;
    const job = table.get(id);
    if (job === undefined) continue;
    const { payload: _payload, result: _result, attempts: log, ...session } = job;
    sessions.push(session);
    attempts.push(...log.kept);
  }
  // Its own encoding, so it is an array of records.
  const records = audit
    .newest(SAMPLE)
    .flatMap(({ body }) => JSON.parse(body) as readonly AuditRecord[]);
  return {
    session: meanBytes(sessions),
    attempt: meanBytes(attempts),
    event: meanBytes(records),
    policy: meanBytes([...policies]),
  };
}

function meanBytes(values: readonly unknown[]): number | undefined {
  if (values.length === 0) return undefined;
  const bytes = values.reduce<number>(
    (sum, value) => sum + Buffer.byteLength(JSON.stringify(value)),
    0,
  );
  return Math.round(bytes / values.length);
}
