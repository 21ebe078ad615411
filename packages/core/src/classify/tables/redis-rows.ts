import { ECHO, IN_DOUBT, LIMITED, NOT_DONE, REFUSED, type Rows } from './row.ts';

/** The first word of an error reply. Redis refuses a command before it has done anything. */
export const REDIS_REPLIES: Rows = {
  // The server or the cluster is not ready, or another node is the right one.
  LOADING: NOT_DONE,
  TRYAGAIN: NOT_DONE,
  CLUSTERDOWN: NOT_DONE,
  MASTERDOWN: NOT_DONE,
  BUSY: NOT_DONE,
  READONLY: NOT_DONE,
  NOREPLICAS: NOT_DONE,
  MISCONF: NOT_DONE,
  MOVED: NOT_DONE,
  ASK: NOT_DONE,
  // The client loads the script and calls again.
  NOSCRIPT: NOT_DONE,
  UNBLOCKED: IN_DOUBT,
  OOM: LIMITED,
  BUSYKEY: ECHO,
  BUSYGROUP: ECHO,
  EXECABORT: REFUSED,
  CROSSSLOT: REFUSED,
  WRONGTYPE: REFUSED,
  NOAUTH: REFUSED,
  NOPERM: REFUSED,
  WRONGPASS: REFUSED,
  NOPROTO: REFUSED,
  DENIED: REFUSED,
  NOGOODSLAVE: NOT_DONE,
  ERR: REFUSED,
};

/** Names of the clients' own errors, and messages where they have no name: node-redis, ioredis. */
export const REDIS_CLIENTS: Rows = {
  ConnectionTimeoutError: NOT_DONE,
  ClientOfflineError: NOT_DONE,
  SocketClosedUnexpectedlyError: IN_DOUBT,
  DisconnectsClientError: IN_DOUBT,
  SocketTimeoutError: IN_DOUBT,
  CommandTimeoutDuringMaintenanceError: IN_DOUBT,
  RootNodesUnavailableError: NOT_DONE,
  ClientClosedError: REFUSED,
  // Another client changed a watched key, so the transaction did not run.
  WatchError: NOT_DONE,
  MaxRetriesPerRequestError: IN_DOUBT,
  ClusterAllFailedError: NOT_DONE,
  'Command timed out': IN_DOUBT,
  'Connection is closed.': IN_DOUBT,
  "Stream isn't writeable and enableOfflineQueue options is false": NOT_DONE,
};
