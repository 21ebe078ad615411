import { type Clock, systemClock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import {
  type Change,
  type Command,
  type Compressed,
  type CompressOptions,
  commandSize,
  encodeProgress,
  type GroupCommit,
  groupCommit,
  type ResultsOf,
  type SetAsideJob,
} from '@redrive/durable/store';
import { openAuditReader } from '../audit/open-audit-reader.ts';
import { askBatches } from '../batch/ask-batches.ts';
import { encodeCommand } from '../command/encode-command.ts';
import { CONTROL, ENQUEUE, type Encoded, SETTLE } from '../command/encoded.ts';
import { type CommandOutcome, decodeOutcome, type Outcome } from '../command/outcome.ts';
import { askControls } from '../control/ask-controls.ts';
import { askDeadLetters } from '../dead-letter/ask-dead-letters.ts';
import { askEventDocuments } from '../event/event-documents.ts';
import type { LedgerOutcome } from '../ledger/ledger-table.ts';
import { type LedgerParts, sqliteLedger } from '../ledger/sqlite-ledger.ts';
import { askWorkers } from '../live-workers/ask-workers.ts';
import { askOperations } from '../operation/ask-operations.ts';
import { askJobs } from '../reader/ask-jobs.ts';
import type { Reads } from '../reader/reader-tasks.ts';
import type { Calls } from '../thread/protocol.ts';
import { isCallersFault } from '../thread/thread.ts';
import type { WriteBackHelper } from '../write-back/write-back.ts';
import type { EncodedLease } from '../writer/leasing.ts';
import { encodePolicy } from '../writer/policy-table.ts';
import type { CommitChanges } from '../writer/writer.ts';
import type { Writes } from '../writer/writer-tasks.ts';

/** Commands of one transaction: enough for the sync to disk to weigh little, few enough for heartbeats to come through. */
const MAX_COMMANDS = 1_000;

export interface SqliteStoreParts {
  readonly name: string;
  readonly writer: Calls<Writes>;
  readonly reader: Calls<Reads>;
  /** Called before every change of jobs. */
  readonly beginChanges: () => void;
  readonly helper: WriteBackHelper;
  /** A test's. Absent: the system's, read by the threads. */
  readonly clock: Clock | undefined;
  readonly timeoutMs: number;
  readonly listeners: Listeners;
  /** Commands that are worth a transaction of their own while another one is under way. */
  readonly overlapFrom: number;
}

/**
 * The store as this thread sees it: commands go to the writer in groups, queries to the reader. `writer.call('commit')`
 * sends a message to the writer's thread, where `writer-tasks.ts` calls `Writer.commit`.
 */
export function sqliteStore(parts: SqliteStoreParts): FullStore {
  const { name, writer, reader, beginChanges, helper, clock, timeoutMs, listeners, overlapFrom } =
    parts;
  const commits: GroupCommit<Encoded, Outcome> = groupCommit({
    commit: async (commands) => {
      const committed = await writer.call('commit', { commands, nowMs: nowMs() });
      notify(committed);
      return committed.outcomes;
    },
    maxCommands: MAX_COMMANDS,
    sizeOf,
    inFlight: 2,
    overlapFrom,
    isCallersFault,
    timeoutMs,
  });
  /** Jobs that were set aside and not yet reported. */
  let aside: SetAsideJob[] = [];
  let closing: Promise<void> | undefined;

  function nowMs(): number | undefined {
    return clock?.now();
  }

  function notify({ madeReady, finishedSome, changedControls, setAside }: CommitChanges): void {
    aside.push(...setAside);
    if (changedControls) listeners.notify('control');
    if (madeReady) listeners.notify('ready');
    if (finishedSome) listeners.notify('finished');
  }

  async function end(): Promise<void> {
    listeners.clear();
    await commits.drain();
    await Promise.all([writer.close(), reader.close(), helper.close()]);
  }

  return {
    name,
    migrate: () => writer.call('migrate'),
    ...askJobs(reader, clock, async (ids) => {
      notify(await writer.call('setAside', { ids, nowMs: nowMs() }));
    }),
    ...askDeadLetters(reader),
    ...askBatches(reader),
    ...askOperations({ reader, writer, clock, onCommit: notify }),
    ...askControls({ reader, writer, clock }),
    ...askWorkers({ commit: (call) => commits.apply([call]), reader, clock }),
    ...askEventDocuments((call) => commits.apply([call]), reader),

    async apply<const Cs extends readonly Command[]>(commands: Cs): Promise<ResultsOf<Cs>> {
      if (commands.some(({ kind }) => kind !== 'note')) beginChanges();
      const outcomes = commits.apply(commands.map(encodeCommand));
      // Before the commit: a claim that this brings about goes into the same transaction, behind the enqueue.
      if (commands.some(({ kind }) => kind === 'enqueue')) listeners.notify('ready');
      const done = await outcomes;
      const results = commands.map((command, n) =>
        decodeOutcome(done[n] as CommandOutcome, command),
      );
      // One outcome per command, in the same order, and the result of each is of its kind.
      return results as unknown as ResultsOf<Cs>;
    },

    /** Straight to the writer: at most the transaction under way is before it. */
    heartbeat(leases, leaseMs) {
      beginChanges();
      const refs = leases.map(({ id, token, progress }): EncodedLease => {
        return [id, token, progress && JSON.stringify(encodeProgress(progress))];
      });
      const input = { leases: refs, leaseMs: Math.ceil(leaseMs), nowMs: nowMs() };
      return writer.call('heartbeat', input);
    },

    registerPolicies: (policies) => writer.call('registerPolicies', policies.map(encodePolicy)),

    /** Straight to the writer, like a heartbeat: it is one transaction of its own. */
    seal: () => writer.call('seal', { nowMs: nowMs() }),

    compress: (options) => askCompress({ reader, writer, clock }, options),

    readAudit: () => openAuditReader(reader, clock ?? systemClock),

    ledger(options) {
      const ledgerParts: LedgerParts = {
        // One call, one outcome, and of its kind.
        commit: async (call) => (await commits.apply([call]))[0] as LedgerOutcome,
        find: (key) => reader.call('ledgerKey', { key, nowMs: nowMs() }),
      };
      return sqliteLedger(ledgerParts, options);
    },

    takeSetAside() {
      const taken = aside;
      aside = [];
      return taken;
    },

    unreadableJob: (id) => reader.call('unreadableJob', id),
    unreadableJobs: (after) => reader.call('unreadableJobs', { after }),

    async putBack(ids) {
      const input = { ids, nowMs: nowMs() };
      const done = await writer.call('putBack', input);
      notify(done);
      return done.ids;
    },

    watch: (listener) => listeners.add(listener),

    committed: () => listeners.notify('ready'),

    close() {
      closing ??= end();
      return closing;
    },

    [Symbol.asyncDispose]() {
      return this.close();
    },
  };
}

const ACT_PAYLOAD = 7;
const LEDGER_VALUE = 4;

/** How many commands an encoded one counts for. */
function sizeOf(command: Encoded): number {
  switch (command[0]) {
    case 'enqueue':
      return commandSize(command[ENQUEUE.payload].length);
    case 'settle': {
      const follow = command[SETTLE.follow] ?? [];
      const own = commandSize(command[SETTLE.result]?.length ?? 0);
      return follow.reduce((size, each) => size + sizeOf(each), own);
    }
    case 'act':
      return commandSize(command[ACT_PAYLOAD]?.length ?? 0);
    case 'end':
      return commandSize(command[LEDGER_VALUE]?.length ?? 0);
    case 'control':
      return commandSize(
        (command[CONTROL.document] ?? '').length + (command[CONTROL.note] ?? '').length,
      );
    default:
      return 1;
  }
}

/** One step of compressing the audit log: the reading thread makes a pack, the writing thread stores it. */
async function askCompress(
  {
    reader,
    writer,
    clock,
  }: { reader: Calls<Reads>; writer: Calls<Writes>; clock: Clock | undefined },
  options: CompressOptions,
): Promise<Compressed | undefined> {
  const input = { options, nowMs: clock?.now() };
  const prepared = await reader.call('preparePack', input);
  if (prepared === undefined) return undefined;
  const isWritten = await writer.call('compress', prepared.pack);
  return isWritten ? prepared.compressed : undefined;
}

/** Listeners for possible changes. */
export class Listeners {
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #onFirst: () => void;
  readonly #onNone: () => void;

  /** `onFirst` is called at the first listener, `onNone` after the last one has left. */
  constructor(onFirst: () => void, onNone: () => void) {
    this.#onFirst = onFirst;
    this.#onNone = onNone;
  }

  add(listener: (change: Change) => void): () => void {
    // One of its own, so that the same function may listen twice.
    const own = (change: Change): void => listener(change);
    this.#listeners.add(own);
    if (this.#listeners.size === 1) this.#onFirst();
    return () => {
      if (this.#listeners.delete(own) && this.#listeners.size === 0) this.#onNone();
    };
  }

  /** Whether anybody listens. */
  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  notify(change: Change): void {
    // Each in a turn of its own: an error of a listener reaches nobody else, and is not lost.
    for (const listener of this.#listeners) {
      queueMicrotask(() => {
        if (this.#listeners.has(listener)) listener(change);
      });
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}
