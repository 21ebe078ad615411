import { signal } from '@preact/signals';
import { type ComponentType, h } from 'preact';

const loads = new Map<unknown, () => Promise<void>>();

/** A component whose script is loaded when it is first shown. Until then there is an empty page, or nothing. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>, isPage = true) {
  const loaded = signal<ComponentType<P> | undefined>(undefined);
  const begin = async () => {
    loaded.value ??= await load();
  };
  const Lazy = (props: P) => {
    if (loaded.value === undefined) void begin();
    if (loaded.value !== undefined) return h(loaded.value, props);
    return isPage ? h('main', { id: 'main' }) : null;
  };
  loads.set(Lazy, begin);
  return Lazy;
}

/** The script of a view, before it is known who opens it. */
export function preload(component: unknown): void {
  void loads.get(component)?.();
}

/** All scripts, so that nothing waits for the network when it is opened. */
export async function loadAll(): Promise<void> {
  for (const begin of loads.values()) await begin();
}
