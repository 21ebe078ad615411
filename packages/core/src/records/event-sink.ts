import { untilAlarm } from '../clock/alarm.ts';
import { type Clock, MAX_TIMER_MS, type Timer } from '../clock/clock.ts';
import { systemClock } from '../clock/system-clock.ts';
import { RedriveError } from '../errors/redrive-error.ts';
import { type OptionTable, resolveOptions } from '../fields/check-fields.ts';
import { aClock } from '../fields/rules.ts';
import type { EventSink, RetryRecord } from './record.ts';
import { syncSink } from './sync-sink.ts';

/** Gets records in the order in which they were emitted. May be asynchronous; the next batch waits for it. */
export type RecordListener = (
  batch: readonly RetryRecord[],
  info: {
    /** Records lost since the last batch that was taken: the queue was full, or the listener failed on them. */
    readonly dropped: number;
  },
) => unknown;

export interface EventSinkOptions {
  /** Keep stack traces in records. Default `false`. */
  readonly debug?: boolean | undefined;
  /** Records that may wait; further ones are dropped and counted. Default 10,000. */
  readonly maxQueue?: number;
  /** The largest number of records in one delivery; `maxBatch` waiting records are delivered at once. Default 100. */
  readonly maxBatch?: number;
  /** The longest time that a record waits for its batch to fill. Default 50. */
  readonly maxDelayMs?: number;
  /** A delivery that takes longer has failed. Default 10,000. */
  readonly timeoutMs?: number;
  /** Called with the listener's error and its batch, which is not delivered again. An error that it throws is ignored. */
  readonly onError?: ((error: unknown, batch: readonly RetryRecord[]) => unknown) | undefined;
  /** Default: the system's. */
  readonly clock?: Clock;
}

const count = { kind: 'integer', min: 1, max: 1_000_000_000 } as const;
const OPTIONS: OptionTable<EventSinkOptions & { listener: RecordListener }> = {
  listener: [null, { kind: 'function' }],
  debug: [false, { kind: 'boolean' }],
  maxQueue: [10_000, count],
  maxBatch: [100, count],
  maxDelayMs: [50, { kind: 'number', min: 0, max: MAX_TIMER_MS }],
  timeoutMs: [10_000, { kind: 'number', min: 1, max: MAX_TIMER_MS }],
  onError: [undefined, { kind: 'function' }],
  clock: [systemClock, aClock],
};

export interface BatchingSink extends EventSink {
  /** Resolves when all that was emitted before has been delivered or has failed. Never rejects. */
  flush(): Promise<void>;
  /** Flushes. Records emitted afterwards are dropped and counted. */
  close(): Promise<void>;
  /** The number of dropped records since the sink was created. */
  readonly totalDropped: number;
}

/**
 * A sink that queues records and delivers them in batches, apart from the call that emitted them: a listener that is
 * slow, fails or hangs never delays a call.
 *
 * Every dropped record is counted. A full queue and a failing listener drop records; the next batch reports their number
 * as `dropped`, `flush()` reports it with an empty batch if there is no other, and `totalDropped` has the sum. The
 * timers of the sink do not keep the process alive: `await sink.close()` before the process ends.
 *
 * ```ts
 * const sink = eventSink((batch) => post('/records', batch));
 * ```
 *
 * @throws RedriveError `invalid_option` with every problem at once.
 */
export function eventSink(listener: RecordListener, options: EventSinkOptions = {}): BatchingSink {
  const resolved = resolveOptions('event sink', { ...options, listener }, OPTIONS);
  const { maxQueue, maxBatch, maxDelayMs, timeoutMs, onError, clock } = resolved;
  const queue: RetryRecord[] = [];
  let dropped = 0;
  let totalDropped = 0;
  let closed = false;
  let timer: Timer | undefined;
  let draining: Promise<void> | undefined;

  function emit(record: RetryRecord): void {
    if (closed || queue.length >= maxQueue) {
      drop(1);
      return;
    }
    queue.push(record);
    if (draining !== undefined) return;
    // Equal, not more: one microtask per filling is enough.
    if (queue.length === Math.min(maxBatch, maxQueue)) queueMicrotask(() => void drain());
    else drainIn(maxDelayMs);
  }

  function drop(records: number): void {
    dropped += records;
    totalDropped += records;
  }

  function drainIn(delayMs: number): void {
    if (timer) return;
    timer = clock.setTimer(delayMs, () => void drain());
    timer.hold(false);
  }

  function drain(): Promise<void> {
    timer?.cancel();
    timer = undefined;
    // Not at once, so that `draining` is known when the listener runs: it may emit or flush itself.
    draining ??= Promise.resolve().then(async () => {
      await deliverQueued();
      draining = undefined;
      // By timer also when a batch is full: a listener that emits would keep a chain of microtasks going for ever.
      if (queue.length > 0) drainIn(queue.length >= maxBatch ? 1 : maxDelayMs);
    });
    return draining;
  }

  /** Delivers the batches that are queued now. Records that arrive meanwhile fill them up or wait for the next turn. */
  async function deliverQueued(): Promise<void> {
    let left = queue.length;
    if (left === 0 && dropped === 0) return;
    do {
      await deliver(queue.splice(0, maxBatch));
      left -= maxBatch;
    } while (left > 0);
  }

  function tooSlow(): RedriveError {
    const message = `The listener took longer than ${timeoutMs} ms; its batch counts as lost`;
    return new RedriveError('sink_timeout', message, { timeoutMs });
  }

  async function deliver(batch: readonly RetryRecord[]): Promise<void> {
    const reported = dropped;
    dropped = 0;
    try {
      const call = () => listener(batch, { dropped: reported });
      await untilAlarm(clock, timeoutMs, true, undefined, call, tooSlow);
    } catch (error) {
      dropped += reported;
      drop(batch.length);
      // An async function makes a rejection of a throw, so that one handler swallows both.
      (async () => onError?.(error, batch))().catch(() => {});
    }
  }

  async function flush(): Promise<void> {
    await draining;
    await drain();
  }

  return {
    ...syncSink(emit, resolved),
    flush,
    close() {
      closed = true;
      return flush();
    },
    get totalDropped() {
      return totalDropped;
    },
  };
}
