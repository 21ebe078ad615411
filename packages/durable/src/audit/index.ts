export type { AuditHead } from './anchor.ts';
export type { AuditProblem } from './audit-problem.ts';
export type { AuditReader } from './audit-reader.ts';
export { auditSink } from './audit-sink.ts';
export { checkProof, type ProofCheck } from './check-proof.ts';
export { type ImportedRecord, importRecord } from './import-record.ts';
export { METRIC_DIMENSIONS, type MetricDimension } from './metric-totals.ts';
export type { AuditProof, RecordPlace } from './proof.ts';
export { type ProveAnswer, proveRecord } from './prove-record.ts';
export { type RecordedAttempt, recordedAttempts } from './recorded-attempts.ts';
export { type Replay, replaySession } from './replay.ts';
export {
  type RetryMetrics,
  type RetryMetricsOptions,
  retryMetrics,
} from './retry-metrics.ts';
export { type Verification, verifyAudit } from './verify.ts';
