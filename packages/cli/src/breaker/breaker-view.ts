import { nearest } from '@redrive/core/fields';
import type { ControlOverview, NamedBreaker } from '@redrive/durable/control';
import { CliError } from '../terminal/cli-error.ts';

/** @throws CliError with the exit code 3, and with the names that there are. */
export function findBreaker(
  { breakers }: Pick<ControlOverview, 'breakers'>,
  dependency: string,
): NamedBreaker {
  const found = breakers.find((each) => each.dependency === dependency);
  if (found !== undefined) return found;
  const names = breakers.map((each) => each.dependency);
  throw new CliError(
    'no_match',
    `The dependency ${dependency} has no breaker.`,
    hintFor(dependency, names),
  );
}

/** A suggestion for a dependency that has no breaker. */
export function hintFor(dependency: string, names: readonly string[]): string {
  const close = nearest(dependency, names);
  if (close !== undefined) return `Did you mean ${close}?`;
  return names.length === 0
    ? 'A breaker is created when a job with this dependency fails, or when an operator forces it.'
    : `Dependencies with a breaker: ${names.slice(0, 20).join(', ')}.`;
}
