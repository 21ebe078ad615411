import { sanitiseContext } from '@redrive/core/records';
import type { Job, Payload } from '../job/job.ts';

/**
 * How payload, result and headers appear in a document: `redacted` as bounded copies with secrets masked, `full` as they
 * are, `none` not at all.
 */
export type ShownValues = 'none' | 'redacted' | 'full';

/** Bytes are shown as base64 in full, and as their number otherwise. */
export function shownPayload(payload: Payload, values: ShownValues): unknown {
  if (values === 'none') return null;
  if (payload.kind === 'json') return shownJson(payload.text, values);
  const { bytes } = payload;
  return values === 'full'
    ? { base64: Buffer.from(bytes).toString('base64') }
    : { bytes: bytes.length };
}

export function shownResult({ result }: Job, values: ShownValues): unknown {
  return values === 'none' || result === undefined ? null : shownJson(result, values);
}

export function shownHeaders({ headers }: Job, values: ShownValues): unknown {
  if (values === 'none') return null;
  return values === 'full' ? headers : sanitiseContext(headers);
}

/** The empty text stands for no payload. */
function shownJson(text: string, values: ShownValues): unknown {
  if (text === '') return null;
  const value: unknown = JSON.parse(text);
  return values === 'full' ? value : sanitiseContext(value);
}
