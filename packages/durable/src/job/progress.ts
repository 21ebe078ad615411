import { RedriveError } from '@redrive/core';
import { maskSecrets } from '@redrive/core/stored';

/** The progress of a running attempt, as its handler has reported it. It ends with the attempt. */
export interface Progress {
  /** From 0 to 1. */
  readonly fraction: number;
  /** In words, such as `page 4 of 10`: at most 1,000 bytes. Absent: the handler gave none. */
  readonly note?: string | undefined;
  /** Since when it has been the same, by the store's clock as the worker knows it. */
  readonly sinceMs: number;
}

/** The progress as stores write it: a list, for JSON. */
export type ProgressCode = readonly [fraction: number, sinceMs: number, note?: string | undefined];

const MAX_NOTE_BYTES = 1_000;

export function encodeProgress({ fraction, sinceMs, note }: Progress): ProgressCode {
  return note === undefined ? [fraction, sinceMs] : [fraction, sinceMs, note];
}

/** A code that cannot be read counts as none: no row is set aside because of it. */
export function decodeProgress(code: unknown): Progress | undefined {
  if (!Array.isArray(code)) return undefined;
  const [fraction, sinceMs, note]: readonly unknown[] = code;
  if (typeof fraction !== 'number' || typeof sinceMs !== 'number') return undefined;
  return typeof note === 'string' ? { fraction, sinceMs, note } : { fraction, sinceMs };
}

/** `40 %, page 4 of 10`, for people. */
export function progressText({ fraction, note }: Pick<Progress, 'fraction' | 'note'>): string {
  // Not rounded up: 100 % is for what is done.
  const percent = `${Math.floor(fraction * 100)} %`;
  return note === undefined || note === '' ? percent : `${percent}, ${note}`;
}

/**
 * The arguments of `context.progress`, checked. The note is kept with its secrets masked, and is cut at 1,000 bytes.
 *
 * @throws RedriveError `invalid_option`.
 */
export function checkedProgress(
  fraction: number,
  note: string | undefined,
): Omit<Progress, 'sinceMs'> {
  // Not `fraction < 0`: NaN must not pass.
  if (typeof fraction !== 'number' || !(fraction >= 0 && fraction <= 1)) {
    const message = `The progress must be a number from 0 to 1, and is ${String(fraction)}`;
    throw new RedriveError('invalid_option', message, { field: 'fraction' });
  }
  if (note === undefined) return { fraction };
  if (typeof note !== 'string') {
    const message = `The note of the progress must be a text, and is a ${typeof note}`;
    throw new RedriveError('invalid_option', message, { field: 'note' });
  }
  return { fraction, note: cut(maskSecrets(note, MAX_NOTE_BYTES)) };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Whole characters, of `MAX_NOTE_BYTES` in UTF-8 at most. */
function cut(text: string): string {
  const bytes = encoder.encode(text);
  if (bytes.length <= MAX_NOTE_BYTES) return text;
  let end = MAX_NOTE_BYTES - ELLIPSIS_BYTES;
  // 0b10xxxxxx continues a character.
  while (((bytes[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end -= 1;
  return `${decoder.decode(bytes.subarray(0, end))}…`;
}

const ELLIPSIS_BYTES = 3;
