import type { Classifier } from '../classification.ts';
import type { Fields } from '../error-facts.ts';
import { REDIS_CLIENTS, REDIS_REPLIES } from './redis-rows.ts';
import { answer, type LookUp, nearestKnown, type Row, rowOf } from './row.ts';

/** Names under which the clients throw the server's error replies. */
const REPLY = /^(ReplyError|ErrorReply|SimpleError|BlobError)$/;

/**
 * Classifies errors of node-redis, ioredis and Valkey's clients: the first word of an error reply, else the client's own
 * name or message. For `classify` of a policy.
 */
export const redisErrors: Classifier = (error, context) =>
  nearestKnown(error, (cause) => lookUpRedis(cause, context));

export const lookUpRedis: LookUp = (cause, context) => {
  const row = replyRow(cause) ?? rowOf(REDIS_CLIENTS, nameOf(cause)) ?? messageRow(cause);
  return row && answer(row, context);
};

function replyRow(cause: Fields): Row | undefined {
  if (!REPLY.test(nameOf(cause))) return undefined;
  return rowOf(REDIS_REPLIES, /^[A-Z]+/.exec(String(cause.message))?.[0]);
}

/** node-redis leaves the name `Error` and names the class. */
function nameOf(cause: Fields): string {
  const made = cause.constructor;
  const own = typeof made === 'function' ? made.name : '';
  return cause.name === undefined || cause.name === 'Error' ? own : String(cause.name);
}

function messageRow({ message }: Fields): Row | undefined {
  return typeof message === 'string' ? rowOf(REDIS_CLIENTS, message) : undefined;
}
