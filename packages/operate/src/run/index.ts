export type { AnyAction, Verdict } from '../action/action.ts';
export type { Context } from '../action/context.ts';
export { parseInput } from '../action/parse-input.ts';
export { knownOperation } from '../operation/known-operation.ts';
export { loadAction } from './load-action.ts';
