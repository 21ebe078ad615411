import { RedriveError } from '@redrive/core';
import type { FieldProblem } from '@redrive/core/fields';
import type { Payload } from '../job/job.ts';
import type { EnqueueCommand } from '../store/commands.ts';
import { jsonLosses, type LossOfObject, lossText, payloadLoss } from './json-losses.ts';

/**
 * The payload as it is stored: bytes stay bytes, everything else becomes JSON, and `undefined` the empty text. Answers
 * what is wrong where JSON cannot hold it, or would hold something else (`null` for `NaN`, `{}` for a `Map`, a text for a
 * `Date`). A value
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
  const { bytes, suspect } = measureJson(value, maxBytes, payloadLoss);
  if (bytes > maxBytes) throw tooLarge(handler, bytes, maxBytes);
  const losses = suspect ? jsonLosses(value, 'payload', payloadLoss) : [];
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

/** Jobs of one `enqueueMany` or `enqueueManyIn`: one commit must stay short, because others wait for it. */
const MAX_JOBS = 10_000;

/** @throws RedriveError `invalid_job`: it is not a list, or too long. */
export function checkJobCount(who: string, given: unknown, items: string): void {
  if (Array.isArray(given) && given.length <= MAX_JOBS) return;
  const found = Array.isArray(given) ? given.length : typeof given;
  throw new RedriveError(
    'invalid_job',
    `${who} takes a list of at most ${MAX_JOBS} ${items}, not ${found}`,
    { maxJobs: MAX_JOBS },
  );
}

/** Bytes of the payloads of one `enqueueMany` or `enqueueManyIn`: they are in memory, and in one commit. */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;

/** @throws RedriveError `payload_too_large` where the payloads are too large together. */
export function checkTotalSize(who: string, payloads: readonly Payload[]): void {
  let bytes = 0;
  for (const payload of payloads) bytes += payloadBytes(payload);
  checkTotalBytes(who, bytes, payloads.length);
}

export function payloadBytes(payload: Payload): number {
  return payload.kind === 'bytes' ? payload.bytes.length : Buffer.byteLength(payload.text);
}

/** The same, where their bytes are known. */
export function checkTotalBytes(who: string, bytes: number, jobs: number): void {
  // One alone is for `maxPayloadBytes` to judge.
  if (bytes <= MAX_TOTAL_BYTES || jobs === 1) return;
  throw new RedriveError(
    'payload_too_large',
    `The payloads of ${jobs} jobs have ${bytes} bytes together, more than the ${MAX_TOTAL_BYTES} of one ` +
      `${who}. Enqueue them in several calls.`,
    { bytes, maxBytes: MAX_TOTAL_BYTES, jobs },
  );
}

/**
 * Checks the commands of an `enqueueManyIn`.
 *
 * @throws RedriveError `invalid_job`, `payload_too_large`.
 */
export function checkManyCommands(commands: readonly EnqueueCommand[]): void {
  checkJobCount('enqueueManyIn', commands, 'commands');
  checkTotalSize(
    'enqueueManyIn',
    commands.map(({ job }) => job.payload),
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

/** Facts about the JSON of a value, found in one walk over it. */
interface JsonMeasure {
  /** The JSON has at least this many bytes. Not counted further once it is above `maxBytes`. */
  readonly bytes: number;
  /** JSON would change a part of it without an error (`NaN` to `null`, a `Map` to `{}`): `jsonLosses` says which. */
  readonly suspect: boolean;
}

/** JSON leaves out `undefined`, as everybody expects. It changes other values that it has no type for. */
const isForeign = (part: unknown): boolean =>
  typeof part === 'bigint' || typeof part === 'function' || typeof part === 'symbol';

/**
 * Looks through a value without making its JSON: of a text of hundreds of megabytes that would be a second one, only to
 * learn that it is too long. One walk for both questions, because every payload and every result goes through it.
 */
export function measureJson(
  value: unknown,
  maxBytes: number,
  lossOfObject: LossOfObject,
): JsonMeasure {
  if (typeof value === 'string') return { bytes: value.length + 2, suspect: false };
  if (typeof value !== 'object' || value === null) {
    return { bytes: 0, suspect: typeof value === 'number' && !Number.isFinite(value) };
  }
  const seen = new Set<object>([value]);
  const waiting: object[] = [value];
  let bytes = 0;
  let suspect = false;
  try {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const prototype: unknown = Object.getPrototypeOf(next);
      if (prototype !== Object.prototype && prototype !== Array.prototype) {
        suspect ||= lossOfObject(next) !== undefined;
        if (next instanceof Uint8Array) {
          // Every element has at least a digit and a comma.
          bytes += next.length * 2;
          continue;
        }
      }
      if ('toJSON' in next) continue;
      const parts: readonly unknown[] = Object.values(next);
      // Two brackets, and a comma after each part but the last.
      bytes += 1;
      let isStrange = false;
      for (const part of parts) {
        if (typeof part === 'string') bytes += part.length + 3;
        else if (typeof part === 'number') {
          bytes += 2;
          if (!Number.isFinite(part)) suspect = true;
        } else if (typeof part === 'object') {
          if (part !== null && !seen.has(part)) {
            seen.add(part);
            waiting.push(part);
          }
        } else if (typeof part !== 'boolean') isStrange = true;
      }
      if (Array.isArray(next)) suspect ||= isStrange || parts.length !== next.length;
      else if (isStrange) suspect ||= parts.some(isForeign);
      if (bytes > maxBytes) break;
    }
  } catch {
    // A getter or a proxy: JSON says what is wrong with it.
  }
  return { bytes, suspect };
}
