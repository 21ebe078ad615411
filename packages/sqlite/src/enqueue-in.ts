import type { DatabaseSync } from 'node:sqlite';
import { type Clock, systemClock } from '@redrive/core';
import { checkManyCommands, type EnqueueCommand, type EnqueueResult } from '@redrive/durable/store';
import { Batches } from './batch/batches.ts';
import { encodeEnqueue } from './command/encode-enqueue.ts';
import type { EncodedEnqueue } from './command/encoded.ts';
import { Stops } from './control/stops.ts';
import { type CallersConnection, inCallersTransaction } from './database/callers-transaction.ts';
import { DeadLetters } from './dead-letter/dead-letters.ts';
import { FAST_PATHS } from './fast-paths.ts';
import { LedgerTable } from './ledger/ledger-table.ts';
import type { SqlExecutor } from './sql-executor.ts';
import { Enqueue } from './writer/enqueue.ts';
import { Flows } from './writer/flows.ts';
import { JobChanges } from './writer/job-changes.ts';
import { Lanes } from './writer/lanes.ts';
import { OwnLeases } from './writer/leasing.ts';
import { LimitKeys } from './writer/limit-keys.ts';
import { AuditChain, Step } from './writer/step.ts';

export interface EnqueueInOptions {
  /** For tests: the clock of the store. Default: the system's. */
  readonly clock?: Clock;
}

/**
 * Enqueues a job inside your own transaction: the job exists if and only if the transaction commits. `jobs.prepare(…)`
 * creates the command.
 *
 * ```ts
 * db.exec('BEGIN IMMEDIATE');
 * db.prepare('INSERT INTO orders (id) VALUES (?)').run(17);
 * enqueueIn(db, jobs.prepare('mail', { order: 17 }));
 * db.exec('COMMIT');
 * store.committed();
 * ```
 *
 * The connection is your own, a `DatabaseSync` or an `sqlExecutor` of another library, to the file of the store, in WAL mode with `synchronous=FULL`, without attached databases:
 * a commit over two files is not atomic in WAL mode. Call `store.committed()` after the commit; without it, an idle
 * worker starts the job when it notices the change of the file. Keep the transaction short: no other connection can write
 * meanwhile, and a write through the store inside the transaction would wait for ever.
 *
 * @throws RedriveError `not_in_transaction` (also for a transaction without IMMEDIATE while another connection writes),
 *   `store_unsupported` (another file, other settings, attached databases, a library that is asynchronous, too old, or beside `node:sqlite`), `schema_too_new`.
 */
export function enqueueIn(
  db: DatabaseSync | SqlExecutor,
  command: EnqueueCommand,
  { clock = systemClock }: EnqueueInOptions = {},
): EnqueueResult {
  const encoded = [encodeEnqueue(command)];
  const [result] = inCallersTransaction(db, 'enqueueIn', (own) =>
    enqueuerOf(db, own).enqueue(encoded, clock),
  );
  // One command, one result.
  return result as EnqueueResult;
}

/**
 * Enqueues up to 10,000 jobs inside your own transaction. Otherwise like `enqueueIn`. Returns a result for each command,
 * in their order.
 *
 * @throws RedriveError `invalid_job` (more than 10,000 commands), `payload_too_large` (more than 64 MiB together), and the
 *   errors of `enqueueIn`.
 */
export function enqueueManyIn(
  db: DatabaseSync | SqlExecutor,
  commands: readonly EnqueueCommand[],
  { clock = systemClock }: EnqueueInOptions = {},
): EnqueueResult[] {
  checkManyCommands(commands);
  const encoded = commands.map(encodeEnqueue);
  return inCallersTransaction(db, 'enqueueManyIn', (own) =>
    enqueuerOf(db, own).enqueue(encoded, clock),
  );
}

const enqueuers = new WeakMap<object, Enqueuer>();

/** Statements are prepared once per connection or executor, and anew after that was closed and opened again. */
function enqueuerOf(given: CallersConnection, db: DatabaseSync): Enqueuer {
  let enqueuer = enqueuers.get(given);
  if (enqueuer === undefined || !enqueuer.isUsable()) {
    enqueuer = new Enqueuer(db);
    enqueuers.set(given, enqueuer);
  }
  return enqueuer;
}

class Enqueuer {
  readonly #lanes: Lanes;
  readonly #chain: AuditChain;
  readonly #enqueue: Enqueue;
  readonly #stops: Stops;

  constructor(db: DatabaseSync) {
    this.#lanes = new Lanes(db);
    this.#chain = new AuditChain(db);
    this.#stops = new Stops(db);
    const limitKeys = new LimitKeys(db, this.#stops);
    const flows = new Flows(db);
    const deadLetters = new DeadLetters(db, FAST_PATHS);
    const changes = new JobChanges(db, flows, limitKeys, new OwnLeases(), deadLetters);
    this.#enqueue = new Enqueue(
      ...([db, changes, flows, new LedgerTable(db), new Batches(db), FAST_PATHS] as const),
    );
  }

  isUsable(): boolean {
    try {
      this.#chain.refresh();
      this.#chain.next();
      return true;
    } catch {
      return false;
    }
  }

  enqueue(commands: readonly EncodedEnqueue[], clock: Clock): EnqueueResult[] {
    // Cached facts may have been rolled back since.
    this.#lanes.forget();
    this.#chain.refresh();
    this.#stops.forget();
    const step = new Step(clock.now(), this.#chain.next(), this.#lanes, true);
    const results = commands.map((command) => this.#enqueue.enqueue(step, command));
    this.#lanes.flush();
    if (!step.records.isEmpty) this.#chain.appendLeaf(step.records, step.nowMs);
    return results;
  }
}
