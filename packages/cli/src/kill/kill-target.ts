import type { Store } from '@redrive/durable';
import type { KillTarget } from '@redrive/durable/control';
import { type KillScope, wordOf } from '@redrive/durable/store';
import type { Invocation } from '../command/command-spec.ts';
import { tellStranger } from '../store/job-counts.ts';
import { CliError } from '../terminal/cli-error.ts';

/** Scopes as people type them. Stores and JSON call a handler an operation, and that word is accepted, too. */
const WORDS = new Map<string, KillScope>([
  ['all', 'all'],
  ['queue', 'queue'],
  ['handler', 'operation'],
  ['operation', 'operation'],
  ['tenant', 'tenant'],
]);

/** The target that the command line names. @throws CliError with the exit code 2. */
export function killTarget({ args, command }: Invocation): KillTarget {
  const [given = '', name] = args;
  const scope = WORDS.get(given);
  const hint = `Write "redrive ${command} all", or a scope and its name: "redrive ${command} queue mail".`;
  if (scope === undefined) {
    const message = `There is no kill switch for "${given}": use all, queue, handler or tenant.`;
    throw new CliError('usage', message, hint);
  }
  if (scope === 'all') {
    if (name === undefined) return { scope };
    throw new CliError('usage', 'A kill switch for all has no name.', hint);
  }
  if (name !== undefined) return { scope, name };
  throw new CliError('usage', `The name of the ${wordOf(scope)} is missing.`, hint);
}

/** As the command line names it: `all`, `queue mail`. */
export function targetWords({ scope, name }: KillTarget): string {
  return name === undefined ? scope : `${wordOf(scope)} ${name === '' ? "''" : name}`;
}

/** Says where no job has the name. Tenants are not counted. */
export async function tellStrangeTarget(
  { io }: Pick<Invocation, 'io'>,
  store: Pick<Store, 'counts'>,
  { scope, name = '' }: KillTarget,
): Promise<void> {
  if (scope === 'queue') await tellStranger(io, store, 'queue', name);
  if (scope === 'operation') await tellStranger(io, store, 'handler', name);
}
