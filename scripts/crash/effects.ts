import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@redrive/core';
import type { JobContext } from '@redrive/durable';
import pg from 'pg';
import type { Deed, Evidence } from './evidence.ts';
import type { Target } from './open-target.ts';
import type { Place } from './place.ts';

/** The table of effects in the store's own database, without a key: what is there twice happened twice. */
const TABLE = 'harness_effects';

/** Writes a row in a transaction of its own, once per idempotency key of its job where there is a ledger. */
type WriteRow = (key: string, onceKey: string) => Promise<void>;

export interface EffectsOptions {
  readonly target: Target;
  readonly evidence: Evidence;
  readonly worker: string;
  /** Of the keys of `context.once`. */
  readonly leaseMs: number;
  /** `false`: effects are made without it, and the harness must find out. */
  readonly ledger: boolean;
  readonly clock: Clock | undefined;
}

/**
 * The effects of the harness's jobs, one of each kind: in the store's own database, together with its record; and outside
 * of it, in a file, where a crash between effect and record leaves a gap.
 */
export class Effects {
  readonly #options: EffectsOptions;
  readonly #writeRow: WriteRow;

  private constructor(options: EffectsOptions, writeRow: WriteRow) {
    this.#options = options;
    this.#writeRow = writeRow;
  }

  static async open(options: EffectsOptions): Promise<Effects> {
    const isSqlite = options.target.startsWith('sqlite:');
    return new Effects(options, await (isSqlite ? sqliteRows(options) : postgresRows(options)));
  }

  /** @param between called between the effect outside and its record. */
  async make(key: string, context: JobContext, between = async () => {}): Promise<void> {
    const { evidence, worker, leaseMs, ledger } = this.#options;
    const { attempt, token, idempotencyKey: onceKey } = context;
    const note = (what: Deed['what'], ledgerToken: number): void =>
      evidence.deeds.write({ what, key, worker, attempt, token, ledgerToken, atMs: Date.now() });
    const run = async (ledgerToken: number): Promise<number> => {
      note('effect', ledgerToken);
      await between();
      return ledgerToken;
    };
    const recorded = ledger
      ? await context.once(`outside ${onceKey}`, run, { leaseMs })
      : await run(token);
    note('recorded', recorded);
    await this.#writeRow(key, onceKey);
  }
}

async function sqliteRows({ target, worker, ledger, clock }: EffectsOptions): Promise<WriteRow> {
  const { onceIn } = await import('@redrive/sqlite');
  const db = new DatabaseSync(target.slice('sqlite:'.length), { timeout: 5_000 });
  db.exec('PRAGMA synchronous = FULL');
  db.exec(`CREATE TABLE IF NOT EXISTS ${TABLE} (key TEXT, worker TEXT)`);
  const insert = db.prepare(`INSERT INTO ${TABLE} (key, worker) VALUES (?, ?)`);
  return async (key, onceKey) => {
    const write = (): void => void insert.run(key, worker);
    db.exec('BEGIN IMMEDIATE');
    try {
      if (ledger)
        onceIn(db, { key: `inside ${onceKey}` }, write, clock === undefined ? {} : { clock });
      else write();
      db.exec('COMMIT');
    } catch (error) {
      db.exec('ROLLBACK');
      throw error;
    }
  };
}

async function postgresRows({ target, worker, ledger, clock }: EffectsOptions): Promise<WriteRow> {
  const { onceIn } = await import('@redrive/postgres');
  const pool = new pg.Pool({ connectionString: target, max: 2 });
  // Connections are cut, and whoever uses one is told.
  pool.on('error', () => {});
  // Two at once may both find that it is not there.
  await pool
    .query(`create table if not exists public.${TABLE} (key text, worker text)`)
    .catch(() => {});
  return async (key, onceKey) => {
    const client = await pool.connect();
    let broken: Error | undefined;
    // Between two statements nobody waits for an answer that could say so.
    const ignore = (): void => {};
    client.on('error', ignore);
    const write = async (): Promise<void> => {
      const values = [key, worker];
      await client.query(`insert into public.${TABLE} (key, worker) values ($1, $2)`, values);
    };
    try {
      await client.query('begin');
      if (ledger) await onceIn(client, { key: `inside ${onceKey}` }, write, { clock });
      else await write();
      await client.query('commit');
    } catch (error) {
      broken = new Error('Nobody knows what state it is in', { cause: error });
      throw error;
    } finally {
      client.off('error', ignore);
      client.release(broken);
    }
  };
}

/** How often each key's effect is in the store's database. `undefined`: nobody has made one. */
export async function effectRows(
  place: Pick<Place, 'kind' | 'databaseFile' | 'target'>,
): Promise<ReadonlyMap<string, number> | undefined> {
  const text = `select key, count(*) as times from ${TABLE} group by key`;
  const rows =
    place.kind === 'sqlite' ? sqliteCounts(place, text) : await postgresCounts(place, text);
  return rows && new Map(rows.map(({ key, times }) => [String(key), Number(times)]));
}

type Counted = Readonly<Record<string, unknown>>;

function sqliteCounts({ databaseFile }: Pick<Place, 'databaseFile'>, text: string) {
  const db = new DatabaseSync(databaseFile, { timeout: 5_000 });
  try {
    const [table] = db.prepare(`SELECT 1 FROM sqlite_master WHERE name = '${TABLE}'`).all();
    return table === undefined ? undefined : db.prepare(text).all();
  } finally {
    db.close();
  }
}

async function postgresCounts({ target }: Pick<Place, 'target'>, text: string) {
  const client = new pg.Client({ connectionString: target });
  await client.connect();
  try {
    const { rows } = await client.query(`select to_regclass('public.${TABLE}') as table`);
    return rows[0].table === null ? undefined : (await client.query<Counted>(text)).rows;
  } finally {
    await client.end();
  }
}
