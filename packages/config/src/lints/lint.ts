import type { Problem } from '../problem/problem.ts';
import { lintHandlers } from './lint-handlers.ts';
import type { LintInput } from './lint-input.ts';
import { lintJitter } from './lint-jitter.ts';
import { lintLoad } from './lint-load.ts';
import { lintStuckThreshold } from './lint-stuck-threshold.ts';
import { lintTtl } from './lint-ttl.ts';

/** Warns of valid values that do not do what people expect of them. Values from outside the file are not linted. */
export function lint(input: LintInput): Problem[] {
  return [lintJitter, lintTtl, lintLoad, lintHandlers, lintStuckThreshold].flatMap((one) =>
    one(input),
  );
}
