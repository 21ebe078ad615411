import { policyCategory } from '@redrive/core/stored';
import type { Config } from '../config.ts';

/** Names the subsystem of an operation that ran under a policy. */
export type FindSubsystem = (operation: string, policy: string) => string;

/**
 * Finds subsystems by `subsystem_mappings`: that of the operation's own path, else the only one that maps something to
 * its policy. Where no mapping names the operation, it is the part of its name before the first dot.
 */
export function subsystemFinder({ mappings }: Pick<Config, 'mappings'>): FindSubsystem {
  const byPolicy = new Map<string, string | undefined>();
  for (const [path, policy] of mappings) {
    const subsystem = firstPart(path);
    const isOther = byPolicy.has(policy) && byPolicy.get(policy) !== subsystem;
    byPolicy.set(policy, isOther ? undefined : subsystem);
  }
  return (operation, policy) => {
    const isMapped = mappings.has(operation);
    return isMapped ? firstPart(operation) : (byPolicy.get(policy) ?? firstPart(operation));
  };
}

/** Every category of a configuration: the built-in ones, and policies of the file whose id is a category's code. */
export function categoriesOf({ policies }: Pick<Config, 'policies'>): readonly string[] {
  return [...policies.keys()].filter((id) => policyCategory(id) !== undefined).sort();
}

function firstPart(name: string): string {
  const dot = name.indexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}
