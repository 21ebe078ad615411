/** A job whose row was set aside because it cannot be read: no claim, tick or rescue meets it any more. */
export interface SetAsideJob {
  readonly id: string;
  /** Which column, and what is wrong with it. */
  readonly problem: string;
}

/** The problem of a text. The parser's message is not used: it quotes the text, which may be secret. */
export function problemText(error: unknown): string {
  if (error instanceof SyntaxError) return 'it is not JSON';
  return error instanceof Error ? error.message : String(error);
}

/** A row that cannot be read, or that could not be read when it was set aside. */
export interface UnreadableJob {
  readonly id: string;
  /** Absent: it can be read now, and may be put back. */
  readonly problem?: string | undefined;
  readonly isSetAside: boolean;
}

export interface UnreadablePage {
  readonly jobs: readonly UnreadableJob[];
  /** Rows that were looked at. */
  readonly looked: number;
  /** Where to go on. Absent: that was all. */
  readonly next?: string | undefined;
}

/**
 * Rows that something else than a store has written, or a disk has damaged. One of them must not hold up the others: the
 * store takes it out of the order of claims, leaves its columns as they are, and writes a note `set_aside` into the audit
 * log. Lists show as much of it as can be read.
 */
export interface UnreadableRows {
  /** Jobs that this process has set aside since the last call. */
  takeSetAside(): readonly SetAsideJob[];
  /** Looks through all jobs, a page at a time, for rows that cannot be read or are set aside. */
  unreadableJobs(after?: string): Promise<UnreadablePage>;
  /** One job by its id. Absent: its row can be read, and is not set aside. */
  unreadableJob(id: string): Promise<UnreadableJob | undefined>;
  /** Puts those back that are set aside and can be read again. Answers which. */
  putBack(ids: readonly string[]): Promise<readonly string[]>;
}
