import { nearest } from '@redrive/core/fields';
import { findCategory } from '@redrive/core/manager';
import type { Config, ConfiguredPolicy } from '../config.ts';

/** A policy, and by which rule it was found. */
export interface LookUp {
  readonly policy: ConfiguredPolicy;
  readonly matchedBy: 'policy' | 'category' | 'path' | 'group_default' | 'global_defaults';
  /** The rule in words: `subsystem_mappings: browser.state_operations.timeout`. */
  readonly rule: string;
}

/** Nothing is called so. */
export interface NotFound {
  readonly policy?: undefined;
  readonly message: string;
  readonly suggestion?: string;
}

/**
 * Finds the policy for a name: a policy's id, a category (code, short name or old spelling), or a subsystem path. A path
 * that is not mapped falls back to the `default` of its group, then of the groups around it, then to the global defaults.
 * A name without a dot that is nothing of these is not found: it is more likely a slip than an unmapped subsystem.
 */
export function lookUp(config: Config, name: string): LookUp | NotFound {
  const category = findCategory(name.replace(/^categories\./, ''));
  const categorised = category && config.policies.get(category);
  if (categorised) {
    return { policy: categorised, matchedBy: 'category', rule: `category ${category}` };
  }
  const named = config.policies.get(name);
  if (named !== undefined) return { policy: named, matchedBy: 'policy', rule: `policy ${name}` };
  return byPath(config, name) ?? notFound(config, name);
}

function byPath(config: Config, path: string): LookUp | undefined {
  const parts = path.split('.');
  if (parts.some((part) => part === '')) return undefined;
  const mapped = mappedPolicy(config, path);
  if (mapped) return { policy: mapped, matchedBy: 'path', rule: `subsystem_mappings: ${path}` };
  // A single word is not a path, so the default of everything does not apply to it.
  const last = parts.length === 1 ? 1 : 0;
  for (let length = parts.length; length >= last; length--) {
    const groups = parts.slice(0, length);
    const group = [...groups, 'default'].join('.');
    // A preset is a group too: `events.shipping` is an event.
    const policy = mappedPolicy(config, group) ?? config.policies.get(group);
    const rule = `default of ${groups.join('.') || 'all subsystems'}`;
    if (policy) return { policy, matchedBy: 'group_default', rule };
  }
  if (parts.length === 1) return undefined;
  return { policy: config.defaults, matchedBy: 'global_defaults', rule: 'global_defaults' };
}

function mappedPolicy(config: Config, path: string): ConfiguredPolicy | undefined {
  const id = config.mappings.get(path);
  return id === undefined ? undefined : config.policies.get(id);
}

function notFound(config: Config, name: string): NotFound {
  const close = nearest(name, [...config.policies.keys(), ...config.mappings.keys()]);
  const message = `No policy, category or subsystem path is called "${name}".`;
  return close === undefined ? { message } : { message, suggestion: `Did you mean "${close}"?` };
}
