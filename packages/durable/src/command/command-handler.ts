import { type Clock, RedriveError, systemClock } from '@redrive/core';
import { aClock, type OptionTable, resolveOptions } from '@redrive/core/fields';
import { MAX_TIMER_MS } from '@redrive/core/stored';
import type { HandlerDefinition, HandlerOptions } from '../handler/handler.ts';
import { ABORT_GRACE_MS, type JobContext } from '../handler/job-context.ts';
import { STDERR_TAIL_BYTES } from './captured-output.ts';
import { MAX_STDOUT_BYTES, readExit, readFailedStart } from './read-exit.ts';
import { type NotStarted, type Program, type ProgramExit, runProgram } from './run-program.ts';

export interface CommandOptions {
  /** The program and its arguments. It is started as it is, not through a shell. */
  readonly command: readonly string[];
  /** Where it runs. Default: the worker's directory. */
  readonly cwd?: string | undefined;
  /** Added to the worker's own environment, which it gets too. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Kills it after this time. Default: never; the policy's `attemptTimeoutMs` and the job's deadline kill it too. */
  readonly timeoutMs?: number | undefined;
  /** Time from SIGTERM to SIGKILL, 0 to 1,500. Default 1,000. */
  readonly killAfterMs?: number | undefined;
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
}

/** It must be gone, with some to spare, before the worker waits no longer: else its next run could begin beside it. */
const MAX_KILL_AFTER_MS = ABORT_GRACE_MS - 500;

const OPTIONS: OptionTable<CommandOptions> = {
  command: [null, { kind: 'list', of: ['string'] }],
  cwd: [undefined, { kind: 'string' }],
  env: [undefined],
  timeoutMs: [undefined, { kind: 'number', min: 1, max: MAX_TIMER_MS }],
  killAfterMs: [1_000, { kind: 'number', min: 0, max: MAX_KILL_AFTER_MS }],
  clock: [systemClock, aClock],
};

/**
 * A handler that runs a program for each job.
 *
 * - The payload is on stdin: JSON, or the bytes as they are.
 * - The environment has `REDRIVE_JOB_ID`, `REDRIVE_ATTEMPT`, `REDRIVE_TOKEN`, `REDRIVE_IDEMPOTENCY_KEY` and, where the job
 *   has a deadline, `REDRIVE_DEADLINE` (ISO 8601).
 * - Exit 0 is success. JSON on stdout, at most 1 MiB, is the result; other text is kept as a text; of more than 1 MiB
 *   only the beginning is kept, with a mark.
 * - Exit 64, 65, 66, 77, 78, 126 and 127 are final, 75 is rate-limited (`{"retry_after_ms": n}` on stdout says for how
 *   long), and everything else is retryable. The end of stderr is the error's message.
 * - At the timeout, the deadline, a lost lease or a stop the program is killed with its children: SIGTERM, then SIGKILL.
 *   Such an attempt is never a success, with any exit code. Children that the program leaves behind are killed, too.
 *
 * @param options of the command, and those of any handler.
 * @throws RedriveError `invalid_option` with every problem at once.
 */
export function commandHandler<P = unknown, R = unknown>(
  options: CommandOptions & HandlerOptions<P>,
): HandlerDefinition<P, R> {
  const { command, handlerOptions } = splitCommand(options);
  return {
    ...handlerOptions,
    // The caller names the type of a program's output: it cannot be checked here.
    run: async (payload, context) => (await runCommand(command, payload, context)) as R,
  };
}

export type ResolvedCommand = Required<CommandOptions>;

/**
 * The options of the command, checked, and the others.
 *
 * @throws RedriveError `invalid_option` with every problem at once.
 */
export function splitCommand<O extends CommandOptions>(options: O) {
  const { command, cwd, env, timeoutMs, killAfterMs, clock, ...handlerOptions } = options;
  const given = { command, cwd, env, timeoutMs, killAfterMs, clock };
  const resolved: ResolvedCommand = resolveOptions(
    'command',
    given,
    OPTIONS,
    'invalid_option',
    wrongOption,
  );
  return { command: resolved, handlerOptions };
}

function wrongOption({ command, env }: Readonly<Record<string, unknown>>) {
  // A value that is not a list of texts has been reported already.
  if (Array.isArray(command) && (command.length === 0 || command[0] === '')) {
    return { field: 'command', message: 'command must name a program' };
  }
  const isPlain = typeof env === 'object' && env !== null;
  if (
    env === undefined ||
    (isPlain && Object.values(env).every((one) => typeof one === 'string'))
  ) {
    return undefined;
  }
  return { field: 'env', message: 'env must be an object of texts' };
}

async function runCommand(
  options: ResolvedCommand,
  payload: unknown,
  context: JobContext,
): Promise<unknown> {
  const exit = await execute(options, {
    stdin: payload instanceof Uint8Array ? payload : (JSON.stringify(payload) ?? ''),
    maxStdoutBytes: MAX_STDOUT_BYTES,
    signal: context.signal,
    variables: jobVariables(context),
  });
  const [file = ''] = options.command;
  if (exit.kind !== 'not_started') return readExit(exit);
  return readFailedStart(exit.error, file, options.cwd ?? process.cwd());
}

interface Execution extends Pick<Program, 'stdin' | 'maxStdoutBytes' | 'signal'> {
  /** Added to the environment. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Runs the program once. Throws the reason if it was told to stop meanwhile. */
export async function execute(
  options: ResolvedCommand,
  { stdin, maxStdoutBytes, variables, signal: given }: Execution,
): Promise<ProgramExit | NotStarted> {
  const { cwd = process.cwd(), env, timeoutMs, killAfterMs, clock = systemClock } = options;
  const [file = '', ...args] = options.command;
  given.throwIfAborted();
  const timeout = timeLimit(timeoutMs, clock, file);
  const signal = AbortSignal.any([given, timeout.signal]);
  const exit = await runProgram({
    command: [file, ...args],
    cwd,
    env: { ...process.env, ...env, ...variables },
    stdin,
    maxStdoutBytes,
    maxStderrBytes: STDERR_TAIL_BYTES,
    signal,
    killAfterMs: killAfterMs ?? 0,
    clock,
  }).finally(timeout.cancel);
  // A program that got a signal to stop may well exit with 0 without having done its work.
  if (exit.kind === 'exited') signal.throwIfAborted();
  return exit;
}

function timeLimit(timeoutMs: number | undefined, clock: Clock, file: string) {
  const controller = new AbortController();
  const message = `The command ${file} took longer than ${timeoutMs} ms and was killed.`;
  const timer =
    timeoutMs === undefined
      ? undefined
      : clock.setTimer(timeoutMs, () =>
          controller.abort(new RedriveError('attempt_timeout', message, { timeoutMs })),
        );
  return { signal: controller.signal, cancel: () => timer?.cancel() };
}

function jobVariables(context: JobContext): Record<string, string | undefined> {
  const { jobId, attempt, token, idempotencyKey, deadlineMs } = context;
  return {
    REDRIVE_JOB_ID: jobId,
    REDRIVE_ATTEMPT: String(attempt),
    REDRIVE_TOKEN: String(token),
    REDRIVE_IDEMPOTENCY_KEY: idempotencyKey,
    // Undefined takes it out, should the worker itself have been started with one.
    REDRIVE_DEADLINE: deadlineMs === undefined ? undefined : new Date(deadlineMs).toISOString(),
  };
}
