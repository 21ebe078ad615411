import { type Clock, type FieldProblem, RedriveError, systemClock } from '@redrive/core';
import type { WatchConfigOptions } from './config-watcher.ts';
import { localActor } from './local-actor.ts';

/** The options with their defaults. */
export interface ResolvedWatchOptions extends WatchConfigOptions {
  readonly clock: Clock;
  readonly debounceMs: number;
  readonly pollMs: number;
  readonly maxChanges: number;
  readonly actor: string;
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
  const number = (field: keyof typeof NUMBERS): number => {
    const [fallback, min, max] = NUMBERS[field];
    const value = options[field] ?? fallback;
    if (!(value >= min && value <= max)) {
      problems.push({
        field,
        message: `${field} must be a number from ${min} to ${max}, not ${value}`,
      });
    }
    return value;
  };
  if (typeof options.file !== 'string' || options.file === '') {
    problems.push({ field: 'file', message: 'file must name the configuration file' });
  }
  const resolved: ResolvedWatchOptions = {
    ...options,
    clock: options.clock ?? systemClock,
    debounceMs: number('debounceMs'),
    pollMs: number('pollMs'),
    maxChanges: number('maxChanges'),
    actor: options.actor ?? localActor(),
    keepAlive: options.keepAlive ?? false,
    // Kept, because the process may change its working directory later.
    directory: options.directory ?? process.cwd(),
  };
  if (problems.length === 0) return resolved;
  const text = problems.map(({ message }) => message).join('; ');
  throw new RedriveError('invalid_option', `Invalid watch options: ${text}.`, { problems });
}
