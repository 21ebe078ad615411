export type { CauseRule } from '@redrive/core/stored';
export type { DeadFilter, DeadGroup } from './dead-letter-store.ts';
export type { AbandonedReason } from './envelope.ts';
export { type DeadLetterEnvelope, deadLetterOf } from './envelope.ts';
export { type ExportFormat, exportDeadLetters } from './export.ts';
export { type ErrorFingerprint, fingerprintOf } from './fingerprint.ts';
export { type MessagePart, messageParts } from './message-parts.ts';
export {
  CAUSE_DIMENSIONS,
  type CauseDimension,
  type CauseSample,
  type RankedCause,
  rankCauses,
  suggestionFor,
} from './rank-causes.ts';
export { type CauseSamples, readCauses } from './read-causes.ts';
export type { CauseRuleDocument } from './rules/rule-documents.ts';
export {
  applyFileRules,
  causeRulesOf,
  type RuleChange,
  removeCauseRule,
  setCauseRule,
} from './rules/set-rules.ts';
export { type RuleTrial, type TrialCause, tryCauseRule } from './rules/try-rules.ts';
