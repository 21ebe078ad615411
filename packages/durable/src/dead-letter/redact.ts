import { MASK, sanitiseContext } from '@redrive/core/stored';
import type { Job, Payload } from '../job/job.ts';

/** The part of a payload that is kept when it is shown redacted. */
const BOUNDS = { maxDepth: 12, maxKeys: 200, maxText: 2_000, maxValues: 5_000 } as const;

/** Longer texts are not read: their content would be cut anyway. */
const MAX_READ = 4 * 2 ** 20;

/** Secret by their name in payloads, besides those that core knows from errors and contexts. */
const SECRET_NAME =
  /^(?:pin|otp|totp|mfa_?code|cvv2?|cvc2?|csc|ssn|iban|pan|card_?(?:no|num|number)|account_?(?:no|num|number)|(?:e?mail_?)?verification_?code|signature|x?_?hmac|jwt|dsn|connection_?string)$/i;

/** A payload as a value that can be shown: bounded, with secrets masked by name and by shape. Never throws. */
export function shownPayload(payload: Payload, shown: ShownValues): unknown {
  if (shown === 'none') return null;
  if (payload.kind === 'json') return shownJson(payload.text, shown);
  const { bytes } = payload;
  if (shown === 'full') return { base64: Buffer.from(bytes).toString('base64') };
  const text = textOf(bytes);
  return { bytes: bytes.length, ...(text !== undefined && { text: redact(parsed(text)) }) };
}

/** Stands for a number while a payload is read. */
const MARK = '\u{e000}';
/** A name of a member is followed by a colon. */
const KEPT = /"\u{e000}(\d+)"(?!:)/gu;

/**
 * A payload as text for people: JSON with two spaces, and every number with all its digits. `JSON.parse` alone would round
 * integers beyond 2^53.
 */
export function payloadText(payload: Payload, shown: Exclude<ShownValues, 'none'>): string {
  if (payload.kind !== 'json' || payload.text === '' || payload.text.length > MAX_READ) {
    return JSON.stringify(shownPayload(payload, shown), null, 2);
  }
  const sources: string[] = [];
  // Not in TypeScript's types yet: the reviver gets the text of a value as its third argument.
  const keep = (_: string, value: unknown, ...[context]: readonly [{ source?: string }?]) => {
    // A text that looks like a kept number is not taken for one.
    if (typeof value === 'string') return value.replace(MARK, '\u{fffd}');
    if (typeof value !== 'number' || context?.source === undefined) return value;
    if (JSON.stringify(value) === context.source) return value;
    return `${MARK}${sources.push(context.source) - 1}`;
  };
  let value: unknown;
  try {
    value = JSON.parse(payload.text, keep as (key: string, value: unknown) => unknown);
  } catch {
    return shown === 'full' ? payload.text : JSON.stringify(redact(payload.text));
  }
  const text = JSON.stringify(shown === 'full' ? value : redact(value), null, 2);
  return text.replaceAll(KEPT, (_, at) => sources[at] ?? '');
}

/** A JSON text as a value that can be shown. The empty text means that there is no payload. */
export function shownJson(text: string, shown: Exclude<ShownValues, 'none'>): unknown {
  if (text === '') return null;
  if (shown === 'full') return parsed(text);
  return text.length > MAX_READ ? { characters: text.length } : redact(parsed(text));
}

/** A bounded copy of any value with secrets masked, by the name of the member and by the shape of the text. */
export function redact(value: unknown): unknown {
  return maskMore(sanitiseContext(value, BOUNDS));
}

/** A text of at most 16 KiB with secrets masked, by the name that it has and by its shape. */
export function redactMember(name: string, text: string): string {
  // One member comes out of one, under a name that may have been cut.
  const [shown] = Object.values(maskMore(sanitiseContext({ [name]: text }, MEMBER)) as object);
  return String(shown);
}

const MEMBER = { maxText: 16_384 } as const;

/** A payload that is not JSON is a text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Bytes as text, if they are UTF-8 without control characters. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_READ) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return /[^\P{Cc}\t\n\r]/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Masks by names that only payloads have. Goes through a copy that is already bounded. */
function maskMore(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(maskMore);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      SECRET_NAME.test(name.replaceAll(/[- ]/g, '_')) ? MASK : maskMore(part),
    ]),
  );
}

/**
 * How payload, result and headers appear in a document: `redacted` as bounded copies with secrets masked, `full` as they
 * are, `none` not at all.
 */
export type ShownValues = 'none' | 'redacted' | 'full';

export function shownResult({ result }: Job, values: ShownValues): unknown {
  return values === 'none' || result === undefined ? null : shownJson(result, values);
}

export function shownHeaders({ headers }: Pick<Job, 'headers'>, values: ShownValues): unknown {
  if (values === 'none') return null;
  return values === 'full' ? headers : redact(headers);
}
