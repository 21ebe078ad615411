import { signal } from '@preact/signals';

/** The overlay that is open. */
export const overlay = signal<'help' | 'palette' | 'more' | 'search' | undefined>(undefined);
