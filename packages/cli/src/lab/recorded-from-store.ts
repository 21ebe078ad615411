import type { Config } from '@redrive/config';
import { handlerDependencies } from '@redrive/config/documents';
import { systemClock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import { type RecordedAttempt, recordedAttempts } from '@redrive/durable/audit';
import { type Recorded, recordedOf } from '@redrive/lab';
import type { Invocation } from '../command/command-spec.ts';
import { textOption, timeOption } from '../command/option-values.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { progress } from '../terminal/progress.ts';

export interface Window {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** `--since` and `--until`. @throws CliError with the exit code 2. */
export function windowOf({ io, options }: Invocation, defaultMs: number): Window {
  const nowMs = (io.clock ?? systemClock).now();
  const sinceMs = timeOption(options, 'since', nowMs) ?? nowMs - defaultMs;
  const untilMs = timeOption(options, 'until', nowMs) ?? nowMs;
  if (sinceMs >= untilMs) throw new CliError('usage', '--since must be before --until.');
  return { sinceMs, untilMs };
}

export interface FromStoreOptions {
  readonly window: Window;
  readonly config: Config;
  readonly signal: AbortSignal;
  /** Also when successful attempts of jobs began. */
  readonly starts?: boolean;
}

/** The attempts of a window, each with its line of a recording. The sessions of lines have their own ids. */
export async function* recordedFromStore(
  { io, options }: Invocation,
  store: FullStore,
  { window, config, signal, starts = false }: FromStoreOptions,
): AsyncGenerator<{ readonly attempt: RecordedAttempt; readonly line: Recorded }> {
  const clock = io.clock ?? systemClock;
  const wanted = textOption(options, 'dependency');
  const dependencies = handlerDependencies(config);
  const shown = progress(io, 'records');
  const onProgress = (records: number, share: number) => shown.update(records, share);
  try {
    const all = recordedAttempts(store, { ...window, clock, signal, onProgress, starts });
    for await (const attempt of all) {
      const { handler } = attempt;
      const dependency = attempt.dependency || dependencies(handler, attempt.policyId);
      if (wanted !== undefined && dependency !== wanted) continue;
      yield { attempt, line: recordedOf(attempt, dependency) };
    }
  } catch (error) {
    // Ctrl-C: what was read so far is the result.
    if (!signal.aborted) throw error;
  } finally {
    shown.end();
  }
}
