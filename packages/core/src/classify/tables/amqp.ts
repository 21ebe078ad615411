import type { Classifier } from '../classification.ts';
import { AMQP_MESSAGES, AMQP_ROWS } from './amqp-rows.ts';
import { answer, type LookUp, nearestKnown, rowOf } from './row.ts';

/** The text in which amqplib puts the server's reply code. The same numbers are statuses of HTTP elsewhere. */
const CLOSED =
  /^(?:Channel closed by server|Connection closed|Operation failed|Handshake terminated)[^:]*: (?:\w+; )?(\d{3}) /;

/** Classifies errors of amqplib and libraries around it, by AMQP reply code. For `classify` of a policy. */
export const amqpErrors: Classifier = (error, context) =>
  nearestKnown(error, (cause) => lookUpAmqp(cause, context));

export const lookUpAmqp: LookUp = ({ message }, context) => {
  const text = typeof message === 'string' ? message : '';
  const row = rowOf(AMQP_ROWS, CLOSED.exec(text)?.[1]) ?? rowOf(AMQP_MESSAGES, text);
  return row && answer(row, context);
};
