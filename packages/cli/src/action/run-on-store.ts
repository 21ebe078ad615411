import { maskUrls } from '@redrive/config';
import { isRedriveError, systemClock } from '@redrive/core';
import { type FullStore, memoryStore } from '@redrive/durable';
import { type AnyAction, type Context, loadAction, parseInput } from '@redrive/operate/run';
import type { Invocation } from '../command/command-spec.ts';
import { findStore } from '../config/configured-store.ts';
import { loadConfig } from '../config/load-config.ts';
import { actorOf, noteLook } from '../store/with-store.ts';
import { printable } from '../terminal/printable.ts';
import type { Place, Ran } from './place.ts';

interface Local {
  readonly invocation: Invocation;
  readonly creates: boolean;
}

/** Opens the store that the invocation means, to run an action on it as an admin of all tenants. */
export async function placeOnStore(
  name: string,
  given: object,
  { invocation, creates }: Local,
): Promise<Place> {
  const action = await loadAction(name);
  if (action.kind === 'stream') throw new Error(`${name} is a stream`);
  const input = parseInput(action, given);
  const url = await findStore(invocation);
  const { io } = invocation;
  const place = maskUrls(url);
  const created = creates && (await isStoreMissing(io, url));
  if (created) {
    // A refusal must not leave a store behind, and a dry run makes none.
    const before = memoryStore({ clock: io.clock ?? systemClock });
    const planned = await runOn(before, action, { ...Object(input), dry_run: true }, invocation);
    if (invocation.options.dryRun) {
      return { run: async () => ({ ...planned, place, created }), close: async () => {} };
    }
  }
  const store = await io.openStore(url, created);
  const beforeChange = creates ? async () => void (await store.migrate()) : undefined;
  let noted: Promise<void> | undefined;
  return {
    run: async () => {
      noted ??= noteLook(invocation, store);
      await noted;
      return { ...(await runOn(store, action, input, invocation, beforeChange)), place, created };
    },
    close: () => store.close(),
  };
}

async function runOn(
  store: FullStore,
  action: AnyAction,
  input: unknown,
  invocation: Invocation,
  beforeChange?: () => Promise<void>,
): Promise<Pick<Ran, 'answer' | 'nowMs'>> {
  const { io, options } = invocation;
  const clock = io.clock ?? systemClock;
  const actor = actorOf(options);
  let asOfMs: number | undefined;
  const context: Context = {
    ...{ store, clock, actor, beforeChange },
    config: () => loadConfig(invocation),
    who: { name: actor.name, role: 'admin' },
    signal: new AbortController().signal,
    warn: (message) => io.stderr(`${printable(message)}\n`),
    asOf: (nowMs) => {
      asOfMs = nowMs;
    },
    remember: (_, read) => read(),
  };
  const answer = await action.run(context, input);
  return { answer, nowMs: asOfMs ?? clock.now() };
}

/**
 * Whether no store exists at this URL. Creates none. A store that cannot answer exists: that must not stop a command that
 * creates stores.
 */
async function isStoreMissing({ openStore }: Invocation['io'], url: string): Promise<boolean> {
  try {
    const store = await openStore(url, false);
    try {
      await store.controlRevision();
    } finally {
      await store.close();
    }
    return false;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    return isRedriveError(error, 'store_not_found') || isRedriveError(cause, 'store_not_found');
  }
}
