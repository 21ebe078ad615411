export type * from './actions.ts';
export { type CallOptions, type ClientOptions, call, items } from './call.ts';
export {
  type FieldProblem,
  isClientError,
  type ProblemLike,
  RedriveClientError,
} from './client-error.ts';
export { createClient } from './create-client.ts';
