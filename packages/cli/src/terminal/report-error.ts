import { isRefusal, type RefusalKind } from '@redrive/operate/manifest';
import { CliError, EXIT, type ExitCode, type ExitName } from './exit-codes.ts';
import type { Io } from './io.ts';
import { printable, safeJson } from './printable.ts';

/** Says on stderr what went wrong and what to do, in words or as one JSON object, and answers with the exit code. */
export function reportError(io: Io, error: unknown, asJson: boolean): ExitCode {
  const { exit, message, hint } = describeError(error);
  if (asJson) {
    const shown = { code: exit, message, hint: hint ?? null };
    io.stderr(`${safeJson(JSON.stringify({ error: shown }))}\n`);
  } else {
    const { paint } = io.errorScreen;
    const lines = printable(message).replaceAll('\\x0a', '\n');
    io.stderr(`${paint('red', 'redrive:')} ${lines}\n`);
    if (hint !== undefined) io.stderr(`${printable(hint)}\n`);
  }
  return EXIT[exit];
}

/** How commands end with errors of Redrive's packages. Those that are not here have `failed`. */
const EXIT_OF: Readonly<Record<string, ExitName>> = {
  invalid_option: 'usage',
  invalid_job: 'usage',
  payload_too_large: 'refused',
  unknown_handler: 'no_match',
  job_not_found: 'no_match',
  batch_not_found: 'no_match',
  unique_conflict: 'conflict',
  idempotency_conflict: 'conflict',
  operation_conflict: 'conflict',
  not_a_dead_letter: 'conflict',
  operation_not_found: 'no_match',
  cause_rule_not_found: 'no_match',
  control_conflict: 'conflict',
  wait_timeout: 'timed_out',
  store_unavailable: 'unreachable',
  store_not_found: 'unreachable',
  schema_too_old: 'unreachable',
  store_forbidden: 'not_permitted',
};

/** The exit code of an error code of Redrive's packages. */
export function exitOf(code: string): ExitName {
  return EXIT_OF[code] ?? 'failed';
}

/** How a command ends if its action refuses. */
const EXIT_OF_REFUSAL: Readonly<Record<RefusalKind, ExitName>> = {
  invalid_input: 'usage',
  not_found: 'no_match',
  not_confirmed: 'refused',
  refused: 'refused',
  not_allowed: 'not_permitted',
  conflict: 'conflict',
};

/** Hints for a person at a command line, by error code. */
const HINTS: Readonly<Record<string, string>> = {
  store_not_found: 'To look elsewhere, use --store, REDRIVE_STORE or the configuration.',
};

interface DescribedError {
  readonly exit: ExitName;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** How a command ends with an error, and what it says. */
export function describeError(error: unknown): DescribedError {
  if (error instanceof CliError) return error;
  if (isRefusal(error)) {
    return { exit: EXIT_OF_REFUSAL[error.kind], message: error.message, hint: error.hint };
  }
  if (!(error instanceof Error)) return { exit: 'failed', message: String(error) };
  // By the code alone: asking core would load it for every command that fails.
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const { hint = HINTS[code] } = Object('details' in error && error.details) as { hint?: unknown };
  return {
    exit: exitOf(code),
    message: error.message,
    hint: typeof hint === 'string' ? hint : undefined,
  };
}
