import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { clock } from '../clock.ts';
import { Glyph } from './state.tsx';

export interface ToastOptions {
  /** A refusal stays until it is closed. Default `done`. */
  readonly kind?: 'done' | 'refused';
  readonly href?: string;
  readonly link?: string;
}

interface Toast extends ToastOptions {
  readonly id: number;
  readonly text: ComponentChildren;
}

const SHOWN_MS = 6_000;
const MAX_TOASTS = 3;
const toasts = signal<readonly Toast[]>([]);
let nextId = 0;

export function toast(text: ComponentChildren, options: ToastOptions = {}): void {
  const id = nextId++;
  toasts.value = [...toasts.value, { id, text, ...options }].slice(-MAX_TOASTS);
  if (options.kind !== 'refused') hideLater(id);
}

function hideLater(id: number): void {
  clock.setTimer(SHOWN_MS, () => {
    // It stays while it has the focus.
    if (document.activeElement?.closest(`[data-toast="${id}"]`)) hideLater(id);
    else close(id);
  });
}

function close(id: number): void {
  toasts.value = toasts.value.filter((each) => each.id !== id);
}

/** @returns whether there was one to close. */
export function closeNewestToast(): boolean {
  const newest = toasts.value.at(-1);
  if (newest !== undefined) close(newest.id);
  return newest !== undefined;
}

export function Toasts() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ id, text, kind = 'done', href, link }) => (
        <div class="toast" key={id} data-toast={id}>
          <Glyph
            of={kind === 'done' ? 'done' : 'failed'}
            tone={kind === 'done' ? 'green' : 'red'}
          />
          <span>
            {text}{' '}
            {href !== undefined && (
              <a class="link" href={href}>
                {link ?? 'Show it'}
              </a>
            )}
          </span>
          <span class="sp" />
          <button type="button" class="close" aria-label="Close" onClick={() => close(id)}>
            <kbd>Esc</kbd>
          </button>
        </div>
      ))}
    </div>
  );
}
