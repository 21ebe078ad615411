import { copy } from '../components/index.ts';
import { closeNewestToast } from '../components/toast.tsx';
import { useKeys } from '../keys.ts';
import { togglePaused } from '../live.ts';
import { toggleTheme } from '../prefs.ts';
import { navigate, param, setParams } from '../router.ts';
import { VIEWS } from '../views/index.ts';
import { overlay } from './overlay.ts';

/** The keys of every view. No single key does harm: every act ends in a dialog. */
export function GlobalKeys() {
  const pages = VIEWS.flatMap(({ key, path }) =>
    key ? [[`g ${key}`, () => navigate(path)] as const] : [],
  );
  useKeys({
    ...Object.fromEntries(pages),
    '?': () => (overlay.value = 'help'),
    'Ctrl+k': () => (overlay.value = 'palette'),
    r: togglePaused,
    t: toggleTheme,
    y: () => copy(location.href, 'The link is copied.'),
    Escape: () => {
      if (closeNewestToast()) return;
      if (param('act') !== undefined) setParams({ act: undefined });
      else if (param('open') !== undefined) setParams({ open: undefined });
    },
  });
  return null;
}
