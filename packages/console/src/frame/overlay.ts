import { signal } from '@preact/signals';

/** What lies over the page. */
export const overlay = signal<'help' | 'palette' | 'more' | 'search' | undefined>(undefined);
