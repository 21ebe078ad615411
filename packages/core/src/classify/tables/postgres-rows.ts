import { BROKEN, ECHO, IN_DOUBT, LIMITED, NOT_DONE, REFUSED, type Rows } from './row.ts';

/**
 * SQLSTATEs. An error that rolled the transaction back has no effect; the whole transaction is retried. After an error
 * that broke the connection the effect is unknown, because a COMMIT may have been on its way.
 */
export const POSTGRES_ROWS: Rows = {
  // Connection
  '08000': IN_DOUBT,
  '08001': NOT_DONE,
  '08003': IN_DOUBT,
  '08004': NOT_DONE,
  '08006': IN_DOUBT,
  '08007': IN_DOUBT,
  '08P01': BROKEN,
  // Constraints: a key that exists may be our own earlier success.
  '23502': REFUSED,
  '23503': REFUSED,
  '23505': ECHO,
  '23514': REFUSED,
  '23P01': ECHO,
  // Transaction state: 25006 is a standby or a failover in progress; 25P02 hides an earlier error.
  '25006': NOT_DONE,
  '25P02': REFUSED,
  '25P03': NOT_DONE,
  '25P04': REFUSED,
  // Rolled back
  '40000': NOT_DONE,
  '40001': NOT_DONE,
  '40002': REFUSED,
  '40003': IN_DOUBT,
  '40P01': NOT_DONE,
  // Resources: no room on disk or in memory passes slowly; a configured limit does not pass.
  '53000': LIMITED,
  '53100': LIMITED,
  '53200': LIMITED,
  '53300': NOT_DONE,
  '53400': REFUSED,
  // Locks and objects in use
  '55000': REFUSED,
  '55006': NOT_DONE,
  '55P03': NOT_DONE,
  // Operators: 57014 is a statement time-out or a cancel; the same statement would take as long again.
  '57014': REFUSED,
  '57P01': IN_DOUBT,
  '57P02': IN_DOUBT,
  '57P03': NOT_DONE,
  '57P04': REFUSED,
  '57P05': IN_DOUBT,
  '58000': IN_DOUBT,
  '58030': IN_DOUBT,
  '72000': NOT_DONE,
  HV00N: NOT_DONE,
  // The drivers' own codes and, where they give none, messages: postgres.js, pg, pg-pool.
  CONNECT_TIMEOUT: NOT_DONE,
  CONNECTION_CLOSED: IN_DOUBT,
  CONNECTION_DESTROYED: IN_DOUBT,
  CONNECTION_ENDED: REFUSED,
  'timeout exceeded when trying to connect': NOT_DONE,
  'timeout expired': NOT_DONE,
  'Connection terminated due to connection timeout': NOT_DONE,
  'Connection terminated': IN_DOUBT,
  'Connection terminated unexpectedly': IN_DOUBT,
  'Client has encountered a connection error and is not queryable': NOT_DONE,
  'Query read timeout': IN_DOUBT,
  'Cannot use a pool after calling end on the pool': REFUSED,
};

/** Classes of SQLSTATEs (the first two characters), for codes without a row of their own. */
export const POSTGRES_CLASSES: Rows = {
  '08': IN_DOUBT,
  '0A': REFUSED,
  '21': REFUSED,
  '22': REFUSED,
  '23': REFUSED,
  '25': REFUSED,
  '26': REFUSED,
  '28': REFUSED,
  '2B': REFUSED,
  '34': REFUSED,
  '3D': REFUSED,
  '3F': REFUSED,
  '40': NOT_DONE,
  '42': REFUSED,
  '44': REFUSED,
  '53': LIMITED,
  '54': REFUSED,
  '55': REFUSED,
  '57': IN_DOUBT,
  '58': IN_DOUBT,
  F0: REFUSED,
  HV: BROKEN,
  P0: REFUSED,
  XX: BROKEN,
};
