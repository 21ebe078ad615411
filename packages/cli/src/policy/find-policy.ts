import { type Config, type LookUp, lookUp } from '@redrive/config';
import { nearest } from '@redrive/core/fields';
import { RetryCategory } from '@redrive/core/manager';
import { CliError } from '../terminal/cli-error.ts';

/**
 * The policy that a name means in this configuration: by id, category or subsystem path.
 *
 * @throws CliError with the exit code 3 and the nearest known name.
 */
export function findPolicy(config: Config, name: string): LookUp {
  const found = lookUp(config, name);
  if (found.policy !== undefined) return found;
  throw new CliError('no_match', found.message, found.suggestion ?? hintFor(name));
}

/** A path falls back to a default where nothing is mapped to it; if one with nearly that name is, that may be a slip. */
export function slipOf(config: Config, name: string, { matchedBy }: LookUp): string | undefined {
  if (matchedBy !== 'group_default' && matchedBy !== 'global_defaults') return undefined;
  const close = nearest(name, [...config.mappings.keys()]);
  return close && `Nothing is mapped to "${name}". Did you mean "${close}"?`;
}

/** Categories go by their short names too, which are no policy's id. */
function hintFor(name: string): string {
  const close = nearest(name, Object.keys(RetryCategory));
  return close === undefined
    ? '"redrive policies list" lists all policies.'
    : `Did you mean "${close}"?`;
}
