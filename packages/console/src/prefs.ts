import { effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';
export type Zone = 'utc' | 'local';

/** Kept in a cookie: nothing is in local storage. */
export const theme = signal<Theme>('system');
export const zone = signal<Zone>('utc');

const YEAR_SECONDS = 31_536_000;

export function startPrefs(): void {
  const [, kept = ''] = /(?:^|; )redrive_prefs=([\w.]+)/.exec(document.cookie) ?? [];
  const [color, time] = kept.split('.');
  if (color === 'light' || color === 'dark') theme.value = color;
  if (time === 'local') zone.value = time;
  effect(() => {
    if (theme.value === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme.value;
    // biome-ignore lint/suspicious/noDocumentCookie: the other interface is asynchronous, and absent in Firefox.
    document.cookie = `redrive_prefs=${theme.value}.${zone.value}; Path=/; SameSite=Strict; Max-Age=${YEAR_SECONDS}`;
  });
}

/** From whatever is seen now to the other one. */
export function toggleTheme(): void {
  theme.value = isDark() ? 'light' : 'dark';
}

export function isDark(): boolean {
  if (theme.value !== 'system') return theme.value === 'dark';
  return matchMedia('(prefers-color-scheme: dark)').matches;
}
