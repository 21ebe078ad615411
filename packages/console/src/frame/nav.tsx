import { num } from '../format.ts';
import { place, type View } from '../router.ts';
import { status } from '../status.ts';
import { VERSION } from '../version.ts';
import { VIEWS } from '../views/index.ts';
import { overlay } from './overlay.ts';

/** Solid ran, hatched waited, dashed is planned. */
export function Brand() {
  return (
    <a class="brand" href="/">
      <svg viewBox="0 0 26 12" aria-hidden="true">
        <rect x="0" y="1" width="8" height="10" rx="1.5" fill="currentColor" />
        <rect x="10" y="1" width="6.5" height="10" fill="url(#hx)" />
        <rect
          x="18.7"
          y="1.7"
          width="6.6"
          height="8.6"
          rx="1.5"
          fill="none"
          stroke="currentColor"
          stroke-width="1.3"
          stroke-dasharray="2 1.5"
        />
      </svg>
      Redrive
    </a>
  );
}

export function Nav() {
  return (
    <nav class="nav" aria-label="Main">
      <Brand />
      {[0, 1, 2].map((group) => (
        <ul key={group}>
          {VIEWS.filter((view) => view.group === group).map((view) => (
            <li key={view.name}>
              <NavLink view={view} />
            </li>
          ))}
        </ul>
      ))}
      <div class="foot">
        <span>{VERSION}</span>
        <button type="button" onClick={() => (overlay.value = 'help')}>
          Keys <kbd>?</kbd>
        </button>
      </div>
    </nav>
  );
}

export function NavLink({ view }: { readonly view: View }) {
  const found = status.value;
  const count = found === undefined ? undefined : view.count?.(found);
  const isRed = found !== undefined && (view.isRed?.(found) ?? false);
  return (
    <a href={view.path} aria-current={place.value.view === view ? 'page' : undefined}>
      {view.label}
      {count !== undefined && count !== 0 && (
        <span class={isRed ? 'red' : ''}>{typeof count === 'number' ? num(count) : count}</span>
      )}
    </a>
  );
}

const TABS = [
  ['/', 'Overview', 't-over'],
  ['/dead', 'Dead letters', 't-dead'],
  ['/control', 'Control', 't-stop'],
] as const;

/** The bar below the page on a phone. */
export function Tabs() {
  const here = place.value.view?.path;
  return (
    <nav class="tabs" aria-label="Main, small screens">
      {TABS.map(([path, text, icon]) => (
        <a key={path} href={path} aria-current={here === path ? 'page' : undefined}>
          <TabIcon of={icon} />
          {text}
        </a>
      ))}
      <button type="button" onClick={() => (overlay.value = 'search')}>
        <TabIcon of="t-find" />
        Search
      </button>
      <button type="button" onClick={() => (overlay.value = 'more')}>
        <TabIcon of="t-more" />
        More
      </button>
    </nav>
  );
}

function TabIcon({ of }: { readonly of: string }) {
  return (
    <svg aria-hidden="true">
      <use href={`#${of}`} />
    </svg>
  );
}
