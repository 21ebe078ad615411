import { computed, signal } from '@preact/signals';
import type { JSX } from 'preact';
import type { StatusDocument } from './status.ts';

/** A place of the navigation. `/jobs/<id>` is the view Jobs with `rest` `['<id>']`. */
export interface View {
  readonly name: string;
  readonly label: string;
  readonly path: string;
  /** `g`, then this key, leads there. */
  readonly key?: string;
  /** Views of one group stand together. */
  readonly group: 0 | 1 | 2;
  readonly count?: (status: StatusDocument) => string | number | undefined;
  readonly isRed?: (status: StatusDocument) => boolean;
  readonly Page: (props: { readonly rest: readonly string[] }) => JSX.Element | null;
}

export interface Place {
  readonly path: string;
  readonly view: View | undefined;
  /** The parts of the path behind the view's own, decoded. */
  readonly rest: readonly string[];
  /** `q` filter, `w` window, `s` sort, `open` item, `act` dialog, and a view's own. */
  readonly params: URLSearchParams;
}

export type Changes = Readonly<Record<string, string | undefined>>;

const views = signal<readonly View[]>([]);
const address = signal('/');

/** Where the page is. A component that reads it is drawn again when it changes. */
export const place = computed<Place>(() => {
  const { pathname, searchParams } = new URL(address.value, 'http://here');
  const view = views.value.find(({ path }) => isBelow(pathname, path));
  const rest = pathname
    .slice(view?.path.length ?? 0)
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
  return { path: pathname, view, rest, params: searchParams };
});

function isBelow(pathname: string, path: string): boolean {
  if (path === '/') return pathname === '/';
  return pathname === path || pathname.startsWith(`${path}/`);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function param(name: string): string | undefined {
  return place.value.params.get(name) || undefined;
}

/** This place with other parameters; `undefined` removes one. */
export function hrefWith(changes: Changes): string {
  const params = new URLSearchParams(place.value.params);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') params.delete(name);
    else params.set(name, value);
  }
  // Filters stay readable in the address.
  const query = params.toString().replaceAll('%3A', ':').replaceAll('%2C', ',');
  return `${place.value.path}${query === '' ? '' : `?${query}`}`;
}

export interface Navigation {
  /** No new entry in the history. Default `false`. */
  readonly replace?: boolean;
}

export function navigate(href: string, { replace = false }: Navigation = {}): void {
  if (href === address.value) return;
  const before = place.value.path;
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  address.value = href;
  if (place.value.path !== before) window.scrollTo(0, 0);
}

export function setParams(changes: Changes, options?: Navigation): void {
  navigate(hrefWith(changes), options);
}

/** Follows the history and every link to a place of the console. */
export function startRouter(all: readonly View[]): void {
  views.value = all;
  const read = () => {
    address.value = location.pathname + location.search;
  };
  read();
  addEventListener('popstate', read);
  document.addEventListener('click', (event) => {
    const href = ownLink(event);
    if (href === undefined) return;
    event.preventDefault();
    navigate(href);
  });
}

/** The address of a plain click on a link of the console. Others belong to the browser. */
function ownLink(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  if (event.defaultPrevented || !(event.target instanceof Element)) return;
  const link = event.target.closest('a');
  if (link === null || link.origin !== location.origin || link.hasAttribute('download')) return;
  if (link.target !== '' || link.pathname.startsWith('/v1/') || link.hash !== '') return;
  return link.pathname + link.search;
}
