import { type Clock, RedriveError, systemClock } from '@redrive/core';
import { aClock, type OptionTable, resolveOptions } from '@redrive/core/fields';
import { isFinal } from '../job/job.ts';
import { transition } from '../job/transition.ts';
import type { Command, ResultsOf } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import { checkLimit } from '../store/page.ts';
import type { Change, Counts, HeartbeatAnswer, LeaseRef, StoredPolicy } from '../store/store.ts';
import { AuditLog } from './audit-log.ts';
import { carryOut } from './carry-out.ts';
import { ControlTable } from './controls.ts';
import { actSubjectsOf, countDead, listDead, listDeadGroups } from './dead-letters.ts';
import { EventDocumentTable } from './event-documents.ts';
import { copyJob, copyPayload, JobTable } from './job-table.ts';
import { Journal } from './journal.ts';
import { LedgerTable } from './ledger.ts';
import { Operations, standingsOf } from './operations.ts';
import { countJobs, expiredLeases, leasesOf, listFailing, listJobs, pulseOf } from './queries.ts';
import { RateTable } from './rates.ts';
import { snapshotReader } from './snapshot-reader.ts';
import { Step } from './step.ts';
import { Workers } from './workers.ts';

export interface MemoryStoreOptions {
  /** All times are its `now()`. Default: the system's. */
  readonly clock?: Clock;
}

const OPTIONS: OptionTable<MemoryStoreOptions> = { clock: [systemClock, aClock] };

/**
 * A store in this process's memory, for tests and simulations. It ends with the process, and only `prune` deletes jobs.
 * The other stores are compared with it in tests.
 *
 * @throws RedriveError `invalid_option`.
 */
export function memoryStore(options: MemoryStoreOptions = {}): FullStore {
  const { clock } = resolveOptions('memory store', options, OPTIONS);
  const journal = new Journal();
  const table = new JobTable(journal);
  const controls = new ControlTable(journal);
  const operations = new Operations(journal);
  const ledgers = new LedgerTable();
  const workers = new Workers();
  const eventDocuments = new EventDocumentTable(table);
  const rates = new RateTable(journal, table);
  const tables = { controls, operations, ledgers, eventDocuments, rates };
  const audit = new AuditLog();
  const policies = new Map<string, StoredPolicy>();
  const listeners = new Set<(change: Change) => void>();
  let counted: { readonly changes: number; readonly counts: Counts } | undefined;
  let closed = false;

  /** A lease, longer; nothing else looks at a heartbeat. */
  function extend({ id, token, progress }: LeaseRef, leaseMs: number): HeartbeatAnswer {
    const job = table.get(id);
    const event = { kind: 'extend', token, leaseMs, progress } as const;
    const answer = job && transition(job, event, clock.now());
    if (job === undefined || answer?.ok !== true) return 'lost';
    table.put({ ...job, ...answer.life });
    return job.cancelRequested ? 'cancel' : 'held';
  }

  /** One transaction with one audit block: all of it or nothing. */
  function transact<T>(carry: (step: Step) => T): T {
    const step = new Step(table, clock.now(), audit.nextSeq);
    const answer = journal.atomically(() => carry(step));
    audit.append(step.records, step.nowMs);
    for (const change of step.changes) notify(change);
    return answer;
  }

  function notify(change: Change): void {
    // Each in a turn of its own: an error of a listener reaches nobody else, and is not lost.
    for (const listener of listeners) queueMicrotask(() => listener(change));
  }

  function open(): void {
    if (!closed) return;
    throw new RedriveError('store_unavailable', 'The memory store is closed', { store: 'memory' });
  }

  /** A method of the store: it rejects once the store is closed. */
  function method<Args extends readonly unknown[], R>(run: (...args: Args) => R) {
    return async (...args: Args): Promise<R> => {
      open();
      return run(...args);
    };
  }

  return {
    name: 'memory',
    actsPerStep: 200,

    async apply<const Cs extends readonly Command[]>(commands: Cs): Promise<ResultsOf<Cs>> {
      open();
      const results = transact((step) =>
        commands.map((command) => carryOut(step, command, tables)),
      );
      // One result per command, of its kind, in the same order.
      return results as unknown as ResultsOf<Cs>;
    },

    heartbeat: method((leases, leaseMs) => leases.map((lease) => extend(lease, leaseMs))),
    expiredLeases: method((limit, filter = {}) =>
      expiredLeases(table, filter, clock.now()).slice(0, limit).map(copyJob),
    ),
    leasesOf: method((worker, limit) =>
      leasesOf(table, worker, clock.now()).slice(0, limit).map(copyJob),
    ),
    pulse: method((handlers) => {
      const { pending: unsealed, newest: anchor } = audit;
      const known = { unsealed, anchor, controlRevision: controls.revision };
      return pulseOf(table, handlers, known, clock.now());
    }),

    job: method((id) => {
      const job = table.get(id);
      return job && copyJob(job);
    }),
    finished: method((ids) =>
      table
        .all(ids)
        .filter(({ state }) => isFinal(state))
        .map(copyJob),
    ),
    states: method((ids) => new Map(table.all(ids).map(({ id, state }) => [id, state]))),
    jobs: method((filter, page) => listJobs(table, filter, page)),
    failing: method((request) => listFailing(table, request)),
    counts: method(() => {
      // A consumer asks each second, also through a month of virtual time in which little changes.
      if (counted?.changes !== table.changes) {
        counted = { changes: table.changes, counts: countJobs(table, clock.now()) };
      }
      return { ...counted.counts, nowMs: clock.now() };
    }),

    controls: method(() => ({
      revision: controls.revision,
      nowMs: clock.now(),
      all: controls.all,
    })),
    controlRevision: method(() => controls.revision),
    parks: method(() => table.parkedBy.parks()),
    rates: method(() => rates.waiting()),

    registerPolicies: method((added) => {
      for (const policy of added) policies.set(policy.hash, policies.get(policy.hash) ?? policy);
    }),
    policy: method((hash) => policies.get(hash)),
    countPolicies: method((atMost) => Math.min(policies.size, atMost)),
    auditBlocks: method((after, limit) => {
      checkLimit('limit', limit);
      return audit.after(after, limit);
    }),
    seal: method(() => audit.seal(clock.now())),
    // Memory has no rows that would become smaller.
    compress: method(() => undefined),
    readAudit: method(() => snapshotReader(audit.snapshot(table, policies))),

    batch: method((id) => table.batches.get(id)),
    batches: method((filter, page) => table.batches.list(filter, page)),

    deadLetters: method((filter, page) => listDead(table, filter, page)),
    countDead: method((filter, atMost) => countDead(table, filter, atMost)),
    deadGroups: method((filter, page) => listDeadGroups(table, filter, page)),
    earlierPayloads: method((id) =>
      table
        .earlierPayloads(id)
        .map((earlier) => ({ ...earlier, payload: copyPayload(earlier.payload) })),
    ),
    actSubjects: method((ids) => actSubjectsOf(table, ids)),

    beginOperation: method((begin) => transact((step) => operations.begin(step, begin))),
    stepOperation: method((asked) => transact((step) => operations.step(step, asked))),
    operation: method((id) => operations.get(id)),
    operations: method((page) => operations.list(page)),
    standings: method((ids) => standingsOf(table, ids)),

    reportWorker: method((report) => workers.report(report, clock.now())),
    forgetWorker: method((name) => workers.forget(name)),
    workers: method((page) => workers.list(page, clock.now())),

    noteEventDocuments: method((events) => eventDocuments.note(events)),
    newestEvents: method((collection, documents) => {
      if (documents.length > 0) checkLimit('documents', documents.length);
      return eventDocuments.newest(collection, documents);
    }),

    ledger(ledgerOptions) {
      const now = (): number => {
        open();
        return clock.now();
      };
      return ledgers.ledger(now, ledgerOptions);
    },

    // Objects in memory can always be read.
    takeSetAside: () => [],
    unreadableJobs: async () => ({ jobs: [], looked: 0 }),
    unreadableJob: async () => undefined,
    putBack: async () => [],

    watch(listener) {
      const own = (change: Change): void => listener(change);
      listeners.add(own);
      return () => void listeners.delete(own);
    },

    committed() {
      notify('ready');
    },

    async migrate() {},

    async close() {
      closed = true;
      listeners.clear();
    },

    [Symbol.asyncDispose]() {
      return this.close();
    },
  };
}
