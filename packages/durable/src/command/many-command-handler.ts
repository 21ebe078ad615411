import { RedriveError } from '@redrive/core';
import type { HandlerOptions, ManyHandlerDefinition } from '../handler/handler.ts';
import type { ManyContext, OneOfMany } from '../handler/take-many.ts';
import { final, retryAfter } from '../handler/verdict.ts';
import {
  type CommandOptions,
  execute,
  type ResolvedCommand,
  splitCommand,
} from './command-handler.ts';
import { MAX_STDOUT_BYTES, readExit, readFailedStart } from './read-exit.ts';
import type { ProgramExit } from './run-program.ts';

/** The output of one call: lines beyond it are lost, and their jobs have no result. */
const MAX_LINES_BYTES = 16 * MAX_STDOUT_BYTES;

/**
 * A handler that runs a program for many jobs: JSON lines in, JSON lines out.
 *
 * - stdin has a line per job: `{"job_id", "attempt", "token", "idempotency_key", "deadline", "payload"}`; `deadline` is in
 *   ISO 8601 or null, and bytes are in `payload_base64` instead of `payload`.
 * - stdout has a line per job, in any order: `{"job_id", "result"}`, or `{"job_id", "error"}` with a message. An error is
 *   retryable unless the line has `"class": "final"` or a `"retry_after_ms"`. Other lines are ignored; the last line of a
 *   job counts.
 * - A job without a line fails: with exit 0 as `result_missing`, otherwise as the exit of a `commandHandler` says.
 * - The program is killed when every job of the call is to stop, and at its `timeoutMs`.
 *
 * @param options of the command, those of a handler that takes many, and those of any handler.
 * @throws RedriveError `invalid_option` with every problem at once.
 */
export function manyCommandHandler<P = unknown, R = unknown>(
  options: CommandOptions &
    HandlerOptions<P> &
    Pick<ManyHandlerDefinition<P, R>, 'upTo' | 'waitMs'>,
): ManyHandlerDefinition<P, R> {
  const { command, handlerOptions } = splitCommand(options);
  return {
    ...handlerOptions,
    // The caller names the type of a program's output: it cannot be checked here.
    runMany: async (jobs, context) => (await runLines(command, jobs, context)) as (R | Error)[],
  };
}

async function runLines(
  options: ResolvedCommand,
  jobs: readonly OneOfMany<unknown>[],
  { signal }: ManyContext,
): Promise<unknown[]> {
  const exit = await execute(options, {
    stdin: jobs.map((job) => `${JSON.stringify(lineOf(job))}\n`).join(''),
    maxStdoutBytes: MAX_LINES_BYTES,
    signal,
    variables: {},
  });
  if (exit.kind === 'not_started') {
    const [file = ''] = options.command;
    const verdict = readFailedStart(exit.error, file, options.cwd ?? process.cwd());
    return jobs.map(() => verdict);
  }
  const answers = answersIn(new TextDecoder().decode(exit.stdout.bytes));
  const otherwise = resultWithoutLine(exit);
  return jobs.map(({ context: { jobId } }) => {
    const answer = answers.get(jobId);
    return answer === undefined ? otherwise(jobId) : resultOf(answer);
  });
}

function lineOf({ payload, context }: OneOfMany<unknown>): Readonly<Record<string, unknown>> {
  const { jobId, attempt, token, idempotencyKey, deadlineMs } = context;
  return {
    job_id: jobId,
    attempt,
    token,
    idempotency_key: idempotencyKey,
    deadline: deadlineMs === undefined ? null : new Date(deadlineMs).toISOString(),
    ...(payload instanceof Uint8Array
      ? { payload_base64: Buffer.from(payload).toString('base64') }
      : { payload }),
  };
}

type Answer = Readonly<Record<string, unknown>>;

/** The lines that are about a job, by its id. */
function answersIn(stdout: string): ReadonlyMap<unknown, Answer> {
  const answers = new Map<unknown, Answer>();
  for (const line of stdout.split('\n')) {
    const answer = readLine(line);
    if (answer !== undefined) answers.set(answer.job_id, answer);
  }
  return answers;
}

function readLine(line: string): Answer | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Answer; // It begins with a brace, so it is an object.
  } catch {
    return undefined;
  }
}

function resultOf({ result, error, class: errorClass, retry_after_ms: waitMs }: Answer): unknown {
  if (error === undefined || error === null) return result;
  const message = typeof error === 'string' ? error : JSON.stringify(error);
  if (errorClass === 'final') return final(message);
  const hasHint = typeof waitMs === 'number' && waitMs >= 0 && Number.isFinite(waitMs);
  return hasHint ? retryAfter(waitMs, message) : new Error(message);
}

/** What becomes of jobs that the program wrote no line about. */
function resultWithoutLine(exit: ProgramExit): (jobId: string) => unknown {
  if (exit.exitCode === 0) {
    return (jobId) =>
      new RedriveError('result_missing', `The command wrote no line for job ${jobId}`, { jobId });
  }
  try {
    const verdict = readExit(exit);
    return () => verdict;
  } catch (error) {
    return () => error;
  }
}
