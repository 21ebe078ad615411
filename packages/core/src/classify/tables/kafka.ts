import type { Classifier } from '../classification.ts';
import type { Fields } from '../error-facts.ts';
import { KAFKA_NAMES, KAFKA_ROWS } from './kafka-rows.ts';
import { answer, IN_DOUBT, type LookUp, nearestKnown, REFUSED, type Row, rowOf } from './row.ts';

/**
 * Classifies errors of KafkaJS and of clients on librdkafka: by protocol code, then by name, then by `retriable`. For
 * `classify` of a policy.
 */
export const kafkaErrors: Classifier = (error, context) =>
  nearestKnown(error, (cause) => lookUpKafka(cause, context));

export const lookUpKafka: LookUp = (cause, context) => {
  const row = isKafka(cause) ? rowOfKafka(cause) : undefined;
  return row && answer(row, context);
};

/** Small numbers are codes of many things; only these errors have Kafka's. */
function isKafka({ name, code, type, origin, isRetriable }: Fields): boolean {
  if (/^(KafkaJS|LibrdKafka)/.test(String(name))) return true;
  const isProtocol = typeof type === 'string' && /^[A-Z][A-Z_]+$/.test(type);
  return (
    typeof code === 'number' && (isProtocol || origin === 'kafka' || isRetriable !== undefined)
  );
}

function rowOfKafka({ name, code, retriable, isRetriable }: Fields): Row | undefined {
  const known = rowOf(KAFKA_ROWS, code) ?? rowOf(KAFKA_NAMES, name);
  if (known) return known;
  const canRetry = retriable ?? isRetriable;
  if (typeof canRetry !== 'boolean') return undefined;
  return canRetry ? IN_DOUBT : REFUSED;
}
