import type { Classification, Classifier, ClassifyContext } from '../classification.ts';
import { type Fields, fields, header, unitsToMs } from '../error-facts.ts';
import { GRPC_DETAILS, GRPC_ROWS } from './grpc-rows.ts';
import { answer, type LookUp, nearestKnown, type Row, rowOf } from './row.ts';

/**
 * Classifies errors of gRPC clients: a numeric `code` beside `metadata` or `details`, or a code's name, also in the form
 * `resource-exhausted`. Obeys `grpc-retry-pushback-ms` (negative or unreadable means never) and Google's RetryInfo.
 * For `classify` of a policy.
 */
export const grpcErrors: Classifier = (error, context) =>
  nearestKnown(error, (cause) => lookUpGrpc(cause, context));

export const lookUpGrpc: LookUp = (cause, context) => {
  const name = nameOf(cause);
  const row = rowOf(GRPC_ROWS, name);
  return row && withPushback(detailed(name, cause.details) ?? row, cause, context);
};

function nameOf({ code, details, metadata }: Fields): string | undefined {
  if (typeof code === 'string') return code.toUpperCase().replaceAll('-', '_');
  // Small numbers are codes of many things; only a gRPC error has these beside it.
  const isGrpc =
    typeof code === 'number' && (metadata !== undefined || typeof details === 'string');
  return isGrpc ? Object.keys(GRPC_ROWS)[code - 1] : undefined;
}

function detailed(name: string | undefined, details: unknown): Row | undefined {
  return GRPC_DETAILS.find(([of, text]) => of === name && text.test(String(details)))?.[2];
}

function withPushback(row: Row, cause: Fields, context: ClassifyContext): Classification {
  const pushback = header(cause.metadata, 'grpc-retry-pushback-ms').trim();
  if (!pushback) return answer(row, context, retryInfoMs(cause.statusDetails));
  const ms = /^\d+$/.test(pushback) ? unitsToMs(pushback, 1) : undefined;
  return ms === undefined ? { errorClass: 'final', effect: row.effect } : answer(row, context, ms);
}

/** google.rpc.RetryInfo, as Google's clients decode it: `{ retryDelay: { seconds, nanos } }`, seconds maybe a long. */
function retryInfoMs(statusDetails: unknown): number | undefined {
  if (!Array.isArray(statusDetails)) return undefined;
  const { retryDelay } = fields(statusDetails.find((detail) => fields(detail).retryDelay));
  const { seconds = 0, nanos = 0 } = fields(retryDelay);
  return retryDelay ? unitsToMs(Number(seconds) * 1000 + Number(nanos) / 1e6, 1) : undefined;
}
