import { existsSync } from 'node:fs';
import { final, retryAfter, type Verdict } from '../handler/verdict.ts';
import { type Captured, stderrMessage } from './captured-output.ts';
import type { ProgramExit } from './run-program.ts';

/** The most bytes in the result of a command or of a request. */
export const MAX_STDOUT_BYTES = 1_048_576;

/** Wrong usage, data, input, permission, configuration (sysexits.h), and what shells answer for a program that cannot be run or found. */
const FINAL_CODES: readonly (number | null)[] = [64, 65, 66, 77, 78, 126, 127];

/** EX_TEMPFAIL: not now. */
const RATE_LIMITED_CODE = 75;

/** Stands for a result that was too large to be kept. The work was done, so it is not a failure. */
export interface OutputTooLarge {
  readonly redrive: 'output_too_large';
  readonly bytes: number;
  readonly max_bytes: number;
  /** How it begins. */
  readonly start: string;
}

/**
 * The meaning of a command's exit: a result, a verdict, or an error that is thrown and classified like any other.
 *
 * | exit | meaning |
 * |---|---|
 * | 0 | success; stdout is the result |
 * | 64, 65, 66, 77, 78, 126, 127 | final |
 * | 75 | rate-limited; `{"retry_after_ms": n}` on stdout says for how long |
 * | anything else, or a signal | retryable |
 */
export function readExit(exit: ProgramExit): unknown | Verdict {
  const { exitCode, stdout } = exit;
  if (exitCode === 0) return resultOf(stdout);
  const message = messageOf(exit);
  if (FINAL_CODES.includes(exitCode)) return final(message);
  const code = exitCode === null ? String(exit.killedBy) : `EXIT_${exitCode}`;
  if (exitCode !== RATE_LIMITED_CODE) throw new CommandError(code, message);
  const retryAfterMs = readHint(stdout);
  if (retryAfterMs === undefined) throw new CommandError(code, message, 429);
  return retryAfter(retryAfterMs, message);
}

/** A final error where no further attempt can help. A temporary lack of the machine (memory, processes) is thrown. */
export function readFailedStart(error: NodeJS.ErrnoException, file: string, cwd: string): Verdict {
  // The system reports a missing directory as a missing program.
  if (error.code === 'ENOENT' && !existsSync(cwd)) {
    return final(`The directory ${cwd} of the command ${file} does not exist`);
  }
  switch (error.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return final(`The command ${file} was not found (in ${cwd}, or on the PATH)`);
    case 'EACCES':
      return final(`The command ${file} may not be executed: is it a file with the x permission?`);
    default:
      throw error;
  }
}

function resultOf({ bytes, totalBytes }: Captured): unknown {
  return readResult(new TextDecoder().decode(bytes), totalBytes);
}

/** JSON; text that is not JSON as a text; nothing where there is no text. */
export function readResult(text: string, totalBytes: number): unknown {
  if (totalBytes > MAX_STDOUT_BYTES) return tooLarge(totalBytes, text);
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    // A value that is nested too deeply to be written again stays a text.
    JSON.stringify(value);
    return value;
  } catch {
    return text;
  }
}

function tooLarge(bytes: number, text: string): OutputTooLarge {
  const start = `${text.slice(0, 1_000)}…`;
  return { redrive: 'output_too_large', bytes, max_bytes: MAX_STDOUT_BYTES, start };
}

function readHint(stdout: Captured): number | undefined {
  const result = resultOf(stdout);
  if (typeof result !== 'object' || result === null) return undefined;
  const hint = 'retry_after_ms' in result ? result.retry_after_ms : undefined;
  return typeof hint === 'number' && hint >= 0 && Number.isFinite(hint) ? hint : undefined;
}

function messageOf({ exitCode, killedBy, stderr }: ProgramExit): string {
  const how = exitCode === null ? `killed by ${killedBy}` : `exit code ${exitCode}`;
  const said = stderrMessage(stderr);
  return said === '' ? `The command wrote nothing to stderr (${how})` : `${said} (${how})`;
}

/**
 * How a command failed. Its `code` is `EXIT_<n>` or the signal's name, so that a policy's lists can name it; its message
 * is the end of what it wrote to stderr.
 */
class CommandError extends Error {
  override readonly name: string = 'CommandError';
  readonly code: string;
  /** 429 for a command that was rate-limited: by this, core's rules know what it is. */
  readonly status?: number;

  constructor(code: string, message: string, status?: number) {
    super(message);
    this.code = code;
    if (status !== undefined) this.status = status;
  }
}
