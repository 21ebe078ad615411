import { maskUrls } from '@redrive/config';
import { isRedriveError, systemClock } from '@redrive/core';
import { type FullStore, memoryStore } from '@redrive/durable';
import { type Access, type Context, loadAction, parseInput } from '@redrive/operate/run';
import type { Invocation } from '../command/command-spec.ts';
import { findStore } from '../config/configured-store.ts';
import { configsOf, loadConfig } from '../config/load-config.ts';
import { actorOf, noteLook } from '../store/with-store.ts';
import type { OpenSweeps } from '../sweep/configured-sweeps.ts';
import { printable } from '../terminal/printable.ts';
import type { Call, Place, Ran } from './place.ts';

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
  const own = await parsed({}, name, given);
  const { io } = invocation;
  const parts = new LocalParts(invocation);
  if (own.action.uses !== undefined) {
    const run = () => runOn(memoryStore(), own, parts);
    return {
      run: async () => ({ ...(await run()), place: '', created: false }),
      items: noItems,
      close: async () => {},
    };
  }
  const url = await findStore(invocation);
  const place = maskUrls(url);
  const created = creates && (await isStoreMissing(io, url));
  if (created) {
    // A refusal must not leave a store behind, and a dry run makes none.
    const before = memoryStore({ clock: io.clock ?? systemClock });
    const dry = { ...own, input: { ...Object(own.input), dry_run: true } };
    const planned = await runOn(before, dry, parts);
    if (invocation.options.dryRun) {
      return {
        run: async () => ({ ...planned, place, created }),
        items: noItems,
        close: async () => {},
      };
    }
  }
  const store = await io.openStore(url, created);
  const beforeChange = creates ? async () => void (await store.migrate()) : undefined;
  let noted: Promise<void> | undefined;
  const begin = async (call: Call | undefined): Promise<Parsed> => {
    noted ??= noteLook(invocation, store);
    await noted;
    return call?.name === undefined && call?.input === undefined
      ? { ...own, call }
      : parsed(call, call.name ?? name, call.input ?? given);
  };
  return {
    run: async (call) => {
      const ran = await runOn(store, await begin(call), parts, beforeChange);
      return { ...ran, place, created };
    },
    items: async function* (call) {
      const { action, input } = await begin(call);
      if (action.kind !== 'stream') throw new Error(`${name} is no stream`);
      yield* action.stream(contextOn(store, parts, call).context, input);
    },
    close: async () => {
      await parts.close();
      await store.close();
    },
  };
}

interface Parsed {
  readonly action: Awaited<ReturnType<typeof loadAction>>;
  readonly input: unknown;
  readonly call?: Call | undefined;
}

async function parsed(call: Call | undefined, name: string, given: object): Promise<Parsed> {
  const action = await loadAction(name);
  return { action, input: parseInput(action, given), call };
}

/** What few actions need beside the store: loaded and opened at the first use. */
class LocalParts {
  readonly invocation: Invocation;
  #sweeps: Promise<OpenSweeps> | undefined;

  constructor(invocation: Invocation) {
    this.invocation = invocation;
  }

  /** A command names one collection, or none. */
  async sweeps(only?: string): Promise<OpenSweeps['sweeps']> {
    const { openSweeps } = await import('../sweep/configured-sweeps.ts');
    const config = await loadConfig(this.invocation);
    const names = only === undefined ? [] : [only];
    this.#sweeps ??= openSweeps(this.invocation.io, () => config, names);
    return (await this.#sweeps).sweeps;
  }

  async access(): Promise<Access> {
    const { openAccess } = await import('../serve/access-file.ts');
    return openAccess(this.invocation);
  }

  async close(): Promise<void> {
    await (await this.#sweeps?.catch(() => undefined))?.close();
  }
}

async function* noItems(): AsyncIterable<object> {}

async function runOn(
  store: FullStore,
  { action, input, call }: Parsed,
  parts: LocalParts,
  beforeChange?: () => Promise<void>,
): Promise<Pick<Ran, 'answer' | 'nowMs'>> {
  if (action.kind === 'stream') throw new Error('A stream has items');
  const { context, nowMs } = contextOn(store, parts, call, beforeChange);
  const answer = await action.run(context, input);
  return { answer, nowMs: nowMs() };
}

function contextOn(
  store: FullStore,
  parts: LocalParts,
  { reason, progress, signal = new AbortController().signal }: Call = {},
  beforeChange?: () => Promise<void>,
): { readonly context: Context; readonly nowMs: () => number } {
  const { invocation } = parts;
  const { io, options } = invocation;
  const clock = io.clock ?? systemClock;
  const actor = actorOf(reason === undefined ? options : { ...options, reason });
  let asOfMs: number | undefined;
  const context: Context = {
    ...{ store, clock, actor, beforeChange, progress, signal },
    ...configsOf(invocation),
    sweeps: (only) => parts.sweeps(only),
    access: () => parts.access(),
    who: { name: actor.name, role: 'admin' },
    warn: (message) => io.stderr(`${printable(message)}\n`),
    asOf: (nowMs) => {
      asOfMs = nowMs;
    },
    remember: (_, read) => read(),
  };
  return { context, nowMs: () => asOfMs ?? clock.now() };
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
