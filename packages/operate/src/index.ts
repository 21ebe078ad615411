export { type Access, accessPort } from './access/access.ts';
export type {
  Action,
  AnswerOf,
  AnyAction,
  AnyStream,
  InputOf,
  Stream,
  Verdict,
} from './action/action.ts';
export type { Context, Progress, ServerFacts } from './action/context.ts';
export { inputProblems, invalidInput, parseInput } from './action/parse-input.ts';
export { ACTIONS, type ActionList, allActions } from './actions.ts';
export { foundAnswer } from './audit/record-answer.ts';
export type { FoundAnswer } from './audit/record-schema.ts';
export { letterSummary } from './dead-letter/letter-answer.ts';
export type { DoctorAnswer } from './doctor/doctor.ts';
export { operationAnswer } from './operation/operation-answer.ts';
