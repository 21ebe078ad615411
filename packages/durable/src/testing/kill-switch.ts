import type { KillSwitch } from '../control/rules/documents.ts';
import { updateControl } from '../control/update-control.ts';
import type { FullStore } from '../store/full-store.ts';

/** Engages a kill switch. */
export async function engage(
  store: FullStore,
  key: string,
  mode: KillSwitch['mode'] = 'finish',
): Promise<void> {
  const next = (_: unknown, sinceMs: number): KillSwitch => ({ mode, sinceMs, by: 'ann' });
  await updateControl(store, { of: 'kill', key, next });
}

/** Takes it away, without a pace. */
export async function disengage(store: FullStore, key: string): Promise<void> {
  await updateControl(store, { of: 'kill', key, next: () => null });
}
