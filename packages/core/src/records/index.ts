export { type AuditEventV1, toAuditV1 } from './audit-v1.ts';
export { type EventV1, type EventV1Options, toEventV1 } from './event-v1.ts';
export { MASK, maskSecrets } from './mask-secrets.ts';
export { hashPolicy } from './policy-hash.ts';
export { sanitiseContext } from './sanitise-context.ts';
export { sanitiseError } from './sanitise-error.ts';
export { type SessionLog, type SessionLogOptions, sessionLog } from './session-log.ts';
export { type AttemptV1, type SessionV1, toAttemptV1, toSessionV1 } from './session-v1.ts';
export { type RecordShape, recordProblems, validateRecord } from './validate-record.ts';
