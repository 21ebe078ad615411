export { type AuditEventV1, toAuditV1 } from './audit-v1.ts';
export { type EventV1, toEventV1 } from './event-v1.ts';
export { hashPolicy } from './policy-hash.ts';
export { type SessionLog, sessionLog } from './session-log.ts';
export { type AttemptV1, type SessionV1, toAttemptV1, toSessionV1 } from './session-v1.ts';
export { recordProblems, validateRecord } from './validate-record.ts';
