import type { FieldProblem } from '@redrive/core/fields';
import { claimRate, type Rate } from './rate.ts';

const MAX_COUNT = 1_000_000;
const MAX_PER_MS = 31 * 86_400_000;
const MAX_RATES = 10;
const FIELDS = ['limit', 'perMs', 'by', 'burst'] satisfies (keyof Rate)[];

/** A rate, several, or a function that is asked before every claim. */
export type Rates = Rate | readonly Rate[] | (() => Rate | readonly Rate[] | undefined);

/** What is wrong with the rates of a handler or a queue. */
export function rateProblems(field: string, given: unknown): FieldProblem[] {
  if (given === undefined || typeof given === 'function') return [];
  const all: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (all.length > MAX_RATES) {
    return [{ field, message: `${field} may have at most ${MAX_RATES} rates` }];
  }
  const problems = all.flatMap((rate, index) =>
    problemsOf(Array.isArray(given) ? `${field}[${index}]` : field, rate),
  );
  if (problems.length > 0) return problems;
  // Each has the fields of one.
  const names = (all as Rate[]).map((rate) => claimRate({ handler: '' }, rate).name);
  if (new Set(names).size === names.length) return [];
  return [{ field, message: `${field} has two rates with the same by and perMs` }];
}

function problemsOf(field: string, rate: unknown): FieldProblem[] {
  if (typeof rate !== 'object' || rate === null || Array.isArray(rate)) {
    return [{ field, message: `${field} must be { limit, perMs, by, burst }` }];
  }
  const { limit, perMs, by, burst }: Readonly<Record<string, unknown>> = { ...rate };
  const unknown = Object.keys(rate).filter((name) => !(FIELDS as string[]).includes(name));
  const whole = (name: string, value: unknown, max: number): FieldProblem[] =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max
      ? []
      : [
          {
            field: `${field}.${name}`,
            message: `${field}.${name} must be a whole number from 1 to ${max}`,
          },
        ];
  return [
    ...unknown.map((name) => ({
      field: `${field}.${name}`,
      message: `${field}.${name} is unknown (known: ${FIELDS.join(', ')})`,
    })),
    ...whole('limit', limit, MAX_COUNT),
    ...whole('perMs', perMs, MAX_PER_MS),
    ...(burst === undefined ? [] : whole('burst', burst, MAX_COUNT)),
    ...(by === undefined || by === 'handler' || by === 'tenant' || by === 'key'
      ? []
      : [{ field: `${field}.by`, message: `${field}.by must be handler, tenant or key` }]),
  ];
}

/** Rates as a list, asked for anew where they are a function. `undefined`: they cannot be used. */
export function ratesNow(given: Rates | undefined): readonly Rate[] | undefined {
  try {
    const found = typeof given === 'function' ? given() : given;
    if (rateProblems('rate', found).length > 0) return undefined;
    return found === undefined ? [] : [found].flat();
  } catch {
    return undefined;
  }
}
