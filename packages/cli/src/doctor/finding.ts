/** Something that is not as it should be. */
export interface Finding {
  readonly check: 'unreadable_row' | 'set_aside' | 'future_due' | 'unsealed' | 'store';
  /** A problem makes the command fail. */
  readonly level: 'problem' | 'warning';
  readonly message: string;
  /** What to do, mostly a command. */
  readonly remedy: string;
  /** Ids of the jobs that it is about. */
  readonly jobs: readonly string[];
}
