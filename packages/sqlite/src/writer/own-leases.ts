/** What has to be known of a leased job to end its attempt. */
export type HeldRow = [
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

/** The places in a `HeldRow`. */
export const HELD = {
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

/** Leases of processes that died are never ended here: at so many, all are forgotten. */
const MAX_REMEMBERED = 20_000;

/**
 * The jobs that were claimed here, as the claim has left them, so that their end need not look them up. Whatever else
 * happens to one of them, here or in another process, makes it forgotten; then its end looks it up.
 */
export class OwnLeases {
  readonly #rows = new Map<string, HeldRow>();

  add(id: string, row: HeldRow): void {
    if (this.#rows.size >= MAX_REMEMBERED) this.#rows.clear();
    this.#rows.set(id, row);
  }

  /** The job, if it is still as the claim has left it. */
  take(id: string): HeldRow | undefined {
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
