import { RedriveError } from '@redrive/core';
import type { FieldProblem } from '@redrive/core/fields';
import type { Payload } from '../job/job.ts';
import { jsonLosses, lossText } from './json-losses.ts';
import { measureJson } from './measure-json.ts';

/**
 * The payload as it is stored: bytes stay bytes, everything else becomes JSON, and `undefined` the empty text. Answers
 * what is wrong where JSON cannot hold it, or would hold something else (`null` for `NaN`, `{}` for a `Map`). A value
 * that is far too large is refused before it is encoded.
 *
 * @throws RedriveError `payload_too_large`.
 */
export function encodePayload(
  handler: string,
  value: unknown,
  maxBytes: number,
): Payload | FieldProblem {
  // A copy: the caller may write into its own before the commit.
  if (value instanceof Uint8Array) return { kind: 'bytes', bytes: Uint8Array.from(value) };
  if (value === undefined) return NO_PAYLOAD;
  const { bytes, suspect } = measureJson(value, maxBytes);
  if (bytes > maxBytes) throw tooLarge(handler, bytes, maxBytes);
  const losses = suspect ? jsonLosses(value, 'payload') : [];
  if (losses.length > 0) return notJson(lossText(losses));
  try {
    const text: string | undefined = JSON.stringify(value);
    return text === undefined ? notJson(`JSON has no ${typeof value}`) : { kind: 'json', text };
  } catch (error) {
    return notJson(error instanceof Error ? error.message : String(error));
  }
}

const NO_PAYLOAD: Payload = Object.freeze({ kind: 'json', text: '' });

function notJson(why: string): FieldProblem {
  return { field: 'payload', message: `payload must be JSON or bytes: ${why}` };
}

/** The handler's input: a new value each time, so that one attempt cannot change what the next one sees. */
export function decodePayload(payload: Payload): unknown {
  if (payload.kind === 'bytes') return payload.bytes;
  return payload.text === '' ? undefined : JSON.parse(payload.text);
}

export function isSamePayload(one: Payload, other: Payload): boolean {
  if (one.kind === 'bytes')
    return other.kind === 'bytes' && Buffer.compare(one.bytes, other.bytes) === 0;
  return other.kind === 'json' && one.text === other.text;
}

/** Bytes of the payloads that one `enqueueMany` may bring: they are in memory, and go into one commit. */
export const MAX_ENQUEUE_MANY_BYTES = 64 * 1024 * 1024;

/** @throws RedriveError `payload_too_large` where the payloads are too large together. */
export function checkTotalSize(handler: string, payloads: readonly Payload[]): void {
  let bytes = 0;
  for (const payload of payloads) {
    bytes += payload.kind === 'bytes' ? payload.bytes.length : Buffer.byteLength(payload.text);
  }
  // One alone is for `maxPayloadBytes` to judge.
  if (bytes <= MAX_ENQUEUE_MANY_BYTES || payloads.length === 1) return;
  throw new RedriveError(
    'payload_too_large',
    `The payloads of ${payloads.length} jobs for ${handler} have ${bytes} bytes together, more than the ` +
      `${MAX_ENQUEUE_MANY_BYTES} of one enqueueMany. Enqueue them in several calls.`,
    { handler, bytes, maxBytes: MAX_ENQUEUE_MANY_BYTES, jobs: payloads.length },
  );
}

/** Largest payload, unless `maxPayloadBytes` says otherwise. */
export const DEFAULT_MAX_PAYLOAD_BYTES = 1024 * 1024;

/** @throws RedriveError `payload_too_large`. */
export function checkPayloadSize(
  handler: string | undefined,
  payload: Payload,
  maxBytes: number,
): void {
  const bytes = payload.kind === 'bytes' ? payload.bytes.length : textBytes(payload.text, maxBytes);
  if (bytes > maxBytes) throw tooLarge(handler, bytes, maxBytes);
}

function tooLarge(handler: string | undefined, bytes: number, maxBytes: number): RedriveError {
  return new RedriveError(
    'payload_too_large',
    `The payload of a job${handler === undefined ? '' : ` for ${handler}`} has at least ${bytes} bytes, more than the ${maxBytes} that are allowed. ` +
      'Store large data elsewhere and enqueue where it is, or raise maxPayloadBytes.',
    { handler, bytes, maxBytes },
  );
}

/** Exact where it matters: a text that fits in any encoding is not counted. */
export function textBytes(text: string, maxBytes: number): number {
  return text.length * 3 <= maxBytes ? text.length : Buffer.byteLength(text);
}
