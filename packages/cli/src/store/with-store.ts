import { type Config, localActor } from '@redrive/config';
import { systemClock } from '@redrive/core';
import type { FullStore, Store } from '@redrive/durable';
import { type Actor, type Look, noteRead } from '@redrive/durable/store';
import type { Invocation, Options } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { configuredStore, findStore } from '../config/configured-store.ts';
import { printable } from '../terminal/printable.ts';

interface WithStoreOptions {
  /** Whether a store that does not exist yet is created. Default `false`. */
  readonly create?: boolean;
  /** The configuration, where the command has read it already. */
  readonly config?: Config;
}

/**
 * Opens the store that the invocation means, and closes it whatever happens. Who looks at what is noted before
 * anything is read.
 */
export async function withStore<T>(
  invocation: Invocation,
  use: (store: FullStore) => Promise<T>,
  { create = false, config }: WithStoreOptions = {},
): Promise<T> {
  const url = await findStore(invocation, () => configuredStore(invocation, config));
  const store = await invocation.io.openStore(url, create);
  try {
    await noteLook(invocation, store);
    return await use(store);
  } finally {
    await store.close();
  }
}

/** The actor of a command and its reason, for the audit log. */
export function actorOf(options: Options): Actor {
  const why = textOption(options, 'reason');
  return { name: `cli:${localActor()}`, ...(why === undefined ? {} : { why }) };
}

/** They say how something is printed and where the store is, not what of it is read. */
const NOT_WISHES = new Set(
  'json jsonl plain quiet color verbose config store reason yes dryRun'.split(' '),
);
const SHOWN = new Set(['none', 'redacted', 'full']);

/** Notes in the audit log who looks through this command, before anything is shown. Commands say what they read. */
export async function noteLook(invocation: Invocation, store: Pick<Store, 'apply'>): Promise<void> {
  const { io, command, reads, args, options } = invocation;
  if (reads === undefined) return;
  const { name: by, why } = actorOf(options);
  const from = placeOf(io.env.SSH_CONNECTION);
  const wishes = wishesOf(options);
  const exports = command.endsWith(' export') || command === 'lab record';
  const look: Look = { by, from, command, reads, why, args, wishes, exports };
  const nowMs = (io.clock ?? systemClock).now();
  await noteRead(store, look, {
    nowMs,
    onNotRecorded: (message) =>
      io.stderr(`This look at the store could not be recorded: ${printable(message)}\n`),
  });
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
