import type { Clock } from '@redrive/core';
import {
  type AuditBlock,
  type Change,
  type Command,
  type Counts,
  checkLimit,
  type ExpiredFilter,
  type GroupCommit,
  groupCommit,
  type HeartbeatAnswer,
  type Job,
  type JobFilter,
  type JobPage,
  type LeasedJob,
  type LeaseRef,
  type PageRequest,
  type Pause,
  type Pulse,
  type RecordSizes,
  type Result,
  type ResultsOf,
  type Store,
  type StoredPolicy,
} from '@redrive/durable/store';
import { decodeOutcome } from '../command/decode-outcome.ts';
import { encodeCommand } from '../command/encode-command.ts';
import type { Encoded } from '../command/encoded.ts';
import type { Outcome } from '../command/outcome.ts';
import { sizeOf } from '../command/size-of.ts';
import { type JobRow, jobOf, leasedJobOf } from '../job/job-row.ts';
import type { MeasuredSizes } from '../reader/measure-records.ts';
import type { FoundPolicy } from '../reader/reader.ts';
import type { Caller } from '../thread/caller.ts';
import { isCallersFault } from '../thread/failure-error.ts';
import type { Committed } from '../writer/writer.ts';
import type { Listeners } from './listeners.ts';
import { pageOf, readPlace } from './pages.ts';
import { decodePolicy, encodePolicy } from './policy-code.ts';

/** Commands of one transaction: enough for the sync to disk to weigh little, few enough for heartbeats to come through. */
const MAX_COMMANDS = 1_000;

export interface SqliteStoreParts {
  readonly name: string;
  readonly writer: Caller;
  readonly reader: Caller;
  /** A test's. Absent: the system's, read by the threads. */
  readonly clock: Clock | undefined;
  readonly timeoutMs: number;
  readonly listeners: Listeners;
}

/** The store as this thread sees it: commands go to the writer in groups, queries to the reader. */
export class SqliteStore implements Store {
  readonly name: string;
  readonly #writer: Caller;
  readonly #reader: Caller;
  readonly #clock: Clock | undefined;
  readonly #listeners: Listeners;
  readonly #commits: GroupCommit<Encoded, Outcome>;
  #closing: Promise<void> | undefined;

  constructor({ name, writer, reader, clock, timeoutMs, listeners }: SqliteStoreParts) {
    this.name = name;
    this.#writer = writer;
    this.#reader = reader;
    this.#clock = clock;
    this.#listeners = listeners;
    this.#commits = groupCommit({
      commit: (commands) => this.#commit(commands),
      maxCommands: MAX_COMMANDS,
      sizeOf,
      inFlight: 2,
      overlapFrom: 64,
      isCallersFault,
      timeoutMs,
    });
  }

  async apply<const Cs extends readonly Command[]>(commands: Cs): Promise<ResultsOf<Cs>> {
    const outcomes = this.#commits.apply(commands.map(encodeCommand));
    // Before the commit: a claim that this brings about goes into the same transaction, behind the enqueue.
    if (commands.some(({ kind }) => kind === 'enqueue')) this.#listeners.tell('ready');
    const done = await outcomes;
    // One outcome per command, in the same order, and the result of each is of its kind.
    const results: Result[] = commands.map((command, n) =>
      decodeOutcome(done[n] as Outcome, command),
    );
    return results as unknown as ResultsOf<Cs>;
  }

  async #commit(commands: readonly Encoded[]): Promise<readonly Outcome[]> {
    const input = { commands, nowMs: this.#nowMs() };
    const { outcomes, madeReady, finishedSome } = await this.#writer.call<Committed>(
      'commit',
      input,
    );
    if (madeReady) this.#listeners.tell('ready');
    if (finishedSome) this.#listeners.tell('finished');
    return outcomes;
  }

  /** Straight to the writer: at most the transaction under way is before it. */
  heartbeat(leases: readonly LeaseRef[], leaseMs: number): Promise<readonly HeartbeatAnswer[]> {
    const refs = leases.map(({ id, token }) => [id, token] as const);
    const input = { leases: refs, leaseMs: Math.ceil(leaseMs), nowMs: this.#nowMs() };
    return this.#writer.call('heartbeat', input);
  }

  async expiredLeases(limit: number, filter: ExpiredFilter = {}): Promise<readonly LeasedJob[]> {
    const input = { limit, filter, nowMs: this.#nowMs() };
    return (await this.#reader.call<JobRow[]>('expiredLeases', input)).map(leasedJobOf);
  }

  async leasesOf(worker: string, limit: number): Promise<readonly LeasedJob[]> {
    const input = { worker, limit, nowMs: this.#nowMs() };
    return (await this.#reader.call<JobRow[]>('leasesOf', input)).map(leasedJobOf);
  }

  pulse(handlers: readonly string[]): Promise<Pulse> {
    return this.#reader.call('pulse', { handlers, nowMs: this.#nowMs() });
  }

  async job(id: string): Promise<Job | undefined> {
    const row = await this.#reader.call<JobRow | undefined>('job', id);
    return row && jobOf(row);
  }

  async finished(ids: readonly string[]): Promise<readonly Job[]> {
    if (ids.length > 0) checkLimit('ids', ids.length);
    return (await this.#reader.call<JobRow[]>('finished', ids)).map(jobOf);
  }

  async jobs(filter: JobFilter, { limit, after }: PageRequest): Promise<JobPage> {
    checkLimit('limit', limit);
    const place = after === undefined ? undefined : readPlace(after);
    // One more than asked for tells whether there is another page.
    const request = { filter, limit: limit + 1, after: place };
    const rows = await this.#reader.call<JobRow[]>('jobs', request);
    return pageOf(rows, limit);
  }

  counts(): Promise<Counts> {
    return this.#reader.call('counts', { nowMs: this.#nowMs() });
  }

  pauses(): Promise<readonly Pause[]> {
    return this.#reader.call('pauses');
  }

  registerPolicies(policies: readonly StoredPolicy[]): Promise<void> {
    return this.#writer.call('registerPolicies', policies.map(encodePolicy));
  }

  async policy(hash: string): Promise<StoredPolicy | undefined> {
    const found = await this.#reader.call<FoundPolicy | undefined>('policy', hash);
    return found && decodePolicy(hash, found);
  }

  async auditBlocks(after: number, limit: number): Promise<readonly AuditBlock[]> {
    checkLimit('limit', limit);
    return this.#reader.call('auditBlocks', { after, limit });
  }

  async recordSizes(): Promise<RecordSizes> {
    const { session, attempt, event, policy } =
      await this.#reader.call<MeasuredSizes>('recordSizes');
    return {
      session: session ?? undefined,
      attempt: attempt ?? undefined,
      event: event ?? undefined,
      policy: policy ?? undefined,
    };
  }

  watch(listener: (change: Change) => void): () => void {
    return this.#listeners.add(listener);
  }

  committed(): void {
    this.#listeners.tell('ready');
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#listeners.clear();
    await this.#commits.drain();
    await Promise.all([this.#writer.close(), this.#reader.close()]);
  }

  #nowMs(): number | undefined {
    return this.#clock?.now();
  }
}
