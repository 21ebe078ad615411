import type { Clock } from '@redrive/core';
import type { Config } from '../config.ts';
import type { LoadOptions } from '../load-config.ts';
import type { Problem } from '../problem/problem.ts';
import type { ConfigDiff } from './diff-config.ts';
import type { WatchDirectory } from './directory-watchers.ts';
import type { LastChange } from './last-change.ts';

/** Why the configuration was read again. */
export type ReloadCause = 'file' | 'signal' | 'api';

/** One change of the configuration in force, as it is recorded. Plain data: it survives `JSON.stringify`. */
export interface ConfigChange {
  readonly schema_version: 'config-change/v1';
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  /** The user of `redrive config apply`, or the actor that the caller named. `null`: unknown. */
  readonly actor: string | null;
  readonly cause: ReloadCause;
  /** The configuration file. */
  readonly file: string;
  /** Version hashes. */
  readonly hash_before: string;
  readonly hash_after: string;
  /** Owner and time of the file that was changed last. `null`: unknown. */
  readonly last_change: LastChange | null;
  readonly diff: ConfigDiff;
}

export interface WatchConfigOptions extends LoadOptions {
  /** The configuration file. */
  readonly file: string;
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
  /** How long the files must rest before they are read again. Default 100; 0 to 60,000. */
  readonly debounceMs?: number | undefined;
  /** How often to look at the files when no event came: network file systems give none. Default 2,000; 10 to 3,600,000. */
  readonly pollMs?: number | undefined;
  /** How many changes to keep in `changes`. Default 100; 0 to 10,000. */
  readonly maxChanges?: number | undefined;
  /** Called after each change, when it is in force. It may be asynchronous; nobody waits for it. */
  readonly onChange?: ((change: ConfigChange, config: Config) => unknown) | undefined;
  /**
   * Called with the problems when they differ from those of the call before. Errors left the last good configuration in
   * force.
   */
  readonly onProblem?: ((problems: readonly Problem[]) => unknown) | undefined;
  /** Called after each reading of the files with its result: changed, unchanged or refused. */
  readonly onReload?: ((result: ReloadResult) => unknown) | undefined;
  /** The actor that is recorded for changes by file or signal. Default: the user of `redrive config apply`, if that wrote the file; else unknown. */
  readonly actor?: string | undefined;
  /** Whether SIGHUP reads the files again. Default `false`, because without a handler SIGHUP ends the process. */
  readonly onSignal?: boolean | undefined;
  /** Whether watching keeps the process alive. Default `false`. */
  readonly keepAlive?: boolean | undefined;
  /** Tests only: stands for `fs.watch`. */
  readonly watchDirectory?: WatchDirectory | undefined;
}

/** The result of a reload. `config` is the configuration in force afterwards. */
export type ReloadResult = { readonly config: Config; readonly problems: readonly Problem[] } & (
  | { readonly status: 'changed'; readonly change: ConfigChange }
  /** The files have the same values as before. */
  | { readonly status: 'unchanged' }
  /** The files have errors: the last good configuration stays in force. */
  | { readonly status: 'refused' }
);

export interface ConfigWatcher {
  /**
   * The configuration in force: complete, frozen, and always the last good one. A reload puts another object in its place;
   * take it once per call and work with what you took, and no call sees two versions.
   */
  readonly current: Config;
  /** The last change of its files. Absent: unknown. */
  readonly lastChange: LastChange | undefined;
  /** The last changes, the oldest first. */
  readonly changes: readonly ConfigChange[];
  /** Reads the files now, also after `close`. Reloads run one after another, and never reject. */
  reload(actor?: string): Promise<ReloadResult>;
  /** Stops watching; `current` stays as it is. Harmless when repeated. */
  close(): void;
}
