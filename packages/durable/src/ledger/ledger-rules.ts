import { RedriveError, type ReserveRequest } from '@redrive/core';
import { type OptionTable, refuse, resolveOptions } from '@redrive/core/fields';
import { type LedgerFailure, sanitiseError } from '@redrive/core/stored';
import { textBytes } from '../jobs/payload.ts';
import { MAX_KEY_LENGTH, textProblem } from '../jobs/text-problem.ts';
import type { LedgerOptions } from './ledger-store.ts';

// The rules that all ledgers share, in every store.

const DAY_MS = 86_400_000;

const OPTIONS: OptionTable<LedgerOptions> = {
  retentionMs: [30 * DAY_MS, { kind: 'number', min: Number.MIN_VALUE, max: Infinity }],
  maxValueBytes: [2 ** 20, { kind: 'integer', min: 1, max: 64 * 2 ** 20 }],
};

/** @throws RedriveError `invalid_option` with every problem at once. */
export function resolveLedgerOptions(options: LedgerOptions = {}): Required<LedgerOptions> {
  return resolveOptions('ledger', options, OPTIONS);
}

/**
 * The key of the ledger under which a store keeps a unique key that counts for a time: its expiry, and the job that took it.
 * Keys of users have no control characters.
 */
export function windowKey(uniqueKey: string): string {
  return `unique\n${uniqueKey}`;
}

/** Whether a key can be reserved so. @throws RedriveError `invalid_option` with every problem at once. */
export function checkReservation(key: string, { fingerprint, leaseMs }: ReserveRequest): void {
  const found = [
    textProblem('key', key, MAX_KEY_LENGTH),
    textProblem('fingerprint', fingerprint, MAX_KEY_LENGTH, { empty: true }),
  ];
  refuse(
    'invalid_option',
    'reservation',
    found.filter((problem) => problem !== undefined),
  );
  checkLedgerLease(leaseMs);
}

/** @throws RedriveError `invalid_option`. */
export function checkLedgerLease(leaseMs: number): void {
  if (leaseMs > 0 && leaseMs < Number.POSITIVE_INFINITY) return;
  throw new RedriveError('invalid_option', 'leaseMs must be above 0 and finite', { leaseMs });
}

/**
 * A result as it is kept: JSON, and nothing for `undefined`, which is not the same as `null`.
 *
 * @throws RedriveError `payload_too_large`; `invalid_option` for what JSON cannot hold.
 */
export function ledgerValueText(
  key: string,
  value: unknown,
  maxValueBytes: number,
): string | undefined {
  if (value === undefined) return undefined;
  const text = jsonOf(key, value);
  const bytes = textBytes(text, maxValueBytes);
  if (bytes <= maxValueBytes) return text;
  throw new RedriveError(
    'payload_too_large',
    `The result under idempotency key ${key} has ${bytes} bytes, more than the ${maxValueBytes} that are allowed`,
    { key, bytes, maxBytes: maxValueBytes },
  );
}

/**
 * The metadata of a result, as JSON.
 *
 * @throws RedriveError as `ledgerValueText`.
 */
export function ledgerMetadataText(
  key: string,
  metadata: Readonly<Record<string, unknown>> | undefined,
  maxValueBytes: number,
): string | undefined {
  return metadata && ledgerValueText(key, metadata, maxValueBytes);
}

/** Reads a text of `ledgerMetadataText`, as a member of an entry; no member if there is no text. */
export function keptMetadata(text: string | null | undefined): {
  metadata?: Readonly<Record<string, unknown>>;
} {
  // Written by `ledgerMetadataText`, from a record.
  return text === undefined || text === null
    ? {}
    : { metadata: JSON.parse(text) as Readonly<Record<string, unknown>> };
}

/** Reads a text of `ledgerValueText`. A new value each time. */
export function ledgerValue(text: string | null | undefined): unknown {
  return text === undefined || text === null ? undefined : JSON.parse(text);
}

/** A failure as it is kept: its secrets masked, its texts cut. */
export function keptFailure({ type, message }: LedgerFailure): LedgerFailure {
  const kept = sanitiseError({ name: type, message });
  return { type: kept.type, message: kept.message };
}

function jsonOf(key: string, value: unknown): string {
  let why = `JSON has no ${typeof value}`;
  try {
    const text: string | undefined = JSON.stringify(value);
    if (text !== undefined) return text;
  } catch (error) {
    why = error instanceof Error ? error.message : String(error);
  }
  throw new RedriveError(
    'invalid_option',
    `The result under idempotency key ${key} must be JSON: ${why}`,
    { key },
  );
}
