/**
 * From which size on the store takes a faster way. A faster way must answer like the slow one. Internal, no option of
 * users: the suites also run with numbers that they reach (`FROM_ONE`).
 */
export interface FastPaths {
  /** Commands that are worth a transaction of their own while another one is under way. */
  readonly overlap: number;
  /** Rows that one statement writes, falling, down to 1. */
  readonly newRows: readonly number[];
  readonly settledRows: readonly number[];
  readonly claimedRows: readonly number[];
  /** Flows of other lanes that a claim passes over, for each lane of its own, before it looks at its own lanes alone. */
  readonly foreignFlows: number;
  /** A list of states with at most this number of jobs sorts them all. Where there are more, it looks at the newest jobs. */
  readonly sortedJobs: number;
}

export const FAST_PATHS: FastPaths = {
  overlap: 64,
  newRows: [32, 8, 1],
  settledRows: [16, 4, 1],
  claimedRows: [50, 10, 1],
  foreignFlows: 8,
  sortedJobs: 20_000,
};

/** For tests. */
export const FROM_ONE: FastPaths = {
  overlap: 1,
  newRows: [2, 1],
  settledRows: [2, 1],
  claimedRows: [2, 1],
  foreignFlows: 0,
  sortedJobs: 1,
};
