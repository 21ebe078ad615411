import type { FieldProblem } from '@redrive/core';
import { refuse } from '@redrive/core/fields';
import { MAX_NAME_LENGTH, textProblem } from '../jobs/text-problem.ts';

/** The target of a kill switch: everything, or one queue, handler (`operation`) or tenant. */
export type KillScope = 'all' | 'queue' | 'operation' | 'tenant';

export const KILL_SCOPES: readonly KillScope[] = ['all', 'queue', 'operation', 'tenant'];

export interface KillTarget {
  readonly scope: KillScope;
  /** Of the queue, the handler or the tenant. Absent for `all`, and for `all` only. */
  readonly name?: string | undefined;
}

/** The key of its document. @throws RedriveError `invalid_option`. */
export function killKey({ scope, name }: KillTarget): string {
  const problems: FieldProblem[] = [];
  if (!KILL_SCOPES.includes(scope)) {
    const message = `scope must be one of ${KILL_SCOPES.join(', ')}, not ${String(scope)}`;
    problems.push({ field: 'scope', message });
  } else if ((scope === 'all') !== (name === undefined)) {
    const message = scope === 'all' ? 'all has no name' : `the name of the ${scope} is missing`;
    problems.push({ field: 'name', message });
  }
  // The name of no tenant is empty.
  const misnamed = textProblem('name', name, MAX_NAME_LENGTH, { empty: scope === 'tenant' });
  if (misnamed !== undefined) problems.push(misnamed);
  refuse('invalid_option', 'kill switch', problems);
  return scope === 'all' ? 'all' : `${scope}:${name}`;
}

/** The target that a document's key names. `undefined`: it names none. */
export function killTargetOf(key: string): KillTarget | undefined {
  if (key === 'all') return { scope: 'all' };
  const scope = KILL_SCOPES.find((each) => each !== 'all' && key.startsWith(`${each}:`));
  return scope && { scope, name: key.slice(scope.length + 1) };
}
