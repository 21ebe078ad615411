/**
 * From which size on the store takes a faster way. A faster way must answer like the slow one. Internal, no option of
 * users: the suites also run with every number at 1 (`FROM_ONE`), because their own sizes reach none of them.
 */
export interface FastPaths {
  /** Requeues that are alike and go back in one statement. Fewer are not worth a statement of their own. */
  readonly requeues: number;
  /** Commands that are worth a step of their own while another step is under way. */
  readonly overlap: number;
  /** A claim of fewer jobs looks from the start each time: it waits for single jobs, whose order matters. */
  readonly cursorJobs: number;
  /**
   * Pages of the index that a look goes over before a cursor is worth it: some thousand entries. A look that meets no
   * dead ones reads about ten. Not milliseconds: on a busy machine every look may take some.
   */
  readonly cursorPages: number;
  /** Milliseconds for which a cursor is good at least; 2,000 at most. */
  readonly cursorMs: number;
  /** Dead letters that are tried before a page looks for an index that serves its filter. */
  readonly deadFirst: number;
  /** Entries of the index that are read for the fingerprints of a text. Past it, letters are looked through instead. */
  readonly deadByGroup: number;
  /** Pairs of lanes and tenants that a claim looks at one by one. If there are more, it looks first which ones have jobs. */
  readonly pairs: number;
  /**
   * Bytes of a payload that stand in the row of its job. A longer one stands in a table of its own, so that it is not moved
   * when the job is. Postgres itself keeps longer values outside of the row, but only within one table.
   */
  readonly payloadInRow: number;
}

export const FAST_PATHS: FastPaths = {
  requeues: 8,
  overlap: 64,
  cursorJobs: 8,
  cursorPages: 50,
  cursorMs: 100,
  deadFirst: 1_000,
  deadByGroup: 100_000,
  pairs: 5_000,
  payloadInRow: 2_000,
};

/** For tests: every fast path from 1 on, and cursors that outlast a test. */
export const FROM_ONE: FastPaths = {
  requeues: 1,
  overlap: 1,
  cursorJobs: 1,
  cursorPages: 1,
  cursorMs: 2_000,
  deadFirst: 1,
  deadByGroup: 1,
  pairs: 1,
  payloadInRow: 1,
};

/** For tests that want the exact order of claims: for a moment, a cursor is behind jobs that became ready again. */
export const WITHOUT_CURSOR: FastPaths = { ...FROM_ONE, cursorJobs: FAST_PATHS.cursorJobs };
