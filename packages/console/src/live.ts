import { computed, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { LogRecord } from './api.ts';
import { clock, now } from './clock.ts';
import { keyHeaders } from './key.ts';

/** A record of the audit log as it appears; or, of many at once, their number by event. */
export type Change =
  | { readonly kind: string; readonly id: string; readonly record: LogRecord }
  | { readonly kind: 'counts'; readonly counts: Readonly<Record<string, number>> };

/** `'*'`: all kinds. */
export type Kinds = readonly string[] | '*';

const listeners = new Set<(change: Change) => void>();
const isPaused = signal(false);
/** When the stream was cut; `undefined`: it is open. */
const cutAtMs = signal<number | undefined>(undefined);
const waiting = signal(0);
let seen = new Set<string>();
let lastId: string | undefined;

/** A stream that is open again within this time was never away. */
const GRACE_MS = 4_000;
const AGAIN_MS = 1_500;
/** The server sends a comment every 15 seconds. */
const SILENCE_MS = 40_000;
const MAX_SEEN = 20_000;

export const live = computed(() => {
  const sinceMs = cutAtMs.value;
  const isLost = sinceMs !== undefined && now.value - sinceMs > GRACE_MS;
  const state = isLost ? 'lost' : isPaused.value ? 'paused' : 'live';
  return { state, sinceMs, waiting: waiting.value } as const;
});

export function togglePaused(): void {
  isPaused.value = !isPaused.value;
  if (!isPaused.value && waiting.value > 0)
    deliver({ kind: 'counts', counts: { '*': waiting.value } });
  waiting.value = 0;
}

/** Calls back for each change of these kinds, unless the page is paused. */
export function useChanges(kinds: Kinds | undefined, on: (change: Change) => void): void {
  const latest = useRef(on);
  latest.current = on;
  const text = kinds === undefined || kinds === '*' ? kinds : kinds.join();
  useEffect(() => {
    if (text === undefined) return;
    const wanted = text === '*' ? undefined : new Set(text.split(','));
    const listener = (change: Change) => {
      const isWanted =
        wanted === undefined ||
        ('counts' in change
          ? Object.keys(change.counts).some((kind) => kind === '*' || wanted.has(kind))
          : wanted.has(change.kind));
      if (isWanted) latest.current(change);
    };
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [text]);
}

function deliver(change: Change): void {
  for (const listener of listeners) listener(change);
}

/**
 * Follows the changes until the page is left. A reconnect says where it was, and gets the ten seconds before it again, so
 * records that are known already are dropped.
 *
 * @returns how to stop.
 */
export function startLive(): () => void {
  const stop = new AbortController();
  void (async () => {
    while (!stop.signal.aborted) {
      await readStream(stop.signal).catch(() => undefined);
      cutAtMs.value ??= now.value;
      await new Promise<void>((resolve) => clock.setTimer(AGAIN_MS, resolve));
    }
  })();
  return () => stop.abort();
}

async function readStream(stopped: AbortSignal): Promise<void> {
  const cut = new AbortController();
  const silence = { timer: clock.setTimer(SILENCE_MS, () => cut.abort()) };
  try {
    const response = await fetch('/v1/changes', {
      headers: { ...keyHeaders(), ...(lastId !== undefined && { 'last-event-id': lastId }) },
      signal: AbortSignal.any([stopped, cut.signal]),
    });
    if (!response.ok || response.body === null) return;
    const wasCut = cutAtMs.value !== undefined && lastId === undefined;
    cutAtMs.value = undefined;
    // Without an id nobody knows what was missed: everything is read again.
    if (wasCut) deliver({ kind: 'counts', counts: { '*': 1 } });
    let text = '';
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      silence.timer.cancel();
      silence.timer = clock.setTimer(SILENCE_MS, () => cut.abort());
      const events = (text + part).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) take(event);
    }
  } finally {
    silence.timer.cancel();
  }
}

function take(event: string): void {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(event)?.[1];
  const data = field('data');
  if (data === undefined) return;
  lastId = field('id') ?? lastId;
  const change = changeOf(field('event'), JSON.parse(data));
  if (change === undefined) return;
  if (isPaused.value) waiting.value += 'counts' in change ? sum(change.counts) : 1;
  else deliver(change);
}

function changeOf(name: string | undefined, data: object): Change | undefined {
  if (name === 'counts') return { kind: 'counts', counts: Object(data).counts };
  if (name !== 'change') return undefined;
  const record = data as LogRecord; // The same document as of the audit log.
  if (seen.has(record.record)) return undefined;
  if (seen.size >= MAX_SEEN) seen = new Set([...seen].slice(MAX_SEEN / 2));
  seen.add(record.record);
  return { kind: record.event, id: record.id, record };
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((one, other) => one + other, 0);
}
