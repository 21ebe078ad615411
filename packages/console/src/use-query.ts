import type { CallOptions } from '@redrive/client';
import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import { asProblem, type RedriveClientError } from './api.ts';
import { clock, now } from './clock.ts';
import { type Kinds, live, useChanges } from './live.ts';
import { mayBeOf, Renewal } from './renewal.ts';

export interface Query<T> {
  readonly data?: T | undefined;
  readonly error?: RedriveClientError | undefined;
  /** Nothing to show for more than 150 ms. */
  readonly isLoading: boolean;
  /** The last load failed: `data` is of an earlier one. */
  readonly isStale: boolean;
  readonly atMs?: number | undefined;
  /** Changes that are not shown, because a row is ticked or open. */
  readonly waiting: number;
  readonly reload: () => void;
}

export interface QueryOptions {
  readonly everyMs?: number;
  /** Records of the audit log that make the answer old. */
  readonly on?: Kinds;
  /** The job that the answer is about: records of others do not make it old. */
  readonly of?: string;
  /** Changes are counted and not shown. Default `false`. */
  readonly hold?: boolean;
}

interface Loaded {
  readonly key: string | undefined;
  readonly data?: unknown;
  readonly atMs?: number;
  readonly error?: RedriveClientError;
  readonly isLoading?: boolean;
}

const MAX_KEPT = 40;
const SKELETON_MS = 150;

/** The last answers, so that Back shows its rows at once. */
const kept = new Map<string, Loaded>();

function keep(loaded: Loaded & { readonly key: string }): Loaded {
  kept.delete(loaded.key);
  kept.set(loaded.key, loaded);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  return loaded;
}

/**
 * Loads, and loads again when the key changes, after `everyMs`, and after changes. Old data stays until new data is here.
 *
 * @param key what is loaded, as text: the same key means the same answer. `undefined`: nothing is loaded.
 */
export function useQuery<T>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<T>,
  { everyMs, on, of: id, hold = false }: QueryOptions = {},
): Query<T> {
  const [state, set] = useState<Loaded>({ key: undefined });
  const [waiting, setWaiting] = useState(0);
  const [round, next] = useReducer((n: number, _: undefined) => n + 1, 0);
  const latest = useRef(load);
  latest.current = load;
  const underWay = useRef(false);
  const renewal = useRenewal(
    () => underWay.current,
    () => next(undefined),
  );

  useEffect(() => {
    if (key === undefined) return;
    const abort = new AbortController();
    underWay.current = true;
    const slow = clock.setTimer(SKELETON_MS, () =>
      set((old) => ({ ...of(old, key), isLoading: true })),
    );
    let timer = slow;
    latest
      .current(abort.signal)
      .then((data) => set(keep({ key, data, atMs: now.value })))
      .catch((error: unknown) => {
        if (!abort.signal.aborted)
          set((old) => ({ ...of(old, key), isLoading: false, error: asProblem(error) }));
      })
      .finally(() => {
        slow.cancel();
        if (abort.signal.aborted) return;
        underWay.current = false;
        if (everyMs !== undefined) timer = clock.setTimer(everyMs, again);
      });
    function again(): void {
      if (isUnseen()) timer = clock.setTimer(1_000, again);
      else next(undefined);
    }
    return () => {
      abort.abort();
      underWay.current = false;
      timer.cancel();
      slow.cancel();
    };
  }, [key, round, everyMs]);

  useChanges(key === undefined ? undefined : on, (change) => {
    if (id !== undefined && !mayBeOf(id, change)) return;
    if (hold) setWaiting((n) => n + 1);
    else renewal.noteChange();
  });

  const loaded = of(state, key);
  return {
    // The key names the answer, so it is of this type.
    data: loaded.data as T | undefined,
    error: loaded.error,
    isLoading: loaded.isLoading === true && loaded.data === undefined,
    isStale: loaded.error !== undefined && loaded.data !== undefined,
    atMs: loaded.atMs,
    waiting,
    reload: () => {
      setWaiting(0);
      next(undefined);
    },
  };
}

export interface GetOptions extends QueryOptions {
  /** Nothing is loaded. Default `false`. */
  readonly isOff?: boolean;
  /** Another value: the answer is another one. */
  readonly version?: unknown;
}

/** What a function of the client answers. A filter may come from the address: the server checks the values. */
export function useRead<I, A>(
  read: (input: I, options: CallOptions) => Promise<A>,
  input: Loose<I> = {},
  { isOff = false, version, ...options }: GetOptions = {},
): Query<A> {
  const key = JSON.stringify([read.name, input, version]);
  // As `Loose` says.
  const load = (signal: AbortSignal) => read(input as I, { signal });
  return useQuery(isOff ? undefined : key, load, options);
}

type Loose<I> = { readonly [K in keyof NonNullable<I>]?: unknown };

function of(state: Loaded, key: string | undefined): Loaded {
  if (state.key === key) return state;
  return (key === undefined ? undefined : kept.get(key)) ?? { key };
}

/** Nobody looks: the next look loads. */
function isUnseen(): boolean {
  return document.hidden || live.value.state === 'paused';
}

/** Reads again after changes: at most once a second, and not while busy or while nobody looks. */
export function useRenewal(isBusy: () => boolean, read: () => void): Renewal {
  const latest = useRef({ isBusy, read });
  latest.current = { isBusy, read };
  const [renewal] = useState(
    () =>
      new Renewal(
        clock,
        () => isUnseen() || latest.current.isBusy(),
        () => latest.current.read(),
      ),
  );
  useEffect(() => () => renewal.stop(), []);
  return renewal;
}

export interface Act<Args extends readonly unknown[]> {
  readonly run: (...args: Args) => void;
  readonly isPending: boolean;
  /** The server's answer to the last try. */
  readonly problem: RedriveClientError | undefined;
  readonly clear: () => void;
}

/** One act at a time: a second click while the first is under way does nothing. */
export function useAct<Args extends readonly unknown[]>(
  act: (...args: Args) => Promise<void>,
): Act<Args> {
  const [state, set] = useState<{ isPending: boolean; problem?: RedriveClientError }>({
    isPending: false,
  });
  const underWay = useRef(false);
  const run = (...args: Args) => {
    if (underWay.current) return;
    underWay.current = true;
    set({ isPending: true });
    act(...args)
      .then(() => set({ isPending: false }))
      .catch((error: unknown) => set({ isPending: false, problem: asProblem(error) }))
      .finally(() => {
        underWay.current = false;
      });
  };
  return {
    run,
    isPending: state.isPending,
    problem: state.problem,
    clear: () => set({ isPending: false }),
  };
}
