import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Clock } from '@redrive/core';
import { type Captured, captureEnd, captureStart } from './captured-output.ts';

export interface Program {
  readonly command: readonly [file: string, ...args: string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: string | Uint8Array;
  readonly maxStdoutBytes: number;
  readonly maxStderrBytes: number;
  /** When it aborts, the program is killed. */
  readonly signal: AbortSignal;
  /** Time from SIGTERM to SIGKILL. */
  readonly killAfterMs: number;
  readonly clock: Clock;
}

export interface ProgramExit {
  readonly kind: 'exited';
  /** `null`: the signal `killedBy` killed it. */
  readonly exitCode: number | null;
  readonly killedBy: NodeJS.Signals | null;
  readonly stdout: Captured;
  readonly stderr: Captured;
}

/** There is no such program, it may not be run, or the machine has no room for it. */
export interface NotStarted {
  readonly kind: 'not_started';
  readonly error: NodeJS.ErrnoException;
}

/** The time that a process outside the group may keep the pipes open. After it they are closed. */
const PIPES_CLOSE_WITHIN_MS = 500;

/**
 * Runs a program to its end: gives it its input, keeps what fits of its output, and leaves nothing of it behind. It leads
 * a process group of its own, so that its children go with it: at an abort by SIGTERM and then SIGKILL, and when it has
 * exited by SIGKILL at once, because what goes on after the attempt is over belongs to nobody.
 */
export async function runProgram(program: Program): Promise<ProgramExit | NotStarted> {
  const [file, ...args] = program.command;
  const { cwd, env } = program;
  try {
    const child = spawn(file, args, { cwd, env, detached: HAS_GROUPS, windowsHide: true });
    // Without a process there is no pid, and an 'error' comes.
    return child.pid === undefined
      ? await failedStart(child)
      : await waitForExit(child, child.pid, program);
  } catch (error) {
    // Most system errors come as an event, some (E2BIG) are thrown.
    if (isSystemError(error)) return { kind: 'not_started', error };
    throw error;
  }
}

function failedStart(child: ChildProcessWithoutNullStreams): Promise<NotStarted> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ kind: 'not_started', error }));
  });
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

async function waitForExit(
  child: ChildProcessWithoutNullStreams,
  pid: number,
  { signal, stdin, clock, killAfterMs, maxStdoutBytes, maxStderrBytes }: Program,
): Promise<ProgramExit> {
  const forget = rememberGroup(pid);
  const stdout = captureStart(child.stdout, maxStdoutBytes);
  const stderr = captureEnd(child.stderr, maxStderrBytes);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  // A program may end or close its input without having read it all (EPIPE): that is its own business.
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  const timer = stopOnAbort(pid, signal, clock, killAfterMs);
  try {
    const [exitCode, killedBy] = await exitOf(child);
    signalGroup(pid, 'SIGKILL');
    await settledWithin(closed, PIPES_CLOSE_WITHIN_MS, clock);
    return { kind: 'exited', exitCode, killedBy, stdout: stdout(), stderr: stderr() };
  } finally {
    timer.cancel();
    for (const pipe of child.stdio) pipe?.destroy();
    forget();
  }
}

function exitOf(
  child: ChildProcessWithoutNullStreams,
): Promise<[exitCode: number | null, killedBy: NodeJS.Signals | null]> {
  return new Promise((resolve) => {
    child.once('exit', (exitCode, killedBy) => resolve([exitCode, killedBy]));
  });
}

/** First asks, then insists. */
function stopOnAbort(
  pid: number,
  signal: AbortSignal,
  clock: Clock,
  killAfterMs: number,
): { cancel(): void } {
  let timer: ReturnType<Clock['setTimer']> | undefined;
  const stop = () => {
    signalGroup(pid, 'SIGTERM');
    timer = clock.setTimer(killAfterMs, () => signalGroup(pid, 'SIGKILL'));
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return {
    cancel() {
      signal.removeEventListener('abort', stop);
      timer?.cancel();
    },
  };
}

async function settledWithin(done: Promise<void>, limitMs: number, clock: Clock): Promise<void> {
  let stopWaiting = (): void => {};
  const late = new Promise<void>((resolve) => {
    stopWaiting = resolve;
  });
  const timer = clock.setTimer(limitMs, stopWaiting);
  await Promise.race([done, late]);
  timer.cancel();
}

/** The groups that run now. One listener kills them all when this process exits without having waited for them. */
const running = new Set<number>();

function killAll(): void {
  for (const pid of running) signalGroup(pid, 'SIGKILL');
}

/** Remembers a program that leads its own group, until the answer is called. */
function rememberGroup(pid: number): () => void {
  if (running.size === 0) process.on('exit', killAll);
  running.add(pid);
  return () => {
    running.delete(pid);
    if (running.size === 0) process.off('exit', killAll);
  };
}

/** Sends a signal to a program and all its children. Nothing happens when they are gone. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(HAS_GROUPS ? -pid : pid, signal);
  } catch {
    // ESRCH: nobody is left. EPERM: on macOS, everybody who is left has exited but was not yet waited for.
  }
}

/** Windows has no process groups: only the program itself is killed there. */
const HAS_GROUPS = process.platform !== 'win32';
