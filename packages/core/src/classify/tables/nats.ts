import type { Classifier } from '../classification.ts';
import { type Fields, fields } from '../error-facts.ts';
import { JETSTREAM_ROWS, JETSTREAM_STATUSES, NATS_ROWS } from './nats-rows.ts';
import { answer, type LookUp, nearestKnown, type Row, rowOf } from './row.ts';

/**
 * Classifies errors of `@nats-io` 3 and `nats` 2: by JetStream's error code, then its status, then the error's name or
 * code. For `classify` of a policy.
 */
export const natsErrors: Classifier = (error, context) =>
  nearestKnown(error, (cause) => lookUpNats(cause, context));

export const lookUpNats: LookUp = (cause, context) => {
  const row = jetStreamRow(cause) ?? clientRow(cause);
  return row && answer(row, context);
};

function jetStreamRow({ name, code, status, api_error }: Fields): Row | undefined {
  // `nats` 2 has the server's answer as a field of its own.
  const { err_code, code: apiStatus } = fields(api_error);
  if (api_error !== undefined) {
    return rowOf(JETSTREAM_ROWS, err_code) ?? rowOf(JETSTREAM_STATUSES, apiStatus);
  }
  // A status of a pull request is under `code`.
  if (name === 'JetStreamStatusError') return rowOf(JETSTREAM_STATUSES, code);
  // The numbers of JetStream begin above those of any other table, so the error's name does not matter.
  const row = typeof code === 'number' && code > 10_000 ? rowOf(JETSTREAM_ROWS, code) : undefined;
  return row ?? (isApiError(name) ? rowOf(JETSTREAM_STATUSES, status) : undefined);
}

function isApiError(name: unknown): boolean {
  return /^(JetStreamApi|StreamNotFound|ConsumerNotFound)Error$/.test(String(name));
}

function clientRow({ name, code }: Fields): Row | undefined {
  return (name === 'NatsError' && rowOf(NATS_ROWS, code)) || rowOf(NATS_ROWS, name);
}
