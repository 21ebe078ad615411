import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { client } from '../api.ts';
import { toast } from '../components/index.ts';
import { Token } from '../components/text.tsx';
import { FILTER_KEYS, type FilterToken, filterText, parseFilter } from '../filter.ts';
import { plural } from '../format.ts';
import { useKeys } from '../keys.ts';
import { navigate, param, place, setParams } from '../router.ts';
import { status } from '../status.ts';
import { overlay } from './overlay.ts';

const draft = signal('');
const chosen = signal(0);
const isOpen = signal(false);
const FILTERED = ['dead', 'jobs', 'audit'];

interface Suggestion {
  readonly key: string;
  readonly value: string;
  readonly note: string;
}

/** The filter of the view that has one, else of the dead letters. A pasted id opens its item. */
export function Search() {
  const input = useRef<HTMLInputElement>(null);
  const focus = () => input.current?.focus();
  useKeys({ '/': focus });
  useEffect(
    () =>
      overlay.subscribe((value) => {
        if (value !== 'search') return;
        overlay.value = undefined;
        document.documentElement.classList.add('searching');
        focus();
      }),
    [],
  );
  const tokens = parseFilter(isFiltered() ? (param('q') ?? '') : '').tokens;
  const { problem } = parseFilter(draft.value);
  const list = isOpen.value ? suggestions(draft.value) : [];
  const at = Math.min(chosen.value, list.length - 1);
  const apply = (next: readonly FilterToken[]) => {
    const q = filterText(next);
    if (isFiltered()) setParams({ q: q || undefined, cause: undefined });
    else if (q !== '') navigate(`/dead?${new URLSearchParams({ q })}`);
  };
  const take = ({ key, value }: Suggestion) => {
    chosen.value = 0;
    if (value === '') draft.value = `${key}:`;
    else {
      draft.value = '';
      apply([...tokens.filter((each) => each.key !== key), { key, value }]);
    }
  };
  const enter = () => {
    const picked = list[at];
    const text = draft.value.trim();
    if (
      /^[\w:-]{12,}$/.test(text) &&
      !text.startsWith('text:') &&
      parseFilter(text).tokens[0]?.key === 'text'
    ) {
      void openId(text);
    } else if (picked !== undefined) take(picked);
    else if (problem === undefined && text !== '') {
      draft.value = '';
      const added = parseFilter(text).tokens;
      apply([...tokens.filter(({ key }) => !added.some((each) => each.key === key)), ...added]);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined && list.length > 0) chosen.value = (at + by + list.length) % list.length;
    else if (event.key === 'Enter') enter();
    else if (event.key === 'Escape') {
      if (draft.value === '') input.current?.blur();
      draft.value = '';
    } else if (event.key === 'Backspace' && draft.value === '' && tokens.length > 0)
      apply(tokens.slice(0, -1));
    else return;
    event.preventDefault();
  };
  return (
    <search class="search">
      <svg class="i" aria-hidden="true">
        <use href="#find" />
      </svg>
      {tokens.map(({ key, value }) => (
        <Token
          key={key}
          k={key}
          v={value}
          onRemove={() => apply(tokens.filter((each) => each.key !== key))}
        />
      ))}
      <input
        ref={input}
        type="text"
        aria-label="Search"
        role="combobox"
        aria-expanded={list.length > 0}
        aria-controls="suggestions"
        aria-activedescendant={list.length > 0 ? `suggestion-${at}` : undefined}
        placeholder={tokens.length === 0 ? 'Search, or paste an id' : ''}
        spellcheck={false}
        autocomplete="off"
        value={draft.value}
        onFocus={() => (isOpen.value = true)}
        onBlur={() => {
          isOpen.value = false;
          document.documentElement.classList.remove('searching');
        }}
        onInput={(event) => {
          chosen.value = 0;
          draft.value = event.currentTarget.value;
        }}
        onKeyDown={onKeyDown}
      />
      <kbd>{isOpen.value ? 'Esc' : '/'}</kbd>
      {isOpen.value && (list.length > 0 || problem !== undefined) && (
        <div class="menu suggestions">
          {problem !== undefined && draft.value !== '' && (
            <p class="l2 red" role="alert">
              {problem}
            </p>
          )}
          <div id="suggestions" role="listbox" aria-label="Suggestions">
            {list.map((each, index) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus and names the chosen one.
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input.
              <div
                key={`${each.key}:${each.value}`}
                id={`suggestion-${index}`}
                role="option"
                aria-selected={index === at}
                class={index === at ? 'on' : ''}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => take(each)}
              >
                <span>
                  <span class="mono">{each.key}:</span>
                  {each.value}
                </span>
                <span class="muted">{each.note}</span>
              </div>
            ))}
          </div>
        </div>
      )}
    </search>
  );
}

function isFiltered(): boolean {
  return FILTERED.includes(place.value.view?.name ?? '');
}

/** Keys, then handlers and queues with their dead letters, then the text itself. */
function suggestions(text: string): readonly Suggestion[] {
  const word = text.trim();
  const [, key, value = ''] = /^([a-z_]+):(.*)$/.exec(word) ?? [];
  const values = (status.value?.handlers ?? []).flatMap(({ handler, queue, states }) => [
    { key: 'handler', value: handler, note: plural(states.dead, 'dead letter') },
    { key: 'queue', value: queue, note: plural(states.dead, 'dead letter') },
  ]);
  const fits = values.filter((each) =>
    key === undefined
      ? word !== '' && each.value.includes(word)
      : each.key === key && each.value.includes(value),
  );
  const unique = fits.filter(
    (each, index) =>
      fits.findIndex((other) => other.key === each.key && other.value === each.value) === index,
  );
  if (key !== undefined)
    return value !== '' && unique.some((each) => each.value === value) ? [] : unique.slice(0, 8);
  const keys = Object.entries(FILTER_KEYS)
    .filter(([name]) => name.startsWith(word))
    .map(([name, note]) => ({ key: name, value: '', note }));
  const asText = word === '' ? [] : [{ key: 'text', value: word, note: 'in the error' }];
  return [...keys, ...unique, ...asText].slice(0, 10);
}

async function openId(id: string): Promise<void> {
  if (/^fp\d:/.test(id)) return opened(`/dead?cause=${encodeURIComponent(id)}`);
  const job = await client.jobs.show({ id }).catch(() => undefined);
  if (job !== undefined) {
    return opened(
      Object(job).state === 'dead'
        ? `/dead?open=${encodeURIComponent(id)}`
        : `/jobs/${encodeURIComponent(id)}`,
    );
  }
  const operation = await client.operations.show({ id }).catch(() => undefined);
  if (operation !== undefined) return opened(`/ops/${encodeURIComponent(id)}`);
  toast(`Nothing has the id ${id}. It may be deleted by retention.`, { kind: 'refused' });
}

function opened(href: string): void {
  draft.value = '';
  navigate(href);
}
