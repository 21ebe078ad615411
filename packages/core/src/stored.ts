// Unstable: a minor version may change any of it. Parts that the stored rungs need, and authors of stores: the attempt
// account, ids, records of a ledger. A program that calls `retry` alone carries none of them.

export { drawDelayMs } from './backoff/delay.ts';
export { isDependencyFailure, REFUSED } from './breaker/breaker.ts';
export { defaultBudgets } from './budget/budgets.ts';
export {
  CAUSE_NAME,
  type CauseRule,
  isCauseName,
  MAX_RULES,
  MAX_TITLE,
  type RuleProblem,
  ruleProblems,
  SPLIT_BY,
} from './causes/cause-rule.ts';
export { classifyStored } from './classify/classify-stored.ts';
export { judgeResult } from './classify/judge-result.ts';
export { MAX_DURATION_MS, MAX_TIMER_MS } from './clock/clock.ts';
export {
  type AttemptAccount,
  chargedAttempts,
  claimAttempt,
  isRunning,
  nextGeneration,
  openAccount,
  settleAttempt,
  viewOf,
} from './decide/account.ts';
export { DECIDE_VERSION, decideVersions } from './decide/decide.ts';
export type { AttemptEntry, AttemptOutcome, DecisionPolicy, Rung } from './decide/decision.ts';
export type { LedgerEntry, LedgerFailure } from './ledger/ledger.ts';
export { philox2x32, sessionRandom } from './random/session-random.ts';
export { newSortableId } from './random/sortable-id.ts';
export { MASK, maskSecrets } from './records/mask-secrets.ts';
export { policyCategory, policyLabel } from './records/policy-label.ts';
export type { SanitisedError, SessionFacts } from './records/record.ts';
export { sanitiseContext } from './records/sanitise-context.ts';
export { sanitiseError } from './records/sanitise-error.ts';
