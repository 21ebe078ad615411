import type { FullStore } from '@redrive/durable';
import {
  type ActCommand,
  type Command,
  checkLimit,
  type Result,
  type ResultsOf,
  type SetAsideJob,
} from '@redrive/durable/store';
import { CallLimits } from './apply/call-limits.ts';
import { changesOf } from './apply/changes.ts';
import { isControl } from './apply/control-step.ts';
import type { Batch } from './apply/plan-steps.ts';
import { mayWaitForOthers, sizeOf } from './apply/plan-steps.ts';
import type { PostgresClaimResult } from './apply/read-results.ts';
import type { Writer } from './apply/writer.ts';
import type { AuditAccess } from './audit/audit-access.ts';
import { BlockLog } from './audit/block-log.ts';
import { unavailable } from './connect/errors.ts';
import type { StoreConnections } from './connect/store-connections.ts';
import { actSubjects } from './dead-letter/act-subjects.ts';
import { deadGroups } from './dead-letter/dead-groups.ts';
import { countDead, deadLetters, earlierPayloads } from './dead-letter/dead-letters.ts';
import type { FastPaths } from './fast-paths.ts';
import type { LedgerCalls } from './ledger/ledger-calls.ts';
import { postgresLedger } from './ledger/postgres-ledger.ts';
import { forgetWorker, listWorkers, reportWorker } from './live-workers/workers.ts';
import type { Notifications } from './notifications.ts';
import type { Operations } from './operation/operations.ts';
import { standings } from './operation/standings.ts';
import { countPolicies, findPolicy, registerPolicies } from './query/audit.ts';
import { findBatch, listBatches } from './query/batches.ts';
import { controlRevision, findRates, listParks, readControls } from './query/controls.ts';
import { newestEvents, noteEventDocuments } from './query/event-documents.ts';
import { findFailing } from './query/failing.ts';
import { heartbeat } from './query/heartbeat.ts';
import {
  expiredLeases,
  findJob,
  finishedJobs,
  jobStates,
  leasesOf,
  listJobs,
} from './query/jobs.ts';
import { countJobs, pulse } from './query/overview.ts';
import type { Reader } from './query/reader.ts';
import { SetAsideRows, unreadableJob, unreadableJobs } from './query/unreadable.ts';
import { READ_TOKEN_SQL } from './read-token.ts';

/** The parts of a store. `StoreConnections` says which of them share a connection. */
export interface StoreParts {
  readonly name: string;
  readonly timeoutMs: number;
  /** Makes the tables, or brings them up to date. */
  readonly migrate: () => Promise<void>;
  /** For all that workers and callers do all day. */
  readonly writer: Writer;
  /**
   * For commands that may have to wait for somebody else's transaction: enqueueing with a unique key that it has too, and
   * acts on a job that it replaces; and for retention, which takes long while such a transaction is open.
   */
  readonly waitingWriter: Writer;
  /** For batches of only changes of control documents, which wait for each other and for nothing else. */
  readonly controlWriter: Writer;
  /** Reads on the connection of heartbeats. */
  readonly heartbeatReader: Reader;
  readonly reader: Reader;
  readonly controlReader: Reader;
  readonly notifications: Notifications;
  readonly audit: AuditAccess;
  readonly operations: Operations;
  readonly ledgerCalls: LedgerCalls;
  readonly connections: StoreConnections;
  readonly fastPaths: FastPaths;
}

/** Only callers that want the same jobs wait for a step: fewer round trips matter more than short steps. */
const ACTS_PER_STEP = 500;

export function postgresStore(parts: StoreParts): FullStore {
  const { name, timeoutMs, writer, waitingWriter, heartbeatReader, reader, notifications, audit } =
    parts;
  const { controlWriter, controlReader, operations, ledgerCalls, connections, fastPaths } = parts;
  const limits = new CallLimits(timeoutMs);
  const log = new BlockLog(reader.schema, (statement) => reader.rows(statement));
  const setAside = new SetAsideRows(reader, (notes) => apply(notes));
  let closing: Promise<void> | undefined;

  function open(): void {
    if (closing !== undefined) throw unavailable(name, 'The store is closed.');
  }

  async function apply(commands: readonly Command[]): Promise<readonly Result[]> {
    open();
    if (commands.length === 0) return [];
    const size = sizeOf(commands);
    const batch: Batch = { commands, size, endsAtMs: limits.endsAtMs, abandoned: false };
    const mayWait = commands.some(mayWaitForOthers);
    const waits = commands.every(isControl) ? controlWriter : waitingWriter;
    const under = (mayWait ? waits : writer).apply(batch);
    // Before the commit: a worker that claims now gets its claim into the same transaction, behind the enqueueing.
    if (!mayWait && commands.some(({ kind }) => kind === 'enqueue'))
      notifications.notifyHere('ready');
    const outcome = await limits.watch(under, () => {
      batch.abandoned = true;
      return unavailable(
        name,
        `No answer within ${timeoutMs} ms; it is unknown whether a running write was applied`,
      );
    });
    if ('error' in outcome) throw outcome.error;
    if ('abandoned' in outcome) throw unavailable(name, 'The call was abandoned before it began.');
    await setAside.add(outcome.results.flatMap(unreadableIn));
    const changes = changesOf(commands, outcome.results);
    if (outcome.released) changes.add('ready');
    // The claim that went with it may have been anybody's, but it was of this process.
    for (const change of changes) {
      if (change !== 'ready' || !outcome.claimed) notifications.notifyHere(change);
    }
    notifications.notifyOthers(changes);
    return outcome.results;
  }

  /** Notifies listeners of the changes of acts. */
  function notify(acts: readonly ActCommand[], results: readonly Result[]): void {
    const changes = changesOf(acts, results);
    for (const change of changes) notifications.notifyHere(change);
    notifications.notifyOthers(changes);
  }

  return {
    name,
    actsPerStep: ACTS_PER_STEP,

    async migrate() {
      open();
      return parts.migrate();
    },

    async apply<const Cs extends readonly Command[]>(commands: Cs): Promise<ResultsOf<Cs>> {
      // One result per command, of its kind, in the same order.
      return (await apply(commands)) as unknown as ResultsOf<Cs>;
    },

    async heartbeat(leases, leaseMs) {
      open();
      return heartbeat(heartbeatReader, leases, leaseMs, connections.beatsAlone ? undefined : 0);
    },

    async expiredLeases(limit, filter = {}) {
      open();
      return expiredLeases(reader, limit, filter, setAside);
    },

    async leasesOf(worker, limit) {
      open();
      return leasesOf(reader, worker, limit, setAside);
    },

    async pulse(handlers) {
      open();
      return pulse(reader, handlers);
    },

    async job(id) {
      open();
      return findJob(reader, id);
    },

    async finished(ids) {
      open();
      return finishedJobs(reader, ids);
    },

    async states(ids) {
      open();
      return jobStates(reader, ids);
    },

    async jobs(filter, page) {
      open();
      return listJobs(reader, filter, page);
    },

    async failing(request) {
      open();
      return findFailing(reader, request);
    },

    async counts() {
      open();
      return countJobs(reader);
    },

    async controls() {
      open();
      return readControls(controlReader);
    },

    async controlRevision() {
      open();
      return controlRevision(heartbeatReader);
    },

    async parks() {
      open();
      return listParks(reader);
    },

    async rates() {
      open();
      return findRates(reader);
    },

    async registerPolicies(policies) {
      open();
      return registerPolicies(reader, policies);
    },

    async policy(hash) {
      open();
      return findPolicy(reader, hash);
    },

    async countPolicies(atMost) {
      open();
      return countPolicies(reader, atMost);
    },

    async auditBlocks(after, limit) {
      open();
      checkLimit('limit', limit);
      const blocks = await log.bySeq(after, limit);
      return blocks.map(({ position: _position, ...block }) => block);
    },

    async seal() {
      open();
      return audit.seal();
    },

    async compress(options) {
      open();
      return audit.compress(options);
    },

    async readAudit() {
      open();
      return audit.read();
    },

    ledger(options) {
      open();
      return postgresLedger(ledgerCalls, options);
    },

    async deadLetters(filter, page) {
      open();
      return deadLetters(reader, filter, page, fastPaths);
    },

    async countDead(filter, atMost) {
      open();
      return countDead(reader, filter, atMost);
    },

    async deadGroups(filter, page) {
      open();
      return deadGroups(reader, filter, page);
    },

    async earlierPayloads(id) {
      open();
      return earlierPayloads(reader, id);
    },

    async actSubjects(ids) {
      open();
      return actSubjects(reader, ids);
    },

    async beginOperation(begin) {
      open();
      return operations.begin(begin);
    },

    async stepOperation(step) {
      open();
      const answer = await operations.step(step);
      if (answer.ok) notify(step.acts, answer.results);
      return answer;
    },

    async operation(id) {
      open();
      return operations.find(id);
    },

    async operations(page) {
      open();
      return operations.list(page);
    },

    async batch(id) {
      open();
      return findBatch(reader, id);
    },

    async batches(filter, page) {
      open();
      return listBatches(reader, filter, page);
    },

    async standings(ids) {
      open();
      return standings(reader, ids);
    },

    async reportWorker(report) {
      open();
      return reportWorker(reader, report);
    },

    async forgetWorker(name) {
      open();
      return forgetWorker(reader, name);
    },

    async workers(page) {
      open();
      return listWorkers(reader, page);
    },

    async noteEventDocuments(events) {
      open();
      return noteEventDocuments(reader, events);
    },

    async newestEvents(collection, documents) {
      open();
      return newestEvents(reader, collection, documents);
    },

    takeSetAside: () => setAside.take(),

    async unreadableJobs(after) {
      open();
      return unreadableJobs(reader, after);
    },

    async unreadableJob(id) {
      open();
      return unreadableJob(reader, id);
    },

    async putBack(ids) {
      open();
      return setAside.putBack(ids);
    },

    watch: (listener) => notifications.watch(listener),

    committed() {
      notifications.notifyHere('ready');
      notifications.notifyOthers(['ready']);
    },

    async readToken() {
      open();
      const [row] = await reader.rows({ name: 'redrive read_token', text: READ_TOKEN_SQL });
      return String(row?.[0]);
    },

    close() {
      closing ??= (async () => {
        const writers = [writer, waitingWriter, controlWriter];
        await Promise.all([...writers, ledgerCalls].map((one) => one.drain()));
        notifications.close();
        await Promise.all([audit.close(), connections.close()]);
        limits.close();
      })();
      return closing;
    },

    [Symbol.asyncDispose]() {
      return this.close();
    },
  };
}

/** The jobs that a claim could not read. Empty for other results. */
function unreadableIn(result: Result): readonly SetAsideJob[] {
  // Only the results of claims have it.
  return (result as Partial<PostgresClaimResult>).unreadable ?? [];
}
