export type { AnyAction, Verdict } from '../action/action.ts';
export type { Context } from '../action/context.ts';
export { parseInput } from '../action/parse-input.ts';
export { verifyLog } from '../audit/verify-log.ts';
export { validation } from '../config/config-answer.ts';
export { knownOperation } from '../operation/known-operation.ts';
export { findPolicy, type Side, sideOf } from '../policy/find-policy.ts';
export { loadAction } from './load-action.ts';
