import type { Clock } from '@redrive/core';
import { type LoadedConfig, type LoadOptions, loadConfig } from '../load-config.ts';
import { type Problem, WHOLE_FILE } from '../problem/problem.ts';

/** A file system that has not answered by then is taken for gone; a network mount may hang for hours. */
export const LOAD_TIMEOUT_MS = 10_000;

/** `loadConfig` that always answers: a file system that hangs and a defect are problems like any other. */
export async function loadWithin(
  clock: Clock,
  options: LoadOptions & { readonly file: string },
  load: (options: LoadOptions) => Promise<LoadedConfig> = loadConfig,
): Promise<LoadedConfig> {
  const { promise: late, resolve: giveUp } = Promise.withResolvers<LoadedConfig>();
  const timer = clock.setTimer(LOAD_TIMEOUT_MS, () => {
    giveUp(failed(options.file, `reading took more than ${LOAD_TIMEOUT_MS / 1_000} s`));
  });
  timer.hold(false);
  try {
    return await Promise.race([load(options), late]);
  } catch (error) {
    return failed(options.file, error instanceof Error ? error.message : String(error));
  } finally {
    timer.cancel();
  }
}

function failed(file: string, reason: string): LoadedConfig {
  const problem: Problem = {
    severity: 'error',
    code: 'unreadable_file',
    ...WHOLE_FILE,
    file,
    message: `${file} cannot be read: ${reason}`,
  };
  return { problems: [problem], files: [] };
}
