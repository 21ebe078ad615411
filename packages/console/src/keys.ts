import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { clock } from './clock.ts';

export type KeyMap = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const maps: (() => KeyMap)[] = [];
const CHORD_MS = 1_500;
let first: { readonly key: string; readonly untilMs: number } | undefined;

/** The keys of a component, while it is there. `j`, `Shift+x`, `g o`, `Escape`; the newest component comes first. */
export function useKeys(map: KeyMap): void {
  const latest = useRef(map);
  latest.current = map;
  useEffect(() => {
    const read = () => latest.current;
    maps.push(read);
    return () => void maps.splice(maps.indexOf(read), 1);
  }, []);
}

export function startKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || isTyping(event)) return;
    // A dialog has its own keys, and none of the page below it.
    if (document.querySelector('dialog[open]') !== null) return;
    const handler = handlerOf(event);
    if (handler === undefined) return;
    event.preventDefault();
    handler(event);
  });
}

function handlerOf(event: KeyboardEvent): KeyMap[string] | undefined {
  const key = nameOf(event);
  const nowMs = clock.monotonic();
  const chord = first !== undefined && nowMs < first.untilMs ? `${first.key} ${key}` : undefined;
  first = undefined;
  const found = find(chord) ?? find(key);
  if (
    found === undefined &&
    maps.some((map) => Object.keys(map()).some((k) => k.startsWith(`${key} `)))
  ) {
    first = { key, untilMs: nowMs + CHORD_MS };
  }
  return found;
}

function find(key: string | undefined): KeyMap[string] | undefined {
  if (key === undefined) return undefined;
  for (let i = maps.length - 1; i >= 0; i--) {
    const found = maps[i]?.()[key];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Shift is part of a letter's name only: `?` needs it on most keyboards. */
function nameOf({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): string {
  if (ctrlKey || metaKey) return `Ctrl+${key.toLowerCase()}`;
  return shiftKey && /^[A-Za-z]$/.test(key) ? `Shift+${key.toLowerCase()}` : key;
}

function isTyping({ target, key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if ((ctrlKey || metaKey) && key.toLowerCase() === 'k') return false;
  const isControl = target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement;
  if (isControl && (key === 'Enter' || key === ' ')) return true;
  const isBox = target instanceof HTMLInputElement && /^(checkbox|radio)$/.test(target.type);
  return !isBox && target.matches('input, textarea, select, [contenteditable]');
}

export interface ListKeys {
  readonly count: number;
  /** The row that has the focus; -1: none. */
  readonly at: Signal<number>;
  readonly open: (index: number) => void;
  readonly tick?: ((index: number, isRange: boolean) => void) | undefined;
  /** The menu of the row's acts. */
  readonly acts?: ((index: number) => void) | undefined;
  /** The next or the previous item of an open panel. */
  readonly step?: ((by: 1 | -1) => void) | undefined;
}

/** `j` `k` row, `x` tick, `Shift+x` range, `Enter` open, `.` acts, `[` `]` item. Rows are elements with `data-row`. */
export function useListKeys({ count, at, open, tick, acts, step }: ListKeys): void {
  const move = (by: number) => {
    at.value = Math.max(0, Math.min(count - 1, at.value + by));
    document.querySelector<HTMLElement>(`[data-row="${at.value}"]`)?.focus();
  };
  const here = (act: ((index: number) => void) | undefined) => () => {
    if (at.value >= 0 && at.value < count) act?.(at.value);
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter: here(open),
    x: here((index) => tick?.(index, false)),
    'Shift+x': here((index) => tick?.(index, true)),
    '.': here(acts),
    '[': () => step?.(-1),
    ']': () => step?.(1),
  });
}
