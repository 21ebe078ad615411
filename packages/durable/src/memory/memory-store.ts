import { type Clock, RedriveError, systemClock } from '@redrive/core';
import { type OptionTable, resolveOptions } from '@redrive/core/fields';
import { isFinal } from '../job/job.ts';
import { transition } from '../job/transition.ts';
import type { Command, ResultsOf } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import { checkLimit } from '../store/page.ts';
import type { Change, Counts, HeartbeatAnswer, LeaseRef, StoredPolicy } from '../store/store.ts';
import { AuditLog } from './audit-log.ts';
import { AuditSeals } from './audit-seals.ts';
import { carryOut } from './carry-out.ts';
import { ControlTable } from './controls.ts';
import { copyJob, copyPayload } from './copy-job.ts';
import { actSubjectsOf, countDead, listDead, listDeadGroups } from './dead-letters.ts';
import { listFailing } from './failing.ts';
import { JobTable } from './job-table.ts';
import { Journal } from './journal.ts';
import { LedgerTable } from './ledger.ts';
import { Operations, standingsOf } from './operations.ts';
import { countJobs, expiredLeases, leasesOf, listJobs, pulseOf } from './queries.ts';
import { snapshotReader } from './snapshot-reader.ts';
import { Step } from './step.ts';
import { Workers } from './workers.ts';

export interface MemoryStoreOptions {
  /** All times are its `now()`. Default: the system's. */
  readonly clock?: Clock;
}

const OPTIONS: OptionTable<MemoryStoreOptions> = { clock: [systemClock] };

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
  const tables = { controls, operations, ledgers };
  const audit = new AuditLog();
  const seals = new AuditSeals(audit);
  const policies = new Map<string, StoredPolicy>();
  const listeners = new Set<(change: Change) => void>();
  let counted: { readonly changes: number; readonly counts: Counts } | undefined;
  let closed = false;

  /** A lease, longer; nothing else looks at a heartbeat. */
  function extend({ id, token }: LeaseRef, leaseMs: number): HeartbeatAnswer {
    const job = table.get(id);
    const answer = job && transition(job, { kind: 'extend', token, leaseMs }, clock.now());
    if (job === undefined || answer?.ok !== true) return 'lost';
    table.put({ ...job, ...answer.life });
    return job.cancelRequested ? 'cancel' : 'held';
  }

  /** One transaction with one audit block: all of it or nothing. */
  function transact<T>(carry: (step: Step) => T): T {
    open();
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

  return {
    name: 'memory',
    actsPerStep: 200,

    async apply<const Cs extends readonly Command[]>(commands: Cs): Promise<ResultsOf<Cs>> {
      const results = transact((step) =>
        commands.map((command) => carryOut(step, command, tables)),
      );
      // One result per command, of its kind, in the same order.
      return results as unknown as ResultsOf<Cs>;
    },

    async heartbeat(leases, leaseMs) {
      open();
      return leases.map((lease) => extend(lease, leaseMs));
    },

    async expiredLeases(limit, filter = {}) {
      open();
      return expiredLeases(table, filter, clock.now()).slice(0, limit).map(copyJob);
    },

    async leasesOf(worker, limit) {
      open();
      return leasesOf(table, worker, clock.now()).slice(0, limit).map(copyJob);
    },

    async pulse(handlers) {
      open();
      const { pending: unsealed, newest: anchor } = seals;
      const known = { unsealed, anchor, controlRevision: controls.revision };
      return pulseOf(table, handlers, known, clock.now());
    },

    async job(id) {
      open();
      const job = table.get(id);
      return job && copyJob(job);
    },

    async finished(ids) {
      open();
      if (ids.length > 0) checkLimit('ids', ids.length);
      const jobs = [...new Set(ids)].map((id) => table.get(id)).filter((job) => job !== undefined);
      return jobs.filter(({ state }) => isFinal(state)).map(copyJob);
    },

    async jobs(filter, page) {
      open();
      return listJobs(table, filter, page);
    },

    async failing(request) {
      open();
      return listFailing(table, request);
    },

    async counts() {
      open();
      // A consumer asks each second, also through a month of virtual time in which little happens.
      if (counted?.changes !== table.changes) {
        counted = { changes: table.changes, counts: countJobs(table, clock.now()) };
      }
      return { ...counted.counts, nowMs: clock.now() };
    },

    async controls() {
      open();
      const { revision, all } = controls;
      return { revision, nowMs: clock.now(), all };
    },

    async controlRevision() {
      open();
      return controls.revision;
    },

    async parks() {
      open();
      return table.parkedBy.parks();
    },

    async registerPolicies(added) {
      open();
      for (const policy of added) policies.set(policy.hash, policies.get(policy.hash) ?? policy);
    },

    async policy(hash) {
      open();
      return policies.get(hash);
    },

    async auditBlocks(after, limit) {
      open();
      checkLimit('limit', limit);
      return audit.after(after, limit);
    },

    async seal() {
      open();
      return seals.seal(clock.now());
    },

    async compress() {
      open();
      // Memory has no rows that would become smaller.
      return undefined;
    },

    async readAudit() {
      open();
      return snapshotReader(seals.snapshot(table, policies));
    },

    async deadLetters(filter, page) {
      open();
      return listDead(table, filter, page);
    },

    async countDead(filter, atMost) {
      open();
      return countDead(table, filter, atMost);
    },

    async deadGroups(filter, page) {
      open();
      return listDeadGroups(table, filter, page);
    },

    async earlierPayloads(id) {
      open();
      return table.earlierPayloads(id).map((earlier) => {
        return { ...earlier, payload: copyPayload(earlier.payload) };
      });
    },

    async actSubjects(ids) {
      open();
      return actSubjectsOf(table, ids);
    },

    async beginOperation(begin) {
      return transact((step) => operations.begin(step, begin));
    },

    async stepOperation(asked) {
      return transact((step) => operations.step(step, asked));
    },

    async operation(id) {
      open();
      return operations.get(id);
    },

    async operations(page) {
      open();
      return operations.list(page);
    },

    async standings(ids) {
      open();
      return standingsOf(table, ids);
    },

    async reportWorker(report) {
      open();
      workers.report(report, clock.now());
    },

    async forgetWorker(name) {
      open();
      workers.forget(name);
    },

    async workers(page) {
      open();
      return workers.list(page, clock.now());
    },

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
  };
}
