import type { DatabaseSync } from 'node:sqlite';
import { type Clock, systemClock } from '@redrive/core';
import type { EnqueueCommand, EnqueueResult } from '@redrive/durable/store';
import { encodeEnqueue } from './command/encode-enqueue.ts';
import type { EncodedEnqueue } from './command/encoded.ts';
import { Stops } from './control/stops.ts';
import { inCallersTransaction } from './database/callers-transaction.ts';
import { DeadLetters } from './dead-letter/dead-letters.ts';
import { AuditChain } from './writer/audit-chain.ts';
import { Enqueue } from './writer/enqueue.ts';
import { JobChanges } from './writer/job-changes.ts';
import { Lanes } from './writer/lanes.ts';
import { LimitKeys } from './writer/limit-keys.ts';
import { OwnLeases } from './writer/own-leases.ts';
import { Step } from './writer/step.ts';

export interface EnqueueInOptions {
  /** For tests: the one that the store has. Default: the system's. */
  readonly clock?: Clock;
}

/**
 * Enqueues a job inside your own transaction: it exists if and only if that commits. `jobs.prepare(…)` makes the command.
 *
 * ```ts
 * db.exec('BEGIN IMMEDIATE');
 * db.prepare('INSERT INTO orders (id) VALUES (?)').run(17);
 * enqueueIn(db, jobs.prepare('mail', { order: 17 }));
 * db.exec('COMMIT');
 * store.committed();
 * ```
 *
 * The connection is your own, to the file of the store, in WAL mode with `synchronous=FULL`, without attached databases:
 * a commit over two files is not atomic in WAL mode. Tell the store with `committed()` afterwards, or an idle worker
 * finds out when it sees the file change. Keep the transaction short: nobody else can write meanwhile, and a call to the
 * store itself that waits for a write would wait for ever, because this thread does.
 *
 * @throws RedriveError `not_in_transaction` (also where it began without IMMEDIATE and somebody else writes),
 *   `store_unsupported` (another file, other settings, attached databases), `schema_too_new`.
 */
export function enqueueIn(
  db: DatabaseSync,
  command: EnqueueCommand,
  { clock = systemClock }: EnqueueInOptions = {},
): EnqueueResult {
  const encoded = encodeEnqueue(command);
  return inCallersTransaction(db, 'enqueueIn', () => enqueuerOf(db).enqueue(encoded, clock));
}

const enqueuers = new WeakMap<DatabaseSync, Enqueuer>();

/** Statements are prepared once per connection, and anew after that was closed and opened again. */
function enqueuerOf(db: DatabaseSync): Enqueuer {
  let enqueuer = enqueuers.get(db);
  if (enqueuer === undefined || !enqueuer.isUsable()) {
    enqueuer = new Enqueuer(db);
    enqueuers.set(db, enqueuer);
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
    const changes = new JobChanges(db, limitKeys, new OwnLeases(), new DeadLetters(db));
    this.#enqueue = new Enqueue(db, changes);
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

  enqueue(command: EncodedEnqueue, clock: Clock): EnqueueResult {
    // Whatever was known may have been rolled back since.
    this.#lanes.forget();
    this.#chain.refresh();
    this.#stops.forget();
    const step = new Step(clock.now(), this.#chain.next(), this.#lanes, true);
    const result = this.#enqueue.enqueue(step, command);
    this.#lanes.flush();
    if (step.records.length > 0) this.#chain.appendLeaf(step.records, step.nowMs);
    return result;
  }
}
