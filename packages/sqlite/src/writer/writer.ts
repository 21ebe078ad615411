import type { DatabaseSync } from 'node:sqlite';
import { systemClock } from '@redrive/core';
import type {
  AuditPack,
  BeginOperation,
  HeartbeatAnswer,
  Operation,
  OperationStepResult,
  Sealed,
  SetAsideJob,
} from '@redrive/durable/store';
import { Compressor } from '../audit/compressor.ts';
import { Sealer } from '../audit/sealer.ts';
import { Batches } from '../batch/batches.ts';
import { encodeEnqueue } from '../command/encode-enqueue.ts';
import type { Encoded, EncodedEnqueue, EncodedSettle } from '../command/encoded.ts';
import type { Outcome } from '../command/outcome.ts';
import { Controls } from '../control/controls.ts';
import { ParkedJobs } from '../control/parked-jobs.ts';
import { Stops } from '../control/stops.ts';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import { DeadLetters } from '../dead-letter/dead-letters.ts';
import { EventDocumentTable } from '../event/event-documents.ts';
import { FAST_PATHS, type FastPaths } from '../fast-paths.ts';
import { LedgerTable } from '../ledger/ledger-table.ts';
import { WorkerTable } from '../live-workers/worker-table.ts';
import { type EncodedStep, Operations } from '../operation/operations.ts';
import { Act, EarlierPayloads } from './act.ts';
import { Claim } from './claim.ts';
import { Enqueue } from './enqueue.ts';
import { Flows } from './flows.ts';
import { JobChanges } from './job-changes.ts';
import { Lanes } from './lanes.ts';
import { type EncodedLease, Heartbeat, OutdatedLease, OwnLeases } from './leasing.ts';
import { LimitKeys } from './limit-keys.ts';
import { type PolicyRow, PolicyTable } from './policy-table.ts';
import { Prune } from './prune.ts';
import { Rates } from './rates.ts';
import { SetAside } from './set-aside.ts';
import { Settle } from './settle.ts';
import { AuditChain, Step } from './step.ts';
import { Upkeep } from './upkeep.ts';
import { WriteLock } from './write-lock.ts';

/** The changes of a commit that listeners are notified of. */
export interface CommitChanges {
  /** Whether jobs can be claimed, or will be due, that could not be claimed before, apart from enqueued ones. */
  readonly madeReady: boolean;
  readonly finishedSome: boolean;
  /** Whether the revision of control documents has changed. */
  readonly changedControls: boolean;
  /** Rows that cannot be read, and were set aside. */
  readonly setAside: readonly SetAsideJob[];
}

export interface Committed extends CommitChanges {
  readonly outcomes: readonly Outcome[];
}

export interface OperationStepped extends CommitChanges {
  readonly result: OperationStepResult;
}

/** The one writing connection: each call is one transaction. */
export class Writer {
  readonly #lanes: Lanes;
  readonly #chain: AuditChain;
  readonly #stops: Stops;
  readonly #controls: Controls;
  readonly #parked: ParkedJobs;
  readonly #ownLeases = new OwnLeases();
  readonly #enqueue: Enqueue;
  readonly #claim: Claim;
  readonly #settle: Settle;
  readonly #act: Act;
  readonly #upkeep: Upkeep;
  readonly #prune: Prune;
  readonly #operations: Operations;
  readonly #ledger: LedgerTable;
  readonly #batches: Batches;
  readonly #workers: WorkerTable;
  readonly #eventDocuments: EventDocumentTable;
  readonly #setAside: SetAside;
  readonly #heartbeat: Heartbeat;
  readonly #sealer: Sealer;
  readonly #compressor: Compressor;
  readonly #policies: PolicyTable;
  readonly #lock: WriteLock;
  readonly #commit: Statement;
  readonly #rollBack: Statement;
  readonly #dataVersion: Query<[version: number]>;
  readonly #audited: boolean;
  readonly #checkSchema: () => void;
  #knownVersion: number;
  #hasChanged = false;

  /** `checkSchema` throws if a newer version has migrated the file, and this one no longer works with it. */
  constructor(
    db: DatabaseSync,
    audited: boolean,
    fastPaths: FastPaths = FAST_PATHS,
    checkSchema: () => void = () => {},
  ) {
    this.#checkSchema = checkSchema;
    this.#stops = new Stops(db);
    const limitKeys = new LimitKeys(db, this.#stops);
    const deadLetters = new DeadLetters(db, fastPaths);
    const flows = new Flows(db);
    const earlier = new EarlierPayloads(db);
    const changes = new JobChanges(db, flows, limitKeys, this.#ownLeases, deadLetters);
    this.#audited = audited;
    this.#lanes = new Lanes(db);
    this.#chain = new AuditChain(db);
    this.#controls = new Controls(db, this.#stops, limitKeys);
    this.#parked = new ParkedJobs(db, changes);
    this.#ledger = new LedgerTable(db);
    this.#batches = new Batches(db);
    this.#enqueue = new Enqueue(db, changes, flows, this.#ledger, this.#batches, fastPaths);
    this.#settle = new Settle(
      ...([db, limitKeys, this.#ownLeases, deadLetters, this.#enqueue, fastPaths] as const),
    );
    this.#act = new Act(db, changes, earlier);
    this.#operations = new Operations(db, this.#act);
    this.#workers = new WorkerTable(db);
    this.#eventDocuments = new EventDocumentTable(db);
    this.#prune = new Prune(
      db,
      deadLetters,
      earlier,
      this.#ledger,
      this.#operations,
      this.#eventDocuments,
      this.#batches,
    );
    this.#upkeep = new Upkeep(db, changes, this.#enqueue);
    this.#claim = new Claim(
      db,
      flows,
      limitKeys,
      new Rates(db),
      this.#stops,
      this.#upkeep,
      this.#ownLeases,
      fastPaths,
    );
    this.#setAside = new SetAside(db);
    this.#heartbeat = new Heartbeat(db);
    this.#sealer = new Sealer(db);
    this.#compressor = new Compressor(db);
    this.#policies = new PolicyTable(db);
    this.#lock = new WriteLock(db);
    this.#commit = statement(db, 'COMMIT');
    this.#rollBack = statement(db, 'ROLLBACK');
    this.#dataVersion = query(db, 'PRAGMA data_version');
    this.#knownVersion = this.#readVersion();
    checkSchema();
  }

  /** Carries out the commands in one transaction with one audit block. `nowMs`: the time in tests. */
  commit(commands: readonly Encoded[], nowMs?: number): Committed {
    const [outcomes, changes] = this.#step(nowMs, (step) => this.#carryOutAll(step, commands));
    return { outcomes, ...changes };
  }

  beginOperation(begin: BeginOperation, nowMs?: number): Operation {
    return this.#step(nowMs, (step) => this.#operations.begin(step, begin))[0];
  }

  stepOperation(asked: EncodedStep, nowMs?: number): OperationStepped {
    const [result, changes] = this.#step(nowMs, (step) => this.#operations.step(step, asked));
    return { result, ...changes };
  }

  /** Sets aside the rows that cannot be read. */
  setAside(ids: readonly string[], nowMs?: number): CommitChanges {
    return this.#step(nowMs, (step) => {
      for (const id of ids) this.#setAside.byId(step, id);
    })[1];
  }

  /** Puts back the rows that can be read again. */
  putBack(ids: readonly string[], nowMs?: number): CommitChanges & { readonly ids: string[] } {
    const [back, changes] = this.#step(nowMs, (step) =>
      ids.filter((id) => this.#setAside.putBack(step, id)),
    );
    return { ids: back, ...changes };
  }

  heartbeat(leases: readonly EncodedLease[], leaseMs: number, nowMs?: number): HeartbeatAnswer[] {
    return this.#transaction(nowMs, (time) =>
      leases.map((lease) => this.#heartbeat.extend(lease, leaseMs, time)),
    );
  }

  /** Seals the oldest blocks that have no anchor. If there are none, it does not wait for the lock. */
  seal(nowMs?: number): Sealed | undefined {
    if (!this.#sealer.isBehind()) return undefined;
    return this.#transaction(nowMs, (time) => this.#sealer.seal(time));
  }

  /** Replaces rows by their pack. Returns `false` if another process has packed them already. */
  compress(pack: AuditPack): boolean {
    return this.#transaction(undefined, () => this.#compressor.write(pack));
  }

  registerPolicies(policies: readonly PolicyRow[]): void {
    this.#transaction(undefined, () => this.#policies.register(policies));
  }

  /** The revision of control documents. Needs no lock and no transaction. */
  controlRevision(): number {
    return this.#stops.revision();
  }

  /** Whether other connections have committed, or changed control documents, since the last call. */
  takeChanges(): { readonly changed: boolean; readonly controls: boolean } {
    this.#noticeOthers();
    const changed = this.#hasChanged;
    this.#hasChanged = false;
    return { changed, controls: changed && this.#stops.hasChanged() };
  }

  /** The data version changes when another connection commits, not when this one does. */
  #noticeOthers(): void {
    const version = this.#readVersion();
    if (version === this.#knownVersion) return;
    this.#checkSchema();
    this.#hasChanged = true;
    this.#knownVersion = version;
    // A settlement from the cache is fenced by the audit block of its claim: see `OwnLeases`.
    if (!this.#audited) this.#ownLeases.clear();
    this.#lanes.refresh();
    this.#chain.refresh();
    this.#stops.refresh();
  }

  #readVersion(): number {
    return this.#dataVersion.get()?.[0] ?? 0;
  }

  /** Carries out consecutive commands of one kind together, if that is cheaper. */
  #carryOutAll(step: Step, commands: readonly Encoded[]): Outcome[] {
    const outcomes: Outcome[] = [];
    let enqueues: EncodedEnqueue[] = [];
    let settles: EncodedSettle[] = [];
    const catchUp = (): void => {
      if (enqueues.length > 0) this.#enqueue.enqueueMany(step, enqueues, outcomes);
      if (settles.length > 0) this.#settle.settleMany(step, settles, outcomes);
      enqueues = [];
      settles = [];
    };
    for (const command of commands) {
      if (command[0] === 'enqueue') {
        if (settles.length > 0) catchUp();
        enqueues.push(command);
      } else if (command[0] === 'settle') {
        if (enqueues.length > 0) catchUp();
        settles.push(command);
      } else {
        catchUp();
        outcomes.push(this.#carryOut(step, command));
      }
    }
    catchUp();
    return outcomes;
  }

  #carryOut(step: Step, command: Exclude<Encoded, EncodedEnqueue | EncodedSettle>): Outcome {
    switch (command[0]) {
      case 'claim':
        return this.#claim.claim(step, command);
      case 'act':
        return this.#act.act(step, command);
      case 'tick':
        return this.#upkeep.tick(step, command);
      case 'prune':
        return this.#prune.prune(step, command);
      case 'reserve':
      case 'renew':
      case 'end':
      case 'clear':
        return this.#ledger.carryOut(command, step.nowMs);
      case 'report_worker':
      case 'forget_worker':
        return this.#workers.carryOut(command, step.nowMs);
      case 'note_event_documents':
        return this.#eventDocuments.carryOut(command);
      case 'note': {
        const [, event, subject, detail, once] = command;
        if (once === undefined || this.#ledger.isFirst(once, step.nowMs)) {
          step.note(event, subject, detail);
        }
        return { ok: true };
      }
      case 'control':
        return this.#controls.change(step, command);
      case 'batch':
        return this.#batches.change(step, command[1]);
      case 'end_batches':
        return this.#batches.end(step, command[1], (follows) => {
          this.#enqueue.enqueue(step, encodeEnqueue(follows));
        });
      case 'release':
        return this.#parked.release(step, command);
    }
  }

  /** Runs a transaction and writes its audit block. */
  #step<T>(nowMs: number | undefined, body: (step: Step) => T): readonly [T, CommitChanges] {
    const [result, step] = this.#transaction(nowMs, (time) => {
      const step = new Step(time, this.#chain.next(), this.#lanes, this.#audited);
      const result = body(step);
      this.#lanes.flush();
      if (!step.records.isEmpty) this.#chain.append(step.records, time);
      return [result, step] as const;
    });
    const { madeReady, finishedSome, controlRevision, setAside } = step;
    if (controlRevision !== undefined) this.#stops.notified(controlRevision);
    const changedControls = controlRevision !== undefined;
    return [result, { madeReady, finishedSome, changedControls, setAside }];
  }

  #transaction<T>(nowMs: number | undefined, body: (nowMs: number) => T): T {
    try {
      return this.#attempt(nowMs, body);
    } catch (error) {
      if (!(error instanceof OutdatedLease)) throw error;
      return this.#attempt(nowMs, body);
    }
  }

  /** The time is read under the lock: with a time from before the wait, a new lease could already be expired. */
  #attempt<T>(nowMs: number | undefined, body: (nowMs: number) => T): T {
    this.#lock.begin();
    try {
      this.#noticeOthers();
      const result = body(nowMs ?? systemClock.now());
      this.#commit.run();
      return result;
    } catch (error) {
      this.#forget();
      throw error;
    }
  }

  /** Rolls back: undoes the transaction in the file and in the caches of this process. */
  #forget(): void {
    this.#lanes.forget();
    this.#chain.forget();
    this.#stops.forget();
    this.#ownLeases.clear();
    try {
      this.#rollBack.run();
    } catch {
      // SQLite has rolled back by itself, for example because the disk is full.
    }
  }
}
