import { hostname, userInfo } from 'node:os';
import { type Clock, systemClock } from '@redrive/core';
import { type FieldProblem, refuse } from '@redrive/core/fields';
import type { WatchConfigOptions } from './config-watcher.ts';

/** The options with their defaults. */
export interface ResolvedWatchOptions extends WatchConfigOptions {
  readonly clock: Clock;
  readonly debounceMs: number;
  readonly pollMs: number;
  readonly maxChanges: number;
  readonly keepAlive: boolean;
  readonly directory: string;
}

/** Default, least and most. */
const NUMBERS = {
  debounceMs: [100, 0, 60_000],
  pollMs: [2_000, 10, 3_600_000],
  maxChanges: [100, 0, 10_000],
} as const;

/** @throws RedriveError `invalid_option` with every problem at once. */
export function resolveWatchOptions(options: WatchConfigOptions): ResolvedWatchOptions {
  const problems: FieldProblem[] = [];
  if (typeof options.file !== 'string' || options.file === '')
    problems.push({ field: 'file', message: 'file must name the configuration file' });
  const number = (field: keyof typeof NUMBERS): number => {
    const [fallback, min, max] = NUMBERS[field];
    const value = options[field] ?? fallback;
    const message = `${field} must be a number from ${min} to ${max}, not ${value}`;
    if (!(value >= min && value <= max)) problems.push({ field, message });
    return value;
  };
  const resolved: ResolvedWatchOptions = {
    ...options,
    clock: options.clock ?? systemClock,
    debounceMs: number('debounceMs'),
    pollMs: number('pollMs'),
    maxChanges: number('maxChanges'),
    keepAlive: options.keepAlive ?? false,
    // Kept, because the process may change its working directory later.
    directory: options.directory ?? process.cwd(),
  };
  refuse('invalid_option', 'watch options', problems);
  return resolved;
}

/** `user@host` of this process. In a container the user may have a number only. */
export function localActor(): string {
  return `${userName()}@${hostname()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}
