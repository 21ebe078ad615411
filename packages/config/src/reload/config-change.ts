import type { ConfigDiff } from './diff-config.ts';

/** Why the configuration was read again. */
export type ReloadCause = 'file' | 'signal' | 'api';

/** One change of the configuration in force, as it is recorded. Plain data: it survives `JSON.stringify`. */
export interface ConfigChange {
  readonly schema_version: 'config-change/v1';
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  /** Who: `user@host` of the process, or the actor that the caller named. */
  readonly actor: string;
  readonly cause: ReloadCause;
  /** The configuration file. */
  readonly file: string;
  /** Version hashes. */
  readonly hash_before: string;
  readonly hash_after: string;
  readonly diff: ConfigDiff;
}
