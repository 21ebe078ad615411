import { type Clock, type OnceLedger, systemClock } from '@redrive/core';
import {
  type ActCommand,
  type ActResult,
  type Anchor,
  type AuditBlock,
  type AuditReader,
  type BeginOperation,
  type BoundedCount,
  type Change,
  type Command,
  type Counts,
  checkLimit,
  checkTriedActs,
  type DeadFilter,
  type DeadGroupPage,
  type DeadGroupPageRequest,
  type DeadPage,
  type DeadPageRequest,
  type EarlierPayload,
  type ExpiredFilter,
  type FullStore,
  type GroupCommit,
  groupCommit,
  type HeartbeatAnswer,
  type Job,
  type JobFilter,
  type JobPage,
  type LeasedJob,
  type LeaseRef,
  type LedgerOptions,
  type Operation,
  type OperationStep,
  type OperationStepResult,
  type PageRequest,
  type Pause,
  type Pulse,
  type RecordSizes,
  type Result,
  type ResultsOf,
  type StoredPolicy,
  stepRefusal,
} from '@redrive/durable/store';
import { openAuditReader } from '../audit/open-audit-reader.ts';
import { decodeOutcome } from '../command/decode-outcome.ts';
import { encodeAct, encodeCommand } from '../command/encode-command.ts';
import type { Encoded } from '../command/encoded.ts';
import type { CommandOutcome, Outcome } from '../command/outcome.ts';
import { sizeOf } from '../command/size-of.ts';
import { askDeadLetters } from '../dead-letter/ask-dead-letters.ts';
import { type JobRow, jobOf, leasedJobOf } from '../job/job-row.ts';
import type { LedgerOutcome } from '../ledger/encoded-ledger.ts';
import { type LedgerParts, sqliteLedger } from '../ledger/sqlite-ledger.ts';
import type { EncodedStep } from '../operation/operations.ts';
import type { MeasuredSizes } from '../reader/measure-records.ts';
import type { FoundPolicy } from '../reader/reader.ts';
import type { Caller } from '../thread/caller.ts';
import { isCallersFault } from '../thread/failure-error.ts';
import type { WriteBackHelper } from '../write-back/write-back-helper.ts';
import type { Committed, OperationStepped } from '../writer/writer.ts';
import type { Listeners } from './listeners.ts';
import { pageOf, readPlace } from './pages.ts';
import { decodePolicy, encodePolicy } from './policy-code.ts';

/** Commands of one transaction: enough for the sync to disk to weigh little, few enough for heartbeats to come through. */
const MAX_COMMANDS = 1_000;

export interface SqliteStoreParts {
  readonly name: string;
  readonly writer: Caller;
  readonly reader: Caller;
  readonly helper: WriteBackHelper;
  /** A test's. Absent: the system's, read by the threads. */
  readonly clock: Clock | undefined;
  readonly timeoutMs: number;
  readonly listeners: Listeners;
}

/** The store as this thread sees it: commands go to the writer in groups, queries to the reader. */
export class SqliteStore implements FullStore {
  readonly name: string;
  readonly #writer: Caller;
  readonly #reader: Caller;
  readonly #helper: WriteBackHelper;
  readonly #clock: Clock | undefined;
  readonly #listeners: Listeners;
  readonly #commits: GroupCommit<Encoded, Outcome>;
  readonly #dead: ReturnType<typeof askDeadLetters>;
  #closing: Promise<void> | undefined;

  constructor({ name, writer, reader, helper, clock, timeoutMs, listeners }: SqliteStoreParts) {
    this.name = name;
    this.#writer = writer;
    this.#reader = reader;
    this.#helper = helper;
    this.#clock = clock;
    this.#listeners = listeners;
    this.#dead = askDeadLetters(reader);
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
      decodeOutcome(done[n] as CommandOutcome, command),
    );
    return results as unknown as ResultsOf<Cs>;
  }

  async #commit(commands: readonly Encoded[]): Promise<readonly Outcome[]> {
    const input = { commands, nowMs: this.#nowMs() };
    const committed = await this.#writer.call<Committed>('commit', input);
    this.#tell(committed);
    return committed.outcomes;
  }

  #tell({ madeReady, finishedSome }: Omit<Committed, 'outcomes'>): void {
    if (madeReady) this.#listeners.tell('ready');
    if (finishedSome) this.#listeners.tell('finished');
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

  /** Straight to the writer, like a heartbeat: it is one transaction of its own. */
  seal(): Promise<Anchor | undefined> {
    return this.#writer.call('seal', { nowMs: this.#nowMs() });
  }

  readAudit(): Promise<AuditReader> {
    return openAuditReader(this.#reader, this.#clock ?? systemClock);
  }

  deadLetters(filter: DeadFilter, page: DeadPageRequest): Promise<DeadPage> {
    return this.#dead.deadLetters(filter, page);
  }

  countDead(filter: DeadFilter, atMost: number): Promise<BoundedCount> {
    return this.#dead.countDead(filter, atMost);
  }

  deadGroups(filter: DeadFilter, page: DeadGroupPageRequest): Promise<DeadGroupPage> {
    return this.#dead.deadGroups(filter, page);
  }

  earlierPayloads(id: string): Promise<readonly EarlierPayload[]> {
    return this.#dead.earlierPayloads(id);
  }

  async tryActs(acts: readonly ActCommand[]): Promise<readonly ActResult[]> {
    checkTriedActs(acts.length);
    return this.#writer.call('tryActs', { acts: acts.map(encodeAct), nowMs: this.#nowMs() });
  }

  beginOperation(begin: BeginOperation): Promise<Operation> {
    return this.#writer.call('beginOperation', { begin, nowMs: this.#nowMs() });
  }

  async stepOperation(asked: OperationStep): Promise<OperationStepResult> {
    // Refuses too many acts before they cross.
    stepRefusal(undefined, asked);
    const step: EncodedStep = { ...asked, acts: asked.acts.map(encodeAct) };
    const input = { step, nowMs: this.#nowMs() };
    const stepped = await this.#writer.call<OperationStepped>('stepOperation', input);
    this.#tell(stepped);
    return stepped.result;
  }

  operation(id: string): Promise<Operation | undefined> {
    return this.#reader.call('operation', id);
  }

  ledger(options?: LedgerOptions): OnceLedger {
    const parts: LedgerParts = {
      // One call, one outcome, and of its kind.
      commit: async (call) => (await this.#commits.apply([call]))[0] as LedgerOutcome,
      find: (key) => this.#reader.call('ledgerKey', { key, nowMs: this.#nowMs() }),
    };
    return sqliteLedger(parts, options);
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
    await Promise.all([this.#writer.close(), this.#reader.close(), this.#helper.close()]);
  }

  #nowMs(): number | undefined {
    return this.#clock?.now();
  }
}
