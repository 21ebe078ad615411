import { RedriveError } from '@redrive/core';
import type { Config } from '../config.ts';
import { errorList, finding, type Problem, WHOLE_FILE } from '../problem/problem.ts';
import type {
  ConfigChange,
  ConfigWatcher,
  ReloadCause,
  ReloadResult,
  WatchConfigOptions,
} from './config-watcher.ts';
import { diffConfig } from './diff-config.ts';
import { loadWithin } from './load-within.ts';
import { watchFiles } from './watch-files.ts';
import { resolveWatchOptions } from './watch-options.ts';

/**
 * Keeps a configuration up to date: reads it, watches its files, and reads it again when they change, when SIGHUP comes
 * (`onSignal`) or when asked. A file that is broken, half-written, too large, forbidden or gone leaves the last good
 * configuration in force, and `onProblem` gets the problems. Does not keep the process alive unless asked.
 *
 * @throws RedriveError `invalid_config` if the first reading fails, with `details.problems`; `invalid_option`.
 */
export async function watchConfig(options: WatchConfigOptions): Promise<ConfigWatcher> {
  const resolved = resolveWatchOptions(options);
  const { clock, maxChanges, onChange, onProblem, onReload } = resolved;
  const first = await loadWithin(clock, resolved);
  if (first.config === undefined) throw refusal(first.problems);

  let current: Config = first.config;
  let { lastChange } = first;
  let changes: readonly ConfigChange[] = Object.freeze([]);
  let goodFiles = first.files;
  let reported = '[]';
  let closed = false;

  /** Reports problems once: another look at the same bad file reports nothing. */
  function report(problems: readonly Problem[]): void {
    const text = JSON.stringify(problems);
    if (text === reported) return;
    reported = text;
    if (problems.length > 0) tell('onProblem', () => onProblem?.(problems));
  }

  const readAgain = async (cause: ReloadCause, actor: string): Promise<ReloadResult> => {
    const { config, problems, files, ...read } = await loadWithin(clock, resolved);
    // A closed watcher reports no more events, not even one that was under way.
    if (closed && cause !== 'api') return { status: 'unchanged', config: current, problems };
    report(problems);
    // Of a file that cannot be read it is not known what it would name: what was watched stays watched.
    watch.follow(config === undefined ? [...new Set([...goodFiles, ...files])] : files);
    if (config === undefined) return { status: 'refused', config: current, problems };
    goodFiles = files;
    const before = current;
    // Also when it says the same: values may stand in other lines now.
    current = config;
    lastChange = read.lastChange;
    if (before.hash === config.hash) return { status: 'unchanged', config, problems };
    const change = Object.freeze<ConfigChange>({
      schema_version: 'config-change/v1',
      timestamp: new Date(clock.now()).toISOString(),
      // The user of this process only reads the file.
      actor: actor || options.actor || lastChange?.applied_by || null,
      cause,
      file: options.file,
      hash_before: before.hash,
      hash_after: config.hash,
      last_change: lastChange ?? null,
      diff: diffConfig(before, config),
    });
    changes = Object.freeze(
      [...changes, change].slice(Math.max(0, changes.length + 1 - maxChanges)),
    );
    tell('onChange', () => onChange?.(change, config));
    return { status: 'changed', change, config, problems };
  };

  const reload = oneAfterAnother(async (cause: ReloadCause, actor: string) => {
    const result = await readAgain(cause, actor);
    if (!closed) tell('onReload', () => onReload?.(result));
    return result;
  });

  const watch = watchFiles({
    ...resolved,
    onChange: () => void reload('file', ''),
    onDegraded: (code, directory) => report([degraded(code, directory)]),
  });
  watch.follow(first.files);
  report(first.problems);

  const onHangUp = () => void reload('signal', '');
  if (options.onSignal) process.on('SIGHUP', onHangUp);

  return {
    get current() {
      return current;
    },
    get lastChange() {
      return lastChange;
    },
    get changes() {
      return changes;
    },
    reload: (actor = '') => reload('api', actor),
    close() {
      closed = true;
      process.off('SIGHUP', onHangUp);
      watch.close();
    },
  };
}

function refusal(problems: readonly Problem[]): RedriveError {
  const message = `The configuration is not valid: ${errorList(problems)}.`;
  return new RedriveError('invalid_config', message, { problems });
}

function degraded(code: string, directory: string): Problem {
  const message = `The operating system does not watch ${directory} (${code}): Redrive compares the files at intervals instead`;
  const advice = 'raise the limit of file watchers, or reload with SIGHUP';
  return finding('watch_degraded', { ...WHOLE_FILE, file: directory }, message, advice);
}

/**
 * Runs a task one call at a time, in the order of the calls. A call that waits is shared by the later ones with the same
 * arguments that come right behind it, so that a flood of signals does not queue up.
 */
export function oneAfterAnother<A extends readonly string[], R>(
  task: (...args: A) => Promise<R>,
): (...args: A) => Promise<R> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting: { readonly key: string; readonly result: Promise<R> } | undefined;
  return (...args) => {
    const key = JSON.stringify(args);
    if (waiting?.key === key) return waiting.result;
    const mine = {
      key,
      result: last.then(() => {
        if (waiting === mine) waiting = undefined;
        return task(...args);
      }),
    };
    waiting = mine;
    last = mine.result.catch(() => {});
    return mine.result;
  };
}

/** Calls a listener. What it throws, now or later, is its own affair: it is shown as a warning and stops nothing. */
function tell(name: string, call: () => unknown): void {
  const failed = (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    process.emitWarning(`${name} of watchConfig failed: ${reason}`, 'RedriveWarning');
  };
  try {
    void Promise.resolve(call()).catch(failed);
  } catch (error) {
    failed(error);
  }
}
