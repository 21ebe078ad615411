export type Scope = 'all' | 'queue' | 'operation' | 'tenant';

interface Target {
  readonly scope: string;
  readonly name?: string | null;
}

/** The store calls a handler an operation. */
export const scopeWord = (scope: string) => (scope === 'operation' ? 'handler' : scope);

/** `handler invoice`, as people type it. */
export function scopeText({ scope, name }: Target, all = 'all'): string {
  return scope === 'all' ? all : `${scopeWord(scope)} ${name ?? ''}`;
}

/** In the address: `handler:invoice`. */
export function scopeKey({ scope, name }: Target): string {
  return scope === 'all' ? 'all' : `${scopeWord(scope)}:${name ?? ''}`;
}

/** From the address. */
export function scopeOf(text = ''): { readonly scope: Scope; readonly name: string } {
  const [, word = '', name = ''] = /^(\w+):?(.*)$/s.exec(text) ?? [];
  const scopes: Readonly<Record<string, Scope>> = {
    all: 'all',
    handler: 'operation',
    tenant: 'tenant',
  };
  return { scope: scopes[word] ?? 'queue', name };
}

export const releaseHref = (kill: Target) =>
  `/control?act=release&scope=${encodeURIComponent(scopeKey(kill))}`;
