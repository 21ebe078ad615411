import {
  type AttemptContext,
  type Operation,
  type Policy,
  RedriveError,
  type RetryOptions,
  retry,
  retryBudgets,
  syncSink,
  type Timer,
} from '@redrive/core';
import { type OptionTable, resolveOptions } from '@redrive/core/fields';
import {
  type FullStore,
  type Handlers,
  type Jobs,
  type JobsOptions,
  jobsOn,
  memoryStore,
} from '@redrive/durable';
import {
  type MemoryDocuments,
  memoryDocuments,
  SWEEP_HANDLER,
  type Sweep,
} from '@redrive/durable/documents';
import {
  type Bus,
  consumeEvents,
  type EventConsumer,
  type EventSource,
  memoryBus,
} from '@redrive/durable/events';
import { DOCUMENT_QUEUE } from '@redrive/durable/store';
import { type Failure, Failures } from './ladder/failures.ts';
import { LadderProcess } from './ladder/process.ts';
import { processHandlers } from './ladder/process-handlers.ts';
import { Trace } from './ladder/trace.ts';
import { type VirtualClock, virtualClock } from './virtual-clock.ts';

export type { Failure } from './ladder/failures.ts';

export interface LadderOptions<H extends Handlers = Handlers> {
  /** Default: a new one at 2026-01-01T00:00:00Z. Its ids come from the seed from now on. */
  readonly clock?: VirtualClock | undefined;
  /** Decides about ids, and so about jitter, and about the shares of failures. Default 1. */
  readonly seed?: number | undefined;
  /** The handlers of every process. Default: none. */
  readonly handlers?: H | undefined;
  /** Sources of the memory bus, which every process consumes. Default: none. */
  readonly sources?: readonly Omit<EventSource, 'bus'>[] | undefined;
  /** Collections of the memory documents, which are swept. Default: none. */
  readonly sweeps?: readonly Omit<Sweep, 'source'>[] | undefined;
  /** Default 900,000: every 15 minutes. */
  readonly sweepEveryMs?: number | undefined;
  /** Worker processes, `p1` and so on, 1 to 16. Default 1. */
  readonly processes?: number | undefined;
  /** Options of `jobsOn` in the process with this name. Default: those of `jobsOn`, without a log, and `pollMs` 5,000. */
  readonly jobs?: ((process: string) => JobsOptions) | undefined;
  /** Failures to inject from the beginning. Default: none. */
  readonly failures?: readonly Failure[] | undefined;
  /** A process that crashed starts again after this time. `Infinity`: never. Default 1,000. */
  readonly restartAfterMs?: number | undefined;
  /** Default: `memoryStore` on the same clock. */
  readonly store?: FullStore | undefined;
}

/** The production code in virtual time, on ports in memory. See `ladder`. */
export interface Ladder<H extends Handlers> {
  readonly clock: VirtualClock;
  readonly store: FullStore;
  readonly bus: Bus;
  readonly documents: MemoryDocuments;
  /** Enqueues, cancels, waits. It is no process of the ladder: it does not work, and does not crash. */
  readonly jobs: Jobs<H>;
  /** `retry` of core on this clock. Failures meet it by its `operation`, else by the id of the policy. */
  retry<T>(
    operation: Operation<T>,
    policy: Policy,
    options?: Omit<RetryOptions, 'clock' | 'events'>,
  ): Promise<T>;
  /** Starts all processes. */
  start(): Promise<void>;
  /** Moves time, as `clock.advance` does. */
  advance(ms: number): Promise<void>;
  /** Injects a failure from now on. The answer takes it back. @throws RedriveError `invalid_option`. */
  fail(failure: Failure): () => void;
  /** Ends a process at once, as `kill -9` does. @throws RedriveError `invalid_option`: there is none with this name. */
  crash(process: string): void;
  /** One line per attempt, decision and transition since the beginning. The same seed gives the same lines. */
  trace(): Promise<readonly string[]>;
  /** Injects no more failures, and stops all processes. The store can still be read. */
  stop(): Promise<void>;
}

/** 2026-01-01T00:00:00Z. */
const START_MS = 1_767_225_600_000;
const CALLER = 'caller';
/** The store in memory loses no notification, so a poll each second would only cost time. Leases are looked at as often. */
const POLL_MS = 5_000;
/** A stop that takes longer than this many seconds of virtual time is given up. */
const STOP_SECONDS = 120;

const TABLE: OptionTable<LadderOptions> = {
  clock: [undefined],
  seed: [1, { kind: 'integer', min: 0, max: 2 ** 32 - 1 }],
  handlers: [{}],
  sources: [[]],
  sweeps: [[]],
  sweepEveryMs: [900_000, { kind: 'number', min: 1_000, max: 2 ** 31 - 1 }],
  processes: [1, { kind: 'integer', min: 1, max: 16 }],
  jobs: [undefined, { kind: 'function' }],
  failures: [[]],
  restartAfterMs: [1_000, { kind: 'number', min: 0, max: Infinity }],
  store: [undefined],
};

type Defaulted = Exclude<keyof LadderOptions, 'clock' | 'jobs' | 'store'>;
type ResolvedOptions = LadderOptions & {
  readonly [K in Defaulted]-?: Exclude<LadderOptions[K], undefined>;
};

interface Running {
  readonly process: LadderProcess;
  readonly jobs?: Jobs<Handlers>;
  readonly consumers: readonly EventConsumer[];
}

/**
 * Runs calls, events, jobs and sweeps in virtual time, with the production code on a store, a bus and documents in memory.
 * Failures are injected by rule, and a trace shows each attempt and decision. The same seed gives the same trace.
 *
 * ```ts
 * const run = ladder({
 *   seed: 7,
 *   handlers: { mail: async (to: string) => `sent to ${to}` },
 *   failures: [{ at: 'mail', error: 'retryable', untilMs: 60_000 }],
 * });
 * await run.start();
 * const job = await run.jobs.enqueue('mail', 'ada');
 * await run.advance(300_000);
 * console.log((await run.store.job(job.id))?.state); // prints: succeeded
 * await run.stop();
 * ```
 *
 * @throws RedriveError `invalid_option` with every problem at once.
 */
export function ladder<const H extends Handlers = Handlers>(
  given: LadderOptions<H> = {},
): Ladder<H> {
  // The table has the defaults, and no names of handlers.
  const options = resolveOptions('ladder', given as LadderOptions, TABLE) as ResolvedOptions;
  const { seed, restartAfterMs, sweepEveryMs } = options;
  const clock = options.clock ?? virtualClock({ startMs: START_MS });
  clock.seedIds(seed);
  const startedMs = clock.monotonic();
  const store = options.store ?? memoryStore({ clock });
  const bus = memoryBus();
  const documents = memoryDocuments({ clock });
  const trace = new Trace(store, clock.now());
  const failures = new Failures(seed, () => clock.monotonic() - startedMs);
  for (const failure of options.failures) failures.add(failure);
  const events = syncSink((record) => trace.record(record));
  const running = new Map<string, Running>();
  const restarts = new Set<Timer>();
  const budgets = retryBudgets({ clock });
  const sources = options.sources.map((source) => ({ ...source, bus: 'memory' }));
  const note = (text: string) => trace.note(clock.now(), text);
  let isOver = false;

  function born(name: string): LadderProcess {
    return new LadderProcess(name, clock, failures, () => {
      note(`${name} crashes`);
      if (restartAfterMs === Infinity) return;
      const restart = clock.setTimer(restartAfterMs, () => {
        restarts.delete(restart);
        void start(name);
      });
      restarts.add(restart);
    });
  }

  async function start(name: string): Promise<void> {
    if (isOver) return;
    const process = born(name);
    running.set(name, { process, consumers: [] });
    if (name === CALLER) return;
    note(`${name} starts`);
    const own = { bus: process.bus(bus), store: process.store(store), clock: process.clock };
    const jobs = jobsOn(own.store, processHandlers(process, { ...options, ...own, documents }), {
      ...{ log: 'off', pollMs: POLL_MS, budgets: retryBudgets({ clock: process.clock }) },
      ...options.jobs?.(name),
      worker: name,
      clock: process.clock,
    });
    if (options.sweeps.length > 0) {
      const sweeping = { handler: SWEEP_HANDLER, queue: DOCUMENT_QUEUE };
      jobs.schedule(SWEEP_HANDLER, { ...sweeping, everyMs: sweepEveryMs });
    }
    try {
      await Promise.race([jobs.start(), process.died]);
    } catch {
      // An injected failure: the process starts again, as under any supervisor.
      return process.crash();
    }
    const consumers = sources.map((source) => consumeEvents(source, { ...own, jobs }));
    if (process.isAlive) running.set(name, { process, jobs, consumers });
  }

  async function stop({ process, jobs, consumers }: Running): Promise<void> {
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    await jobs?.stop({ mode: 'release' });
    process.end();
  }

  running.set(CALLER, { process: born(CALLER), consumers: [] });
  const client = jobsOn(store, options.handlers, {
    clock,
    budgets,
    log: 'off',
    worker: 'client',
  });

  return {
    ...{ clock, store, bus, documents },
    // The same handlers; only the names and payloads that the compiler knows of are narrower.
    jobs: client as unknown as Jobs<H>,
    retry(operation, policy, more = {}) {
      const at = more.operation ?? policy.id ?? 'default';
      const budget = policy.dependency === undefined ? undefined : budgets.for(policy.dependency);
      return retry(
        (context: AttemptContext) => {
          const { sessionId: key, attempt, signal } = context;
          const process = running.get(CALLER)?.process;
          const step = { at, key, number: attempt, attempt, signal };
          return process?.step(step, () => operation(context)) as ReturnType<typeof operation>;
        },
        policy,
        { ...(budget && { budget }), ...more, clock, events },
      );
    },
    async start() {
      for (const source of sources) await bus.declare(source);
      for (let n = 1; n <= options.processes; n += 1) await start(`p${n}`);
    },
    advance: (ms) => clock.advance(ms),
    fail: (failure) => failures.add(failure),
    crash(name) {
      const known = running.get(name);
      if (known !== undefined) return known.process.crash();
      const names = [...running.keys()].join(', ');
      throw new RedriveError('invalid_option', `No process is called ${name}; known are ${names}`);
    },
    trace: () => trace.read(),
    async stop() {
      isOver = true;
      failures.clear();
      for (const restart of restarts) restart.cancel();
      let isStopped = false;
      const live = [...running.values()].filter(({ process }) => process.isAlive);
      const stopped = Promise.all(live.map(stop)).finally(() => {
        isStopped = true;
      });
      for (let n = 0; n < STOP_SECONDS && !isStopped; n += 1) await clock.advance(1_000);
      for (const { process } of live) process.end();
      if (isStopped) await stopped;
    },
  };
}
