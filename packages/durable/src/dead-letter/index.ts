export type { DeadFilter, DeadGroup } from './dead-letter-store.ts';
export type { AbandonedReason } from './envelope.ts';
export { type DeadLetterEnvelope, deadLetterOf } from './envelope.ts';
export { type ExportFormat, exportDeadLetters } from './export.ts';
export { type ErrorFingerprint, fingerprintOf } from './fingerprint.ts';
