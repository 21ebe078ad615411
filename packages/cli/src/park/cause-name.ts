import { nearest } from '@redrive/core/fields';
import type { ParkedJobs } from '@redrive/durable/control';
import { causeName } from '@redrive/durable/store';
import { CliError } from '../terminal/cli-error.ts';

/**
 * The jobs that are parked under a cause, by either of its names. @throws CliError with the exit code 3 and the causes.
 */
export function findCause(parked: readonly ParkedJobs[], given: string): ParkedJobs {
  const found = parked.find(({ cause }) => cause === given || causeName(cause) === given);
  if (found !== undefined) return found;
  const names = parked.map(({ cause }) => causeName(cause));
  // `bank` alone may well mean `breaker:bank`.
  const close = names.find((name) => name.endsWith(`:${given}`)) ?? nearest(given, names);
  const hint =
    close !== undefined
      ? `Did you mean ${close}?`
      : names.length === 0
        ? 'No job is parked.'
        : `Jobs are parked under ${names.slice(0, 20).join(', ')}.`;
  throw new CliError('no_match', `No job is parked under ${given}.`, hint);
}
