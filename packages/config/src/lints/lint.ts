import type { Problem } from '../problem/problem.ts';
import { lintHandlers } from './lint-handlers.ts';
import type { LintInput } from './lint-input.ts';
import { lintJitter } from './lint-jitter.ts';
import { lintLoad } from './lint-load.ts';
import { lintStuckThreshold } from './lint-stuck-threshold.ts';
import { lintTtl } from './lint-ttl.ts';

/** Warns of what is valid and yet will not do what people expect of it. Only of what the file itself says. */
export function lint(input: LintInput): Problem[] {
  return [lintJitter, lintTtl, lintLoad, lintHandlers, lintStuckThreshold].flatMap((one) =>
    one(input),
  );
}
