import { DatabaseSync } from 'node:sqlite';

/** An order as the shop keeps it. */
export interface Order {
  readonly id: string;
  readonly status: string;
  /** Placed as the nth of this shop. */
  readonly n: number;
  readonly placedMs: number;
  /** It breaks the machine that packs it, unless that was repaired. */
  readonly isGlass: boolean;
}

/** The shop's own database. Redrive sees it as the collection `orders`, which it sweeps. */
export interface OrderRows {
  /** Inserts the next order. Every tenth is of glass, the second first of all. */
  place(nowMs: number): Order;
  order(id: string): Order | undefined;
  /** The oldest order of glass that is not shipped: one that climbs the whole ladder. */
  climbing(): Order | undefined;
  /** Lets the machine pack glass for all orders that have failed. Answers how many they are. */
  repair(): number;
  /** Deletes orders that were shipped long ago. */
  prune(nowMs: number): void;
  close(): void;
}

/** Time for a reader to see that an order was shipped. */
const KEPT_MS = 300_000;

/** Opens the database at a path, and creates it. Nothing else writes to it but sweeps, whose statements are short. */
export function openOrderRows(path: string): OrderRows {
  const db = new DatabaseSync(path);
  db.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 4000;
    create table if not exists orders (
      id text primary key, n integer not null, status text not null, glass integer not null,
      repaired integer not null default 0, placed_ms integer not null,
      attemptCount integer, lastAttemptTime text, retry_sweep text, lastError text
    )`);
  const next = db.prepare('select coalesce(max(n), 0) + 1 as n from orders');
  const insert = db.prepare(
    "insert into orders (id, n, status, glass, placed_ms, attemptCount) values (?, ?, 'placed', ?, ?, 0)",
  );
  const byId = db.prepare(
    'select id, n, status, glass, repaired, placed_ms from orders where id = ?',
  );
  const open = db.prepare(
    "select id, n, status, glass, repaired, placed_ms from orders where glass = 1 and status <> 'shipped' order by n limit 1",
  );
  const repair = db.prepare(
    "update orders set repaired = 1 where status = 'failed' and repaired = 0",
  );
  // The newest one stays: its number is never used again.
  const prune = db.prepare(
    "delete from orders where status = 'shipped' and placed_ms < ? and n < (select max(n) from orders)",
  );
  return {
    place(nowMs) {
      const n = Number(next.get()?.n);
      const isGlass = n % 10 === 2;
      const id = `order-${n}`;
      insert.run(id, n, isGlass ? 1 : 0, nowMs);
      return { id, n, placedMs: nowMs, status: 'placed', isGlass };
    },
    order: (id) => orderOf(byId.get(id)),
    climbing: () => orderOf(open.get()),
    repair: () => Number(repair.run().changes),
    prune: (nowMs) => void prune.run(nowMs - KEPT_MS),
    close: () => db.close(),
  };
}

function orderOf(row: Readonly<Record<string, unknown>> | undefined): Order | undefined {
  if (row === undefined) return undefined;
  const { id, n, status, glass, repaired, placed_ms: placedMs } = row;
  const isGlass = glass === 1 && repaired === 0;
  return {
    ...{ id: String(id), n: Number(n), placedMs: Number(placedMs) },
    ...{ status: String(status), isGlass },
  };
}
