import { type FieldProblem, refuse } from '@redrive/core/fields';
import { MAX_NAME_LENGTH, textProblem } from '../jobs/text-problem.ts';

/** The target of a kill switch as it is stored: everything, or one queue, handler (`operation`) or tenant. */
export type KillScope = 'all' | 'queue' | 'operation' | 'tenant';

export const KILL_SCOPES: readonly KillScope[] = ['all', 'queue', 'operation', 'tenant'];

export interface KillTarget {
  readonly scope: KillScope;
  /** Of the queue, the handler or the tenant. Absent for `all`, and for `all` only. */
  readonly name?: string | undefined;
}

/** The target of a kill switch as callers name it. */
export interface KillWish {
  /** `all`, `queue`, `handler` or `tenant`. `operation` is the stored word for `handler`, and means the same. */
  readonly scope: KillScope | 'handler';
  /** Of the queue, the handler or the tenant. Absent for `all`, and for `all` only. */
  readonly name?: string | undefined;
}

const SCOPES = ['all', 'queue', 'handler', 'tenant', 'operation'] as const;

/** @throws RedriveError `invalid_option`. */
export function storedTarget({ scope, name }: KillWish): KillTarget {
  const problems: FieldProblem[] = [];
  if (!SCOPES.includes(scope)) {
    const message = `scope must be one of ${SCOPES.join(', ')}, not ${String(scope)}`;
    problems.push({ field: 'scope', message });
  } else if ((scope === 'all') !== (name === undefined)) {
    const word = scope === 'operation' ? 'handler' : scope;
    const message = scope === 'all' ? 'all has no name' : `the name of the ${word} is missing`;
    problems.push({ field: 'name', message });
  }
  // The name of no tenant is empty.
  const misnamed = textProblem('name', name, MAX_NAME_LENGTH, { empty: scope === 'tenant' });
  if (misnamed !== undefined) problems.push(misnamed);
  refuse('invalid_option', 'kill switch', problems);
  return { scope: scope === 'handler' ? 'operation' : scope, name };
}

/** The key of its document. */
export function killKey({ scope, name }: KillTarget): string {
  return scope === 'all' ? 'all' : `${scope}:${name}`;
}

/** The target that a document's key names. `undefined`: it names none. */
export function killTargetOf(key: string): KillTarget | undefined {
  if (key === 'all') return { scope: 'all' };
  const scope = KILL_SCOPES.find((each) => each !== 'all' && key.startsWith(`${each}:`));
  return scope && { scope, name: key.slice(scope.length + 1) };
}
