import { dirname, resolve } from 'node:path';
import {
  type Config,
  type ConfigChange,
  escalationSettings,
  type LastChange,
  lookUp,
  presetConfig,
  renderDiff,
  watchConfig,
} from '@redrive/config';
import type { ResolvedPolicy } from '@redrive/core';
import type { Invocation } from '../command/command-spec.ts';
import { findConfig, loadConfig } from '../config/load-config.ts';
import { placeText } from '../config/problem-lines.ts';
import type { Log } from '../log/worker-log.ts';

/** The configuration in force, for as long as a worker runs. */
export interface LiveConfig {
  /** Always the last good one. */
  current(): Config;
  /** The last change of its files. Absent: unknown. */
  lastChange(): LastChange | undefined;
  /** The directory of the file, where the paths in it begin. */
  readonly directory: string;
  close(): void;
}

export interface ConfigListeners {
  readonly onChange: (change: ConfigChange) => void;
  /** Changed files were read: they are in force, or have errors. */
  onReload?: ((isInForce: boolean) => void) | undefined;
}

/** These take effect at the next start only. */
const NEEDS_RESTART =
  /^(buses|events|jobs|schedules|server|store|sweeps)\.|^escalation\.look_every\b/;
/** And so do these, of a worker that was started without a channel: it does not look for escalations. */
const CHANNELS = /^escalation\.channels\b/;

/**
 * Reads the configuration and keeps it up to date: when its files change and at SIGHUP. A bad file leaves the last good
 * one in force.
 *
 * @throws CliError where the first reading fails.
 */
export async function liveConfig(
  invocation: Invocation,
  log: Log,
  listeners: ConfigListeners,
): Promise<LiveConfig> {
  const { io } = invocation;
  // Once by itself, because it shows what is wrong as `config validate` does.
  const first = await loadConfig(invocation);
  const { file } = findConfig({
    ...invocation,
    options: { ...invocation.options, verbose: false },
  });
  if (file === undefined) {
    const nothing = { lastChange: () => undefined, close: () => {} };
    return { current: () => first, directory: io.directory, ...nothing };
  }
  const looks = Object.keys(escalationSettings(first).channels).length > 0;
  let isInForce = true;
  const watcher = await watchConfig({
    file,
    directory: io.directory,
    environment: io.env,
    onSignal: true,
    onChange: (change) => {
      logChange(log, change, looks);
      listeners.onChange(change);
    },
    onReload: ({ status }) => {
      // The files are also read when they were only touched. That is no reload, unless the last one failed.
      if (status === 'unchanged' && isInForce) return;
      isInForce = status !== 'refused';
      listeners.onReload?.(isInForce);
    },
    onProblem: (problems) => {
      for (const problem of problems) {
        const { severity, line, message, suggestion, file: place = file } = problem;
        const level = severity === 'error' ? 'error' : 'warn';
        const kept = severity === 'error' ? '; the last good configuration stays in force' : '';
        const fields = { event: 'config.problem', file: place, line, suggestion };
        log[level](fields, `${placeText(problem, place)}: ${message}${kept}`);
      }
    },
  });
  return {
    current: () => watcher.current,
    lastChange: () => watcher.lastChange,
    directory: dirname(resolve(io.directory, file)),
    close: () => watcher.close(),
  };
}

function logChange(
  log: Log,
  { diff, actor, cause, hash_after }: ConfigChange,
  looks: boolean,
): void {
  const changes = renderDiff(diff);
  log.info(
    { event: 'config.changed', actor, cause, hash: hash_after, changes },
    `Configuration changed: ${changes.join('; ')}`,
  );
  const isLate = (path: string) => NEEDS_RESTART.test(path) || (!looks && CHANNELS.test(path));
  const late = diff.entries.map(({ path }) => path).filter(isLate);
  if (late.length > 0) {
    log.warn(
      { event: 'config.needs_restart', paths: late },
      `These changes take effect at the next start: ${late.join(', ')}`,
    );
  }
}

/** Jobs may name policies, and their names may be unknown ones. */
const MAX_NAMES = 1_000;

/** Finds policies by name in the configuration in force; asked at every claim, so a name is looked up once per version. */
export function policyFinder(current: () => Config): (name: string) => ResolvedPolicy | undefined {
  let config: Config = presetConfig();
  let found = new Map<string, ResolvedPolicy | undefined>();
  return (name) => {
    if (config !== current() || found.size >= MAX_NAMES) {
      config = current();
      found = new Map();
    }
    if (!found.has(name)) found.set(name, exactly(config, name));
    return found.get(name);
  };
}

/** Only what has that name: a path that is not mapped would find the defaults of everything. */
function exactly(config: Config, name: string): ResolvedPolicy | undefined {
  const { policy, ...how } = lookUp(config, name);
  const isExact = 'matchedBy' in how && ['policy', 'category', 'path'].includes(how.matchedBy);
  return isExact ? policy?.policy : undefined;
}
