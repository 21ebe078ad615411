import { absolute, ago, type Moment, msOf, shortId, since, timeMs, timeOfDay } from '../format.ts';
import { copy } from './command-line.tsx';

const TIMES = { ago, since, time: timeOfDay, ms: timeMs } as const;

export interface TimeProps {
  readonly at: Moment | null | undefined;
  /** `ago` 22 min ago, `since` 18:42, `time` 20:14:08, `ms` 20:14:08.123. Default `ago`. */
  readonly kind?: keyof typeof TIMES;
}

/** Short on the page, absolute with its zone as title and for machines. */
export function Time({ at, kind = 'ago' }: TimeProps) {
  if (at === null || at === undefined) return null;
  return (
    <time dateTime={new Date(msOf(at)).toISOString()} title={absolute(at)}>
      {TIMES[kind](at)}
    </time>
  );
}

/** An id: short in lists, where a copy is whole; full, and copied by a click, in panels. */
export function Id({ of, full = false }: { readonly of: string; readonly full?: boolean }) {
  if (!full) {
    return (
      <span
        class="mono"
        title={of}
        onCopy={(event) => {
          event.clipboardData?.setData('text/plain', of);
          event.preventDefault();
        }}
      >
        {shortId(of)}
      </span>
    );
  }
  return (
    <button
      type="button"
      class="id mono"
      title="Copy"
      onClick={() => copy(of, 'The id is copied.')}
    >
      {of}
    </button>
  );
}

export interface TokenProps {
  readonly k: string;
  readonly v: string;
  readonly onRemove?: (() => void) | undefined;
}

/** A part of a filter: `handler:import`. */
export function Token({ k, v, onRemove }: TokenProps) {
  return (
    <span class="tok">
      <i>{k}:</i>
      {v}
      {onRemove && (
        <button type="button" aria-label={`Remove ${k}:${v}`} onClick={onRemove}>
          ×
        </button>
      )}
    </span>
  );
}

const JSON_PARTS = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|\b(?:true|false|null)\b/g;

/** A JSON text as it is, with colours: numbers are never read, so that all their digits stay. */
export function Json({ text }: { readonly text: string }) {
  const parts: (string | { readonly kind: 'k' | 's' | 'd' | 'x'; readonly text: string })[] = [];
  let end = 0;
  for (const match of text.matchAll(JSON_PARTS)) {
    const [all, quoted, colon, digits] = match;
    parts.push(text.slice(end, match.index));
    end = match.index + all.length;
    if (quoted === undefined) parts.push({ kind: 'd', text: digits ?? all });
    else {
      const isHidden = /^"\[redacted|^"\*\*\*/i.test(quoted);
      parts.push({ kind: colon ? 'k' : isHidden ? 'x' : 's', text: quoted }, colon ?? '');
    }
  }
  parts.push(text.slice(end));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls must be reachable by keys.
    <pre class="json" tabIndex={0}>
      {parts.map((part, index) =>
        typeof part === 'string' ? (
          part
        ) : (
          <span key={index} class={part.kind}>
            {part.text}
          </span>
        ),
      )}
    </pre>
  );
}
