import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { controlOverview } from '../control/control-overview.ts';
import { schedules } from '../control/schedules.ts';
import { type Bus, type BusMessage, MAX_EVENT_BYTES, type PublishResult } from '../event/bus.ts';
import { failuresNow } from '../failing/failures-now.ts';
import { final } from '../handler/verdict.ts';
import { memoryBus } from '../memory/memory-bus.ts';
import { memoryStore } from '../memory/memory-store.ts';
import type { FullStore } from '../store/full-store.ts';
import { storeBus } from '../store/store-bus.ts';
import { faultyStore } from '../testing/faulty-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';
import { deadLetterOf } from './envelope.ts';
import {
  DEAD_LETTER_HANDLER,
  deadLetterHandler,
  deadLetterSchedule,
} from './publish-dead-letters.ts';

const SOURCE = { name: 'chunking', bus: 'main', publishTo: 'chunking.dlq' };

/** A bus in memory that remembers every message that somebody published, recognised or not. */
async function recorded() {
  const bus = memoryBus();
  await bus.declare({ name: SOURCE.publishTo });
  const sent: BusMessage[] = [];
  const publish = bus.publish.bind(bus);
  const world: { answer: (messages: readonly BusMessage[]) => Promise<readonly PublishResult[]> } =
    {
      answer: publish,
    };
  const recording: Bus = Object.assign(bus, {
    publish: async (messages: readonly BusMessage[]) => {
      const results = await world.answer(messages);
      sent.push(...messages.filter((_, n) => results[n]?.published));
      return results;
    },
  });
  return { bus: recording, sent, world, publish };
}

/** A worker whose events of the source `chunking` all die, and the schedule that publishes them. */
async function bench({
  clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 }),
  memory = memoryStore({ clock }),
  worker = 'w1',
  recording = recorded(),
  buses = async (bus: Bus, _store: FullStore): Promise<Record<string, Bus>> => ({ main: bus }),
} = {}) {
  const store = faultyStore(memory);
  const made = await recording;
  const handled: unknown[] = [];
  const work = workBench(
    {
      chunk: async (_: unknown) => final('No document'),
      collect: async (letter: unknown) => void handled.push(letter),
      [DEAD_LETTER_HANDLER]: deadLetterHandler(store, await buses(made.bus, store), { clock }),
    },
    { store, concurrency: 50, worker },
    clock,
  );
  work.jobs.schedule(...deadLetterSchedule(SOURCE));
  await work.jobs.start();
  const die = async (...payloads: unknown[]): Promise<string[]> => {
    const queue = { queue: SOURCE.name };
    const enqueued = await work.jobs.enqueueMany('chunk', payloads, queue);
    await clock.advance(10);
    return enqueued.map(({ id }) => id);
  };
  const document = async () => (await schedules(store)).schedules[0];
  return { ...work, ...made, store, memory, die, document, handled };
}

const idsOf = (messages: readonly BusMessage[]) => messages.map(({ id }) => id);

describe('publish_to', () => {
  it('publishes each dead letter of the source once, with its id and its whole event, and none again', async () => {
    const { die, clock, sent, look, document, jobs } = await bench();
    const ids = await die({ n: 1, token: 's3cret' }, { n: 2 });
    await jobs.enqueue('chunk', 'of another queue', { queue: 'other' });
    await clock.advance(16_000);
    expect(idsOf(sent)).toEqual(ids);
    const letter = deadLetterOf(await look(ids[0] ?? ''), { payload: 'full' });
    expect(JSON.parse(String(Buffer.from(sent[0]?.body ?? [])))).toEqual(letter);
    expect(letter).toMatchObject({ original_event: { n: 1, token: 's3cret' }, attempt_count: 1 });

    await clock.advance(60_000);
    expect(sent).toHaveLength(2);
    const more = await die(3);
    await clock.advance(30_000);
    expect(idsOf(sent)).toEqual([...ids, ...more]);
    expect((await document())?.totals).toMatchObject({ published: 3, skipped: 0 });
  });

  it('looks back 10 s: a death that appears after a younger one is not missed', async () => {
    const { die, clock, sent, store } = await bench();
    await clock.advance(6_000);
    const [late = ''] = await die(1);
    // On Postgres: its transaction commits last.
    const { deadLetters } = store;
    store.deadLetters = async (...question) => {
      const page = await deadLetters(...question);
      return { ...page, jobs: page.jobs.filter(({ id }) => id !== late) };
    };
    await clock.advance(8_000);
    const [younger = ''] = await die(2);
    // Past a tick, which could have published the younger one.
    await clock.advance(1_900);
    store.deadLetters = deadLetters;
    await clock.advance(60_000);
    expect(idsOf(sent)).toEqual([late, younger]);
  });

  it('a letter that dies again while it is read does not hide the letters before it', async () => {
    const { die, clock, sent, store, jobs } = await bench();
    const [again = ''] = await die(1);
    const before = await store.deadLetters({}, { limit: 1 });
    await clock.advance(9_000);
    const [between = ''] = await die(2);
    await clock.advance(5_000);
    await jobs.retry(again);
    const { deadLetters } = store;
    store.deadLetters = async () => {
      store.deadLetters = deadLetters;
      return before;
    };
    await clock.advance(60_000);
    expect(idsOf(sent)).toEqual([between, `${again}#2`]);
  });

  it('goes on when the broker is back, is shown as failing until then, and sends no confirmed letter again', async () => {
    const { die, clock, sent, world, publish, store, document } = await bench();
    const ids = await die(1, 2, 3);
    world.answer = async () => {
      throw new Error('The broker is away');
    };
    await clock.advance(60_000);
    expect(sent).toEqual([]);
    const { failures } = await failuresNow(store, await controlOverview(store));
    expect(failures.find(({ handlers }) => handlers.includes(DEAD_LETTER_HANDLER))).toMatchObject({
      retrying: 1,
      pattern: expect.stringContaining('Dead letters of chunking are not published'),
    });

    // It is back, and takes all but the second one.
    world.answer = async (messages) => {
      const results = await publish(messages);
      const full = { published: false, reason: 'refused', message: 'The queue is full' } as const;
      return results.map((result, n) => (messages[n]?.id === ids[1] ? full : result));
    };
    await clock.advance(60_000);
    expect(idsOf(sent).filter((id) => id === ids[0])).toHaveLength(1);
    world.answer = publish;
    await clock.advance(60_000);
    expect(new Set(idsOf(sent))).toEqual(new Set(ids));
    expect((await document())?.totals.published).toBe(3);
  });

  it('waits for a destination that does not exist yet', async () => {
    const { die, clock, sent, bus, look, document } = await bench({
      buses: async () => {
        const main = memoryBus();
        created.push(main);
        return { main };
      },
    });
    const ids = await die(1);
    await clock.advance(31_000);
    const { last } = (await document()) ?? {};
    expect((await look(last?.jobId ?? '')).attempts.kept.at(-1)?.error?.message).toBe(
      'Dead letters of chunking are not published to chunking.dlq: No source has the subject chunking.dlq',
    );
    await created[0]?.declare({ name: SOURCE.publishTo });
    await clock.advance(60_000);
    const [found] = (await created[0]?.peek?.({ name: SOURCE.publishTo }, 5)) ?? [];
    expect([found?.id, sent.length, bus.name]).toEqual([ids[0], 0, 'memory']);
  });
  const created: Bus[] = [];

  it('a process that dies between publish and cursor: the letters come again with the same ids', async () => {
    const { die, clock, sent, store } = await bench();
    const ids = await die(1, 2);
    const { apply } = store;
    let lost = 0;
    store.apply = (commands) => {
      const isCursor = commands.some(
        (command) => command.kind === 'control' && command.document?.includes('"position"'),
      );
      if (!isCursor || lost > 0) return apply(commands);
      lost += 1;
      return Promise.reject(new Error('The process died'));
    };
    await clock.advance(60_000);
    expect([lost, idsOf(sent)]).toEqual([1, [...ids, ...ids]]);
  });

  it('several processes: one of them publishes at a time', async () => {
    const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
    const memory = memoryStore({ clock });
    const recording = recorded();
    const one = await bench({ clock, memory, recording, worker: 'one' });
    await bench({ clock, memory, recording, worker: 'two' });
    await bench({ clock, memory, recording, worker: 'three' });
    const ids = await one.die(...Array.from({ length: 100 }, (_, n) => n));
    await clock.advance(90_000);
    expect(idsOf(one.sent)).toEqual(ids.toSorted());
  });

  it('a letter that is requeued and dies again is another message', async () => {
    const { die, clock, sent, jobs } = await bench();
    const [id = ''] = await die(1);
    await clock.advance(20_000);
    await jobs.retry(id);
    await clock.advance(30_000);
    expect(idsOf(sent)).toEqual([id, `${id}#2`]);
  });

  it('a letter that is larger than the broker takes arrives without its event', async () => {
    const { die, clock, sent, world, publish } = await bench();
    world.answer = async (messages) => {
      const results = await publish(messages.filter(({ body }) => body.length <= MAX_EVENT_BYTES));
      const large = { published: false, reason: 'too_large', message: '1 MiB' } as const;
      return messages.map(({ body }) =>
        body.length > MAX_EVENT_BYTES ? large : (results[0] ?? large),
      );
    };
    const ids = await die('x'.repeat(MAX_EVENT_BYTES - 100), 2);
    await clock.advance(16_000);
    expect(idsOf(sent).toSorted()).toEqual(ids.toSorted());
    const { original_event, redrive } = JSON.parse(
      String(sent.find(({ id }) => id === ids[0])?.body),
    );
    expect([original_event, redrive.payload]).toEqual([
      null,
      { shown: 'none', kind: 'json', bytes: MAX_EVENT_BYTES - 98 },
    ]);
  });

  it('is bounded: pages of 32 letters, 10 s per tick, and the next tick goes on', async () => {
    const { die, clock, sent, world, publish, document } = await bench();
    const pages: { letters: number; atMs: number }[] = [];
    world.answer = async (messages) => {
      pages.push({ letters: messages.length, atMs: clock.now() - START_MS });
      // A slow broker: time passes while it answers.
      await new Promise<void>((resolve) => clock.setTimer(4_000, resolve));
      return publish(messages);
    };
    const ids = await die(...Array.from({ length: 200 }, (_, n) => n));
    await clock.advance(100_000);
    expect(idsOf(sent)).toEqual(ids.toSorted());
    expect(pages.map(({ letters }) => letters)).toEqual([32, 32, 32, 32, 32, 32, 8]);
    const perTick = Map.groupBy(pages, ({ atMs }) => Math.floor(atMs / 15_000));
    expect([...perTick.values()].map(({ length }) => length)).toEqual([3, 3, 1]);
    expect((await document())?.totals.published).toBe(200);
  });

  it('letters after the store’s clock was set back are not missed', async () => {
    const { die, clock, sent } = await bench();
    const before = await die(1);
    await clock.advance(31_000);
    expect(idsOf(sent)).toEqual(before);
    clock.setWall(clock.now() - 3_600_000);
    const after = await die(2);
    await clock.advance(120_000);
    expect(new Set(idsOf(sent))).toEqual(new Set([...before, ...after]));
    expect(sent.length).toBeLessThanOrEqual(3);
  });

  it('on the store bus a dead letter is a job of the source that has the destination', async () => {
    const { die, clock, handled, look } = await bench({
      buses: async (_, store) => ({
        main: storeBus(store, [
          { name: 'dlq', subject: SOURCE.publishTo, bus: 'main', handler: 'collect' },
        ]),
      }),
    });
    const [id] = await die({ n: 1 });
    await clock.advance(20_000);
    expect(handled).toMatchObject([{ original_event: { n: 1 }, redrive: { id } }]);
    expect((await look(`dlq-${id}`)).state).toBe('succeeded');
  });

  it('refuses a job that no schedule made', async () => {
    const { jobs, clock, look } = await bench();
    const payload = { source: 'chunking', bus: 'main', publishTo: 'chunking.dlq' };
    const { id } = await jobs.enqueue(DEAD_LETTER_HANDLER, payload);
    await clock.advance(100);
    expect((await look(id)).attempts.kept[0]?.error?.message).toContain('deadLetterSchedule()');
  });
});
