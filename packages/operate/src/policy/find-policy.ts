import { type Config, type ConfiguredPolicy, type LookUp, lookUp } from '@redrive/config';
import { nearest } from '@redrive/core/fields';
import { RetryCategory } from '@redrive/core/manager';
import type { Context } from '../action/context.ts';
import { Refusal } from '../action/refusal.ts';

/** The policy of a name: an id, a category or a subsystem path. @throws Refusal with the nearest known name. */
export function findPolicy(config: Config, name: string): LookUp {
  const found = lookUp(config, name);
  if (found.policy !== undefined) return found;
  throw new Refusal('not_found', found.message, found.suggestion ?? hintFor(name));
}

/** Categories are found by their short names too, which are not ids of policies. */
function hintFor(name: string): string {
  const close = nearest(name, Object.keys(RetryCategory));
  return close === undefined
    ? '"redrive policies list" lists all policies.'
    : `Did you mean "${close}"?`;
}

/**
 * A path falls back to a default where no policy is mapped to it: the mapping names a policy that does not exist, which
 * files of version 1.0.0 may do, or it is missing. If a path with nearly that name is mapped, that may be a slip.
 */
export function slipOf(config: Config, name: string, { matchedBy }: LookUp): string | undefined {
  if (matchedBy !== 'group_default' && matchedBy !== 'global_defaults') return undefined;
  const mapped = config.mappings.get(name);
  if (mapped !== undefined)
    return `"${name}" is mapped to "${mapped}", which is not a policy: a default is used.`;
  const close = nearest(name, [...config.mappings.keys()]);
  return close && `Nothing is mapped to "${name}". Did you mean "${close}"?`;
}

/** One side of a comparison. */
export interface Side {
  /** As the caller may write it: an id, or file:id. */
  readonly label: string;
  readonly policy: ConfiguredPolicy;
}

/** A name in the configuration in force; or, after the last colon, one in the file before it. */
export async function sideOf(
  { config, configIn }: Pick<Context, 'config' | 'configIn'>,
  name: string,
): Promise<Side> {
  const colon = name.lastIndexOf(':');
  if (colon <= 0 || configIn === undefined) {
    const { policy } = findPolicy(await config(), name);
    return { label: policy.id, policy };
  }
  const file = name.slice(0, colon);
  const { policy } = findPolicy(await configIn(file), name.slice(colon + 1));
  return { label: `${file}:${policy.id}`, policy };
}
