import { virtualClock } from '@redrive/testkit';
import { describe, expect, test, vi } from 'vitest';
import { isRedriveError } from '../errors/redrive-error.ts';
import { type EventSinkOptions, eventSink, type RecordListener } from './event-sink.ts';
import type { RetryRecord } from './record.ts';

const record = (atMs: number): RetryRecord => ({
  kind: 'breaker_changed',
  atMs,
  key: 'db',
  from: 'closed',
  to: 'open',
  failureCount: 5,
});

/** What a listener got: the times of the records of each batch, and the count of dropped ones. */
type Delivery = readonly [times: readonly number[], dropped: number];

function setUp(options: EventSinkOptions = {}, answer: (delivery: number) => unknown = () => {}) {
  const clock = virtualClock();
  const deliveries: Delivery[] = [];
  const listener: RecordListener = (batch, { dropped }) => {
    deliveries.push([batch.map(({ atMs }) => atMs), dropped]);
    return answer(deliveries.length);
  };
  const sink = eventSink(listener, { clock, ...options });
  const emit = (...times: number[]) => {
    for (const atMs of times) sink.emit(record(atMs));
  };
  return { clock, deliveries, sink, emit };
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
const fail = () => {
  throw new Error('down');
};

describe('batching', () => {
  test('records wait for each other, at most maxDelayMs, without holding the process', async () => {
    const { clock, deliveries, emit } = setUp();
    emit(1);
    await clock.advance(20);
    emit(2);
    expect(clock.holdingTimers).toBe(0);
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(29);
    expect(deliveries).toStrictEqual([]);
    await clock.advance(1);
    await clock.advance(0);
    expect(deliveries).toStrictEqual([[[1, 2], 0]]);
    expect(clock.pendingTimers).toBe(0);
  });

  test('a full batch goes at once, but never inside emit', async () => {
    const { clock, deliveries, emit } = setUp({ maxBatch: 3 });
    emit(1, 2, 3, 4, 5, 6, 7);
    expect(deliveries).toStrictEqual([]);
    await clock.advance(0);
    expect(deliveries).toStrictEqual([
      [[1, 2, 3], 0],
      [[4, 5, 6], 0],
      [[7], 0],
    ]);
    expect(clock.pendingTimers).toBe(0);
  });

  test('by default 100 records make a batch and 50 ms are the wait', async () => {
    const { clock, deliveries, emit } = setUp();
    emit(...range(1, 99));
    await clock.advance(0);
    expect(deliveries).toHaveLength(0);
    emit(100);
    await clock.advance(0);
    expect(deliveries).toStrictEqual([[range(1, 100), 0]]);
    emit(101);
    expect(clock.nextTimerInMs).toBe(50);
  });

  test('one delivery at a time; what arrives meanwhile goes afterwards, in order', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { clock, deliveries, emit } = setUp({ maxBatch: 2 }, (delivery) =>
      delivery === 1 ? promise : undefined,
    );
    emit(1, 2);
    await clock.advance(0);
    emit(3, 4, 5, 6, 7);
    // The delivery's own limit, and no timer for what must wait for it anyway.
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(1_000);
    expect(deliveries).toStrictEqual([[[1, 2], 0]]);
    resolve();
    await clock.advance(1);
    await clock.advance(0);
    expect(deliveries).toStrictEqual([
      [[1, 2], 0],
      [[3, 4], 0],
      [[5, 6], 0],
      [[7], 0],
    ]);
  });

  test('a listener that emits neither recurses nor starves the event loop', async () => {
    const clock = virtualClock();
    let deliveries = 0;
    const sink = eventSink(
      (batch) => {
        deliveries++;
        for (const one of batch) sink.emit(one);
      },
      { clock, maxBatch: 1, maxDelayMs: 50 },
    );
    sink.emit(record(1));
    await clock.advance(0);
    // A chain of microtasks would never let this line be reached.
    expect(deliveries).toBe(1);
    await clock.advance(1);
    await clock.advance(0);
    expect(deliveries).toBe(2);
  });

  test('a listener that emits a little waits for the next turn', async () => {
    const clock = virtualClock();
    const turns: number[] = [];
    const sink = eventSink(
      () => {
        turns.push(clock.monotonic());
        if (turns.length < 3) sink.emit(record(2));
      },
      { clock },
    );
    sink.emit(record(1));
    await clock.runAll();
    expect(turns).toStrictEqual([50, 100, 150]);
  });
});

describe('loss', () => {
  test('a full queue drops the newest, and the next batch says how many', async () => {
    const { clock, deliveries, sink, emit } = setUp({ maxQueue: 2 });
    emit(1, 2, 3, 4, 5);
    await clock.advance(0);
    emit(6);
    await clock.advance(50);
    await clock.advance(0);
    expect(deliveries).toStrictEqual([
      [[1, 2], 3],
      [[6], 0],
    ]);
    expect(sink.totalDropped).toBe(3);
  });

  test('by default 10,000 records may wait', () => {
    const { sink, emit } = setUp();
    emit(...range(1, 10_001));
    expect(sink.totalDropped).toBe(1);
  });

  test('the queue stays bounded while a delivery hangs', async () => {
    const { clock, sink, emit } = setUp({ maxQueue: 3, maxBatch: 1 }, () => new Promise(() => {}));
    emit(1);
    await clock.advance(0);
    emit(2, 3, 4, 5, 6);
    expect(sink.totalDropped).toBe(2);
  });

  test.each([
    ['throws', fail],
    ['rejects', () => Promise.reject(new Error('down'))],
    ['answers with a hostile thenable', () => Object.defineProperty({}, 'then', { get: fail })],
  ])('a listener that %s loses its batch, which is counted and told', async (_, failing) => {
    const onError = vi.fn();
    const { clock, deliveries, sink, emit } = setUp({ maxBatch: 2, onError }, (delivery) =>
      delivery < 3 ? failing() : undefined,
    );
    emit(1, 2, 3);
    await clock.advance(0);
    expect(onError).toHaveBeenCalledTimes(2);
    expect(onError).toHaveBeenLastCalledWith(new Error('down'), [record(3)]);
    emit(4);
    await sink.flush();
    expect(deliveries).toStrictEqual([
      [[1, 2], 0],
      [[3], 2],
      [[4], 3],
    ]);
    expect(sink.totalDropped).toBe(3);
  });

  test('a delivery that hangs fails after timeoutMs, and its late end does no harm', async () => {
    const late = Promise.withResolvers<void>();
    const onError = vi.fn();
    const { clock, deliveries, emit } = setUp({ maxBatch: 1, onError }, (delivery) =>
      delivery === 1 ? late.promise : undefined,
    );
    emit(1);
    await clock.advance(0);
    expect(clock.holdingTimers).toBe(0);
    emit(2);
    await clock.advance(9_999);
    expect(onError).not.toHaveBeenCalled();
    await clock.advance(1);
    await clock.advance(1);
    await clock.advance(0);
    expect(onError).toHaveBeenCalledOnce();
    expect(isRedriveError(onError.mock.calls[0]?.[0], 'sink_timeout')).toBe(true);
    expect(deliveries).toStrictEqual([
      [[1], 0],
      [[2], 1],
    ]);
    late.reject(new Error('too late'));
    await clock.advance(0);
    expect(onError).toHaveBeenCalledOnce();
    expect(clock.pendingTimers).toBe(0);
  });

  test.each([
    ['throws', fail],
    ['rejects', () => Promise.reject(new Error('again'))],
  ])('an onError that %s is swallowed', async (_, onError) => {
    const { sink, emit } = setUp({ onError }, fail);
    emit(1);
    await sink.flush();
    expect(sink.totalDropped).toBe(1);
  });

  test('a failing listener without onError is nobody else’s problem', async () => {
    const { sink, emit } = setUp({}, fail);
    emit(1);
    await sink.flush();
    expect(sink.totalDropped).toBe(1);
  });
});

describe('flush and close', () => {
  test('flush delivers all that was emitted before it, and leaves no timer', async () => {
    const { clock, deliveries, sink, emit } = setUp({ maxBatch: 2 });
    emit(1, 2, 3);
    await sink.flush();
    expect(deliveries).toStrictEqual([
      [[1, 2], 0],
      [[3], 0],
    ]);
    expect(clock.pendingTimers).toBe(0);
  });

  test('flush waits for the delivery in flight and for what came during it', async () => {
    const first = Promise.withResolvers<void>();
    const { clock, deliveries, sink, emit } = setUp({ maxBatch: 1 }, (delivery) =>
      delivery === 1 ? first.promise : undefined,
    );
    emit(1);
    await clock.advance(0);
    emit(2);
    const flushed = Promise.all([sink.flush(), sink.flush()]);
    first.resolve();
    await flushed;
    expect(deliveries).toStrictEqual([
      [[1], 0],
      [[2], 0],
    ]);
  });

  test('flush of an empty sink delivers nothing, and reports losses that no batch has', async () => {
    const { deliveries, sink, emit } = setUp({}, (delivery) => delivery === 1 && fail());
    await sink.flush();
    expect(deliveries).toStrictEqual([]);
    emit(1);
    await sink.flush();
    await sink.flush();
    await sink.flush();
    expect(deliveries).toStrictEqual([
      [[1], 0],
      [[], 1],
    ]);
  });

  test('close flushes, and what comes later is counted', async () => {
    const { clock, deliveries, sink, emit } = setUp();
    emit(1);
    const closed = sink.close();
    emit(2);
    await closed;
    expect(deliveries).toStrictEqual([[[1], 1]]);
    emit(3);
    expect(clock.pendingTimers).toBe(0);
    expect(sink.totalDropped).toBe(2);
  });
});

test('describes errors, with their stack when debugging', () => {
  expect(setUp().sink.describe(new Error('boom'))).toStrictEqual({
    type: 'Error',
    message: 'boom',
  });
  expect(setUp({ debug: true }).sink.describe(new Error('boom')).stackTrace).toContain('boom');
});

test('works without options', async () => {
  const batches: number[] = [];
  const sink = eventSink((batch) => batches.push(batch.length));
  sink.emit(record(1));
  await sink.close();
  expect(batches).toStrictEqual([1]);
});

test('bad options are reported all at once', () => {
  const bad = { maxQueue: 0, maxBatch: 1.5, maxDelayMs: Number.NaN, timeoutMs: 0 };
  expect(() => eventSink(() => {}, bad)).toThrow(
    /^Invalid event sink: maxQueue .*; maxBatch .*; maxDelayMs .*; timeoutMs .*\.$/,
  );
});
