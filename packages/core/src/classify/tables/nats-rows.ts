import { BROKEN, ECHO, IN_DOUBT, LIMITED, NOT_DONE, REFUSED, type Rows } from './row.ts';

/** Names of errors of `@nats-io` 3, and codes of `nats` 2. A message without responders reached nobody. */
export const NATS_ROWS: Rows = {
  NoResponders: NOT_DONE,
  TimeoutError: IN_DOUBT,
  ConnectionError: IN_DOUBT,
  ClosedConnectionError: REFUSED,
  DrainingConnectionError: REFUSED,
  AuthorizationError: REFUSED,
  UserAuthenticationExpiredError: REFUSED,
  PermissionViolationError: REFUSED,
  ProtocolError: BROKEN,
  InvalidSubjectError: REFUSED,
  InvalidArgumentError: REFUSED,
  InvalidOperationError: REFUSED,
  InvalidNameError: REFUSED,
  // The clients' error for a request without responders: also while a cluster elects a leader.
  JetStreamNotEnabled: NOT_DONE,
  '503': NOT_DONE,
  TIMEOUT: IN_DOUBT,
  CONNECTION_REFUSED: NOT_DONE,
  CONNECTION_TIMEOUT: NOT_DONE,
  CONNECTION_CLOSED: REFUSED,
  CONNECTION_DRAINING: REFUSED,
  DISCONNECT: IN_DOUBT,
  AUTHORIZATION_VIOLATION: REFUSED,
  AUTHENTICATION_EXPIRED: REFUSED,
  PERMISSIONS_VIOLATION: REFUSED,
  MAX_PAYLOAD_EXCEEDED: REFUSED,
  MAX_CONNECTIONS_EXCEEDED: LIMITED,
  BAD_SUBJECT: REFUSED,
  NATS_PROTOCOL_ERR: BROKEN,
  JETSTREAM_NOT_ENABLED: NOT_DONE,
};

/** Error codes of JetStream's API (`err_code`). After a wrong last sequence, the earlier write may be our own. */
export const JETSTREAM_ROWS: Rows = {
  // No leader yet, or the server just starts.
  '10008': NOT_DONE,
  '10009': NOT_DONE,
  '10041': NOT_DONE,
  '10150': NOT_DONE,
  // Streams, consumers and messages that do not exist, or exist already
  '10013': ECHO,
  '10014': REFUSED,
  '10037': REFUSED,
  '10058': ECHO,
  '10059': REFUSED,
  '10060': REFUSED,
  '10065': REFUSED,
  '10148': ECHO,
  // Optimistic writes
  '10071': ECHO,
  '10070': REFUSED,
  '10164': ECHO,
  // Limits: there is room again when messages are taken or expire; a message that is too large stays so.
  '10023': LIMITED,
  '10026': REFUSED,
  '10028': LIMITED,
  '10047': LIMITED,
  '10054': REFUSED,
  '10077': LIMITED,
  '10122': LIMITED,
  // JetStream is off, or not for this account.
  '10035': REFUSED,
  '10039': REFUSED,
  '10076': REFUSED,
};

/** Statuses of JetStream's answers, for error codes without a row of their own. */
export const JETSTREAM_STATUSES: Rows = {
  '400': REFUSED,
  '403': REFUSED,
  '404': REFUSED,
  '408': IN_DOUBT,
  '409': NOT_DONE,
  '429': LIMITED,
  '500': IN_DOUBT,
  '503': NOT_DONE,
};
