import { systemClock } from '@redrive/core';
import type { Store } from '@redrive/durable';
import { type Look, noteRead } from '@redrive/durable/store';
import type { Invocation, Options } from '../command/command-spec.ts';
import { printable } from '../terminal/printable.ts';
import { actorOf } from './actor.ts';

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
