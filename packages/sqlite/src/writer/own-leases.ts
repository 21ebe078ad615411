/** The columns of a leased job that settling its attempt needs. */
export type LeasedRow = [
  n: number,
  lane: number,
  state: number,
  revision: number,
  token: number,
  auditBlock: number,
  leaseUntil: number,
  cancelRequested: number,
  deadlineAt: number | null,
  uniqueKey: string | null,
  limitKey: string | null,
];

/** The places in a `LeasedRow`. */
export const LEASED_ROW = {
  n: 0,
  lane: 1,
  state: 2,
  revision: 3,
  token: 4,
  auditBlock: 5,
  leaseUntil: 6,
  cancelRequested: 7,
  deadlineAt: 8,
  uniqueKey: 9,
  limitKey: 10,
} as const;

/** Another process has changed a job that is in the cache. The transaction is repeated without the cache. */
export class OutdatedLease extends Error {}

/** Leases of dead processes are never settled here, so the cache is emptied at this size. */
const MAX_REMEMBERED = 20_000;

/**
 * The jobs that this process has claimed, as the claim has written them, so that a settlement need not read them. Another
 * change of a job by this process removes it from this cache. Another process may change a job too: so a settlement
 * changes only a row that still has the audit block of the claim, and throws `OutdatedLease` otherwise.
 */
export class OwnLeases {
  readonly #rows = new Map<string, LeasedRow>();

  add(id: string, row: LeasedRow): void {
    if (this.#rows.size >= MAX_REMEMBERED) this.#rows.clear();
    this.#rows.set(id, row);
  }

  /** The job, if nothing has changed it since the claim. */
  take(id: string): LeasedRow | undefined {
    const row = this.#rows.get(id);
    if (row !== undefined) this.#rows.delete(id);
    return row;
  }

  forget(id: string): void {
    this.#rows.delete(id);
  }

  clear(): void {
    this.#rows.clear();
  }
}
