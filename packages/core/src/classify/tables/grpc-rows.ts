import {
  BROKEN,
  CANCELLED,
  ECHO,
  IN_DOUBT,
  LIMITED,
  NOT_DONE,
  REFUSED,
  type Row,
  type Rows,
} from './row.ts';

/** gRPC's status codes by name, in the order of their numbers from 1. ABORTED means: do the whole transaction again. */
export const GRPC_ROWS: Rows = {
  CANCELLED,
  UNKNOWN: IN_DOUBT,
  INVALID_ARGUMENT: REFUSED,
  DEADLINE_EXCEEDED: IN_DOUBT,
  NOT_FOUND: REFUSED,
  ALREADY_EXISTS: ECHO,
  PERMISSION_DENIED: REFUSED,
  RESOURCE_EXHAUSTED: LIMITED,
  FAILED_PRECONDITION: REFUSED,
  ABORTED: NOT_DONE,
  OUT_OF_RANGE: REFUSED,
  UNIMPLEMENTED: REFUSED,
  INTERNAL: IN_DOUBT,
  UNAVAILABLE: IN_DOUBT,
  DATA_LOSS: BROKEN,
  UNAUTHENTICATED: REFUSED,
};

/** Texts of the gRPC client that refine a code: no connection was made; or a message was too large, which is final. */
export const GRPC_DETAILS: readonly (readonly [name: string, details: RegExp, row: Row])[] = [
  ['UNAVAILABLE', /^(No connection established|Name resolution failed)/, NOT_DONE],
  ['RESOURCE_EXHAUSTED', /message.* larger than/i, BROKEN],
];
