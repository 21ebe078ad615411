import { createHash } from 'node:crypto';
import { isRedriveError } from '@redrive/core';
import { redact } from '../dead-letter/redact.ts';
import type { Store } from '../store/store.ts';

/** `payloads`: also results and headers, redacted or not. `sessions`: jobs and records. `metrics`: numbers. */
export type ReadKind = 'payloads' | 'sessions' | 'metrics';

/** Somebody looks at something in a store. */
export interface Look {
  /** `cli:user@host`, `api:name@address`. */
  readonly by: string;
  /** Where they sit: `local`, `ssh:10.0.0.7`, `10.0.0.7`. */
  readonly from: string;
  /** The command or the route. */
  readonly command: string;
  readonly reads: ReadKind;
  readonly why?: string | undefined;
  /** The things that are named, such as the id of a job. */
  readonly args: readonly string[];
  /** Filters, and which page. */
  readonly wishes: Readonly<Record<string, unknown>>;
  /** Data leaves the store: it is on record each time, like a payload. Default `false`. */
  readonly exports?: boolean | undefined;
}

export interface NoteReadOptions {
  readonly nowMs: number;
  /** Gets the error of a look at numbers that could not be recorded. They are shown all the same. */
  readonly onNotRecorded: (message: string) => void;
}

/**
 * Notes in the audit log who looks at what, from where and why, before it is shown. A payload or a session is not shown
 * without its record: where the store cannot be written, this rejects. Numbers are shown all the same, with a warning,
 * because operators need them when a store is in trouble. Lists and numbers leave one record per person, view and
 * quarter of an hour; payloads and exports one each time.
 */
export async function noteRead(
  store: Pick<Store, 'apply'>,
  look: Look,
  { nowMs, onNotRecorded }: NoteReadOptions,
): Promise<void> {
  const { by, from, command, reads, why, args, exports = false } = look;
  // A person's input may hold a secret.
  const typed = redact({ ...filtersOf(look), why, args });
  // The record's own fields are last: no filter replaces them. A copy of an object is one.
  const detail = JSON.stringify({ ...(typed as object), by, from, command, reads });
  const [only] = args.length === 1 ? args : [];
  const subject = only === undefined ? `command:${command}` : String(redact(only));
  const once =
    reads === 'payloads' || exports
      ? undefined
      : { key: viewKey(JSON.parse(detail), nowMs), forMs: QUARTER_MS };
  try {
    await store.apply([{ kind: 'note', event: 'read', subject, detail, once }]);
  } catch (error) {
    if (reads !== 'metrics' || isMissing(error)) throw error;
    onNotRecorded(error instanceof Error ? error.message : String(error));
  }
}

const OWN_FIELDS = new Set(['by', 'from', 'command', 'reads', 'why', 'args']);

/** The filters of a look. One with the name of a field of the record is kept under another name: `filter_by`. */
function filtersOf({ wishes }: Look): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(wishes).map(([name, value]) => [
      OWN_FIELDS.has(name) ? `filter_${name}` : name,
      value,
    ]),
  );
}

/** Without a store there is nothing to read. */
function isMissing(error: unknown): boolean {
  return isRedriveError(error, 'store_not_found') || isRedriveError(error, 'schema_too_old');
}

export const QUARTER_MS = 900_000;

/** They choose a page of a view. */
const PAGE_OPTIONS = new Set(['after', 'limit']);

/**
 * The key of a look at a view. Two looks have the same key, and leave one record, if they are of the same person from the
 * same place, for the same reason, at the same command with the same filters, in the same quarter of an hour of the clock.
 *
 * @param detail of the record: who looks, from where, why, and at what.
 */
export function viewKey(detail: Readonly<Record<string, unknown>>, nowMs: number): string {
  const view = Object.entries(detail)
    .filter(([name]) => !PAGE_OPTIONS.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const digest = createHash('sha256').update(JSON.stringify(view)).digest('hex');
  return `read:${Math.floor(nowMs / QUARTER_MS)}:${digest}`;
}
