import type { AuditListInput } from '@redrive/client';
import type { LogRecord as Found } from '../../api.ts';
import { textOf } from '../../components/list.tsx';
import { filterInput, unquoted } from '../../filter.ts';

/** The filters of `GET /v1/audit`. */
const KEYS = ['event', 'by', 'session', 'category', 'operation', 'tenant', 'correlation', 'trace'];
const TIMES = ['since', 'until'];

/** `by:api:ann since:24h` as pairs. A word without a key is a part of the actor's name. */
export function auditTokens(q: string): (readonly [key: string, value: string])[] {
  return [...q.matchAll(WORD)].map(([word]) => {
    const [, key = 'by', value = word] = /^([a-z]+):(.*)$/s.exec(word) ?? [];
    return [key, unquoted(value)];
  });
}

/** A value with spaces stands in quotes. */
const WORD = /(?:[a-z]+:)?(?:"(?:[^"\\]|\\.)*"|[^\s"]\S*)/g;

/** The input of the route, made anew at each request because `since:24h` moves. */
export function auditInput(q: string): {
  readonly input: () => AuditListInput;
  readonly problem?: string | undefined;
} {
  const tokens = auditTokens(q);
  const [unknown] = tokens.find(([key]) => ![...KEYS, ...TIMES].includes(key)) ?? [];
  const known = [...KEYS, ...TIMES].map((key) => `${key}:`).join(' ');
  const times = tokens.filter(([key]) => TIMES.includes(key)).map((token) => token.join(':'));
  const others = tokens.filter(([key]) => KEYS.includes(key));
  return {
    // The server checks the values.
    input: () =>
      ({ ...filterInput(times.join(' ')), ...Object.fromEntries(others) }) as AuditListInput,
    problem: unknown === undefined ? undefined : `${unknown}: is not a filter. Known are ${known}`,
  };
}

export type Change = readonly [field: string, before: string, after: string];

const NUMBERS = ['generation', 'executions', 'token'] as const;

/** The values that a record changed. @param earlier the record before it of the same job. */
export function beforeAndAfter(record: Found, earlier?: Found): readonly Change[] {
  const { from, to, detail } = record;
  const states: Change[] = from || to ? [['state', from ?? 'none', to ?? 'none']] : [];
  const numbers = NUMBERS.flatMap((name): Change[] => {
    const [old, now] = [earlier?.[name], record[name]];
    return now ? [[name, old === undefined ? '' : String(old), String(now)]] : [];
  });
  const entries = Object.entries(detail).flatMap(([name, value]): Change[] => {
    if (name === 'diff') return diffOf(value);
    if (name.endsWith('_before')) return [];
    const { [name.replace(/_after$/, '_before')]: old } = detail as Record<string, unknown>;
    if (name.endsWith('_after')) return [[name.slice(0, -6), textOf(old), textOf(value)]];
    return ['by', 'why'].includes(name) ? [] : [[name, '', textOf(value)]];
  });
  return [...states, ...numbers, ...entries];
}

/** Of a change of the configuration. */
function diffOf(diff: unknown): Change[] {
  const { entries } = Object(diff) as { readonly entries?: unknown };
  if (!Array.isArray(entries)) return [];
  return entries.map(({ path, before = '', after = '' }) => [
    ...([String(path), String(before), String(after)] as const),
  ]);
}
