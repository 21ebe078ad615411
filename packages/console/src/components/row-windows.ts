export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the page that follows. */
  readonly next: string | null;
}

/** Where the rows of a list come from. */
export interface ListSource<Row> {
  /** The filter as text. Another key is another list: it begins at its top. */
  readonly key: string;
  /** Another number: the same list, read again. */
  readonly version?: number;
  readonly total?: number | undefined;
  readonly page: (after: string | undefined, limit: number) => Promise<ListPage<Row>>;
  /** The rows from this time on: for jumps, where no cursor is known. */
  readonly pageAt?: (timeMs: number, limit: number) => Promise<ListPage<Row>>;
  readonly timeOf?: (row: Row) => number;
  /** The time of the last row. */
  readonly oldestMs?: number | undefined;
}

export const WINDOW = 200;
const MAX_KEPT = 20;
/** Windows that are read one after the other rather than jumped to. */
const NEAR = 3;

/**
 * Rows by their number, in windows of 200. A cursor leads from one window to the next only, so a far window is reached by
 * its time: the rows from there on are one chain again, and their numbers are estimates.
 *
 *     0 ─cursor─► 1 ─cursor─► 2   ···jump by time···   2500 ─cursor─► 2501
 */
export class RowWindows<Row> {
  readonly source: ListSource<Row>;
  readonly #rows = new Map<number, readonly Row[]>();
  readonly #cursors = new Map<number, string | undefined>([[0, undefined]]);
  #total: number | undefined;
  /** The rows in sight: the first and the last. */
  #sight: readonly [first: number, last: number] = [0, 0];
  #isLoading = false;
  readonly #onChange: (error?: unknown) => void;

  constructor(source: ListSource<Row>, onChange: (error?: unknown) => void) {
    this.source = source;
    this.#total = source.total;
    this.#onChange = onChange;
  }

  /** The number of rows, as far as it is known. */
  get total(): number {
    const loaded = Math.max(
      0,
      ...[...this.#rows].map(([window, rows]) => window * WINDOW + rows.length),
    );
    const hasMore =
      this.#cursors.size > 1 && [...this.#cursors.keys()].some((each) => each * WINDOW >= loaded);
    return this.#total ?? loaded + (hasMore ? WINDOW : 0);
  }

  get isEmpty(): boolean {
    return this.#rows.get(0)?.length === 0 && this.#cursors.size === 1;
  }

  get hasLoaded(): boolean {
    return this.#rows.size > 0;
  }

  row(index: number): Row | undefined {
    return this.#rows.get(Math.floor(index / WINDOW))?.[index % WINDOW];
  }

  /** The number of a loaded row. */
  indexOf(test: (row: Row) => boolean): number {
    for (const [window, rows] of this.#rows) {
      const at = rows.findIndex(test);
      if (at >= 0) return window * WINDOW + at;
    }
    return -1;
  }

  /** The time at a row, estimated between the loaded rows around it. */
  timeAt(index: number): number | undefined {
    const { timeOf, oldestMs } = this.source;
    const here = this.row(index);
    if (timeOf === undefined) return undefined;
    if (here !== undefined) return timeOf(here);
    const known = [...this.#rows].flatMap(([window, rows]) => {
      const [row] = rows;
      return row === undefined ? [] : [[window * WINDOW, timeOf(row)] as const];
    });
    if (oldestMs !== undefined) known.push([this.total, oldestMs]);
    const before = known.filter(([at]) => at <= index).sort((a, b) => b[0] - a[0])[0];
    const after = known.filter(([at]) => at > index).sort((a, b) => a[0] - b[0])[0];
    if (before === undefined || after === undefined) return undefined;
    const share = (index - before[0]) / (after[0] - before[0]);
    return Math.round(before[1] + share * (after[1] - before[1]));
  }

  /** Loads what is missing around these rows: one page at a time, the newest wish first. */
  want(first: number, last: number): void {
    this.#sight = [first, last];
    if (this.#isLoading) return;
    const from = Math.floor(first / WINDOW);
    const missing = [from, Math.floor(last / WINDOW)].find((each) => !this.#rows.has(each));
    if (missing === undefined || (this.#total !== undefined && missing * WINDOW >= this.total))
      return;
    void this.#load(missing);
  }

  async #load(wanted: number): Promise<void> {
    this.#isLoading = true;
    try {
      const { window, page } = await this.#read(wanted);
      this.#keep(window, page);
      this.#isLoading = false;
      this.#onChange();
      // The person may have moved meanwhile, and a jump drops the rows that were there.
      this.want(...this.#sight);
    } catch (error) {
      this.#isLoading = false;
      this.#onChange(error);
    }
  }

  async #read(wanted: number): Promise<{ readonly window: number; readonly page: ListPage<Row> }> {
    const reached = Math.max(...[...this.#cursors.keys()].filter((each) => each <= wanted));
    const { pageAt } = this.source;
    // A step before the wish, so that a little way back needs no other jump.
    const start = Math.max(0, wanted - 1);
    const timeMs = this.timeAt(start * WINDOW);
    if (wanted - reached <= NEAR || pageAt === undefined || timeMs === undefined || start === 0) {
      return { window: reached, page: await this.source.page(this.#cursors.get(reached), WINDOW) };
    }
    const page = await pageAt(timeMs, WINDOW);
    this.#rows.clear();
    this.#cursors.clear();
    this.#cursors.set(0, undefined);
    return { window: start, page };
  }

  #keep(window: number, { rows, next }: ListPage<Row>): void {
    this.#rows.set(window, rows);
    if (next !== null) this.#cursors.set(window + 1, next);
    else this.#total = window * WINDOW + rows.length;
    while (this.#rows.size > MAX_KEPT) {
      const far = [...this.#rows.keys()].reduce((a, b) =>
        Math.abs(a - window) > Math.abs(b - window) ? a : b,
      );
      this.#rows.delete(far);
    }
  }
}
