import { RedriveError } from '@redrive/core';
import type { BusProblem, BusSource } from '../event/bus.ts';

/** A check of a source: whether it has the problem, the problem, the remedy. */
export type BusRule = readonly [applies: boolean, problem: string, remedy: string];

/** The problems among these rules. */
export function busProblems(
  severity: BusProblem['severity'],
  rules: readonly BusRule[],
): BusProblem[] {
  const applying = rules.filter(([applies]) => applies);
  return applying.map(([, problem, remedy]) => ({ severity, problem, remedy }));
}

/** @throws RedriveError `bus_refused` with all errors among the problems, where there is one. */
export function refuseErrors(
  bus: string,
  { name }: Pick<BusSource, 'name'>,
  problems: readonly BusProblem[],
): void {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return;
  const text = errors.map(({ problem, remedy }) => `${problem}. ${remedy}`).join(' ');
  throw new RedriveError('bus_refused', `Source ${name} cannot be consumed from ${bus}. ${text}`, {
    bus,
    source: name,
    problems: errors,
  });
}
