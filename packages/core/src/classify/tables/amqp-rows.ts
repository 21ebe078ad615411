import { BROKEN, ECHO, IN_DOUBT, LIMITED, NOT_DONE, REFUSED, type Rows } from './row.ts';

/** Reply codes of AMQP 0-9-1, with which a server closes a channel (3xx, 4xx) or the connection (320, 402, 5xx). */
export const AMQP_ROWS: Rows = {
  '311': LIMITED,
  '312': REFUSED,
  '313': NOT_DONE,
  '320': IN_DOUBT,
  '402': REFUSED,
  '403': REFUSED,
  '404': REFUSED,
  // Another connection has the queue for itself.
  '405': NOT_DONE,
  // Declared before with other arguments, or a delivery that is acknowledged already.
  '406': ECHO,
  '501': BROKEN,
  '502': BROKEN,
  '503': BROKEN,
  '504': BROKEN,
  '505': BROKEN,
  // No memory or disk left at the server
  '506': LIMITED,
  '530': REFUSED,
  '540': REFUSED,
  '541': BROKEN,
};

/** Messages of amqplib where it gives no code. A server that nacks a message has not kept it. */
export const AMQP_MESSAGES: Rows = {
  'message nacked': NOT_DONE,
  'channel closed': IN_DOUBT,
  'Channel closed': NOT_DONE,
  'Channel closing': NOT_DONE,
  'Connection closed': NOT_DONE,
  'Connection closing': NOT_DONE,
  'Heartbeat timeout': IN_DOUBT,
  'Unexpected close': IN_DOUBT,
  'Socket closed abruptly during opening handshake': NOT_DONE,
  'Channel ended, no reply will be forthcoming': IN_DOUBT,
  'connect ETIMEDOUT': NOT_DONE,
  'No channels left to allocate': LIMITED,
};
