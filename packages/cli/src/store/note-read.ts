import { createHash } from 'node:crypto';
import { isRedriveError, systemClock } from '@redrive/core';
import type { Store } from '@redrive/durable';
import { redact } from '@redrive/durable/store';
import type { Invocation, Options } from '../command/command-spec.ts';
import { printable } from '../terminal/printable.ts';
import { actorOf } from './actor.ts';

/** They say how something is printed and where the store is, not what of it is read. */
const NOT_WISHES = new Set(
  'json jsonl plain quiet color verbose config store reason yes dryRun'.split(' '),
);

const SHOWN = new Set(['none', 'redacted', 'full']);

/** A payload that was opened, and data that left the store, are on record each time. */
function isNotedEachTime({ reads, command }: Invocation): boolean {
  return reads === 'payloads' || command.endsWith(' export');
}

/**
 * Notes in the audit log who looks at what, from where and why, before it is shown. A payload or a session is not shown
 * without its record: where the store cannot be written, this rejects. Numbers are shown all the same, with a warning,
 * because they are what is needed when a store is in trouble. Lists and numbers leave one record per person, view and
 * quarter of an hour.
 */
export async function noteRead(invocation: Invocation, store: Pick<Store, 'apply'>): Promise<void> {
  const { io, command, reads, args, options } = invocation;
  if (reads === undefined) return;
  const { name: by, why } = actorOf(options);
  // What somebody types may hold a secret.
  const wishes = redact({ why, args, ...wishesOf(options) });
  const from = placeOf(io.env.SSH_CONNECTION);
  const detail = JSON.stringify({ by, from, command, reads, ...(wishes as object) }); // A copy of an object is one.
  const [only] = args.length === 1 ? args : [];
  const subject = only === undefined ? `command:${command}` : String(redact(only));
  const nowMs = (io.clock ?? systemClock).now();
  const once = isNotedEachTime(invocation)
    ? undefined
    : { key: viewKey(JSON.parse(detail), nowMs), forMs: QUARTER_MS };
  try {
    await store.apply([{ kind: 'note', event: 'read', subject, detail, once }]);
  } catch (error) {
    if (reads !== 'metrics' || isMissing(error)) throw error;
    const message = error instanceof Error ? error.message : String(error);
    io.stderr(`This look at the store could not be recorded: ${printable(message)}\n`);
  }
}

/** Then there is nothing to read either. */
function isMissing(error: unknown): boolean {
  return isRedriveError(error, 'store_not_found') || isRedriveError(error, 'schema_too_old');
}

function wishesOf(options: Options): Options {
  return Object.fromEntries(
    Object.entries(options).filter(
      // A payload itself is never part of a record; how one is shown is.
      ([name, value]) => !NOT_WISHES.has(name) && (name !== 'payload' || SHOWN.has(String(value))),
    ),
  );
}

/** The address of a remote shell's other end; the host itself is part of the actor's name. */
function placeOf(connection = ''): string {
  const [address] = connection.split(' ');
  return address ? `ssh:${address}` : 'local';
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
