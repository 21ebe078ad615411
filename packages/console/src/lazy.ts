import { signal } from '@preact/signals';
import { h } from 'preact';
import type { View } from './view.ts';

type Component = View['Page'];

const loads: (() => Promise<void>)[] = [];

/** A view whose script is loaded when it is first opened. */
export function lazy(load: () => Promise<Component>): Component {
  const loaded = signal<Component | undefined>(undefined);
  const begin = async () => {
    loaded.value ??= await load();
  };
  loads.push(begin);
  return (props) => {
    if (loaded.value === undefined) void begin();
    return loaded.value === undefined ? h('main', { id: 'main' }) : h(loaded.value, props);
  };
}

/** The scripts of all views, so that none of them waits for the network when it is opened. */
export async function loadAll(): Promise<void> {
  for (const begin of loads) await begin();
}
