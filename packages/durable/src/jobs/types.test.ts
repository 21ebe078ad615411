import { expectTypeOf, it } from 'vitest';
import { commandHandler } from '../command/command-handler.ts';
import { type Handlers, type PayloadOf, runsElsewhere } from '../handler/handler.ts';
import type { OneOfMany } from '../handler/take-many.ts';
import { final, retryAfter } from '../handler/verdict.ts';
import { memoryStore } from '../memory/memory-store.ts';
import type { Enqueued, Jobs } from './jobs.ts';
import { jobsOn } from './jobs-on.ts';

const handlers = {
  resize: async (payload: { url: string; width: number }) => ({ bytes: payload.width }),
  mail: { run: (to: string) => (to === '' ? final('nobody') : 7), concurrency: 2 },
  tick: () => {},
  index: {
    runMany: async (all: readonly OneOfMany<{ page: number }>[]) =>
      all.map(({ payload }) => (payload.page > 0 ? payload.page : final('no such page'))),
    upTo: 10,
  },
  blob: async (bytes: Uint8Array) => (bytes.length > 0 ? 'done' : retryAfter(1_000)),
} as const;

it('payloads and results are those of the handler', () => {
  // Only looked at by the compiler.
  const check = async () => {
    const jobs = jobsOn(memoryStore(), handlers);
    const job = await jobs.enqueue('resize', { url: 'x', width: 1 });
    expectTypeOf(await jobs.wait(job)).toEqualTypeOf<{ bytes: number }>();
    expectTypeOf(await jobs.wait(await jobs.enqueue('mail', 'ada'))).toEqualTypeOf<number>();
    expectTypeOf(
      await jobs.wait(await jobs.enqueue('blob', new Uint8Array())),
    ).toEqualTypeOf<'done'>();
    expectTypeOf(await jobs.wait(await jobs.enqueue('tick', undefined))).toEqualTypeOf<void>();
    expectTypeOf(await jobs.wait<'mail'>('an id')).toEqualTypeOf<number>();
    const [first] = await jobs.enqueueMany('mail', ['a', 'b']);
    if (first) expectTypeOf(await jobs.wait(first)).toEqualTypeOf<number>();
    expectTypeOf(job.handler).toEqualTypeOf<'resize'>();
    expectTypeOf(await jobs.wait(await jobs.enqueue('index', { page: 1 }))).toEqualTypeOf<number>();
    // @ts-expect-error: not the payload of one job.
    await jobs.enqueue('index', [{ page: 1 }]);
    // @ts-expect-error: no such handler.
    await jobs.enqueue('resise', { url: 'x', width: 1 });
    // @ts-expect-error: a field is missing.
    await jobs.enqueue('resize', { url: 'x' });
    // @ts-expect-error: not a text.
    jobs.prepare('mail', 5);
    // @ts-expect-error: one of them is not a text.
    await jobs.enqueueMany('mail', ['a', 1]);
    await jobs.enqueueMany('mail', ['a', 'b'], { queue: 'q' });
    await jobs.enqueueMany('resize', [], ({ url }, n) => ({ uniqueKey: url, priority: n }));
    // @ts-expect-error: the jobs cannot share a unique key.
    await jobs.enqueueMany('mail', ['a', 'b'], { uniqueKey: 'k' });
    // @ts-expect-error: the jobs cannot share an idempotency key.
    await jobs.enqueueMany('mail', ['a', 'b'], { idempotencyKey: 'k' });
    // @ts-expect-error: all jobs are stored, or none.
    await jobs.enqueueMany('mail', ['a'], () => ({ uniqueKey: 'k', onConflict: 'refuse' }));
    // @ts-expect-error: the function is synchronous.
    await jobs.enqueueMany('mail', ['a'], async () => ({ uniqueKey: 'k' }));
  };
  expectTypeOf(check).toBeFunction();
});

it('the payload may be left out exactly where the handler takes undefined', () => {
  const check = async () => {
    const jobs = jobsOn(memoryStore(), {
      tick: () => {},
      greet: (name?: string) => name?.length ?? 0,
      find: { run: (id: number | undefined) => id },
      mail: (to: string) => to,
      paint: (shape: { kind: 'circle'; at: [number, number] } | null) => shape,
      ping: runsElsewhere(),
    });
    expectTypeOf(await jobs.enqueue('tick')).toEqualTypeOf<Enqueued<'tick'>>();
    expectTypeOf(await jobs.wait(await jobs.enqueue('greet'))).toEqualTypeOf<number>();
    await jobs.enqueue('greet', 'ada', { delayMs: 5 });
    await jobs.enqueue('find');
    await jobs.enqueue('ping');
    await jobs.enqueue('tick', undefined, { delayMs: 5 });
    jobs.prepare('tick');
    await jobs.enqueue('paint', { kind: 'circle', at: [1, 2] });
    // @ts-expect-error: the payload is missing.
    await jobs.enqueue('mail');
    // @ts-expect-error: the payload is missing; null is not undefined.
    await jobs.enqueue('paint');
    // @ts-expect-error: the payload is missing.
    jobs.prepare('mail');
    // @ts-expect-error: not a text.
    await jobs.enqueue('greet', 5);
  };
  expectTypeOf(check).toBeFunction();
});

it('a function over any handler passes a payload on', () => {
  const soon = <H extends Handlers, K extends keyof H & string>(
    jobs: Jobs<H>,
    handler: K,
    payload: PayloadOf<H[K]>,
  ) => jobs.enqueue(handler, payload, { delayMs: 5 });
  expectTypeOf(soon).toBeFunction();
});

it('a handler that runs elsewhere has the payload and the result that it is given', () => {
  const check = async () => {
    const jobs = jobsOn(memoryStore(), {
      resize: runsElsewhere<{ width: number }, { bytes: number }>(),
      ping: runsElsewhere(),
    });
    const job = await jobs.enqueue('resize', { width: 1 });
    expectTypeOf(await jobs.wait(job)).toEqualTypeOf<{ bytes: number }>();
    expectTypeOf(await jobs.wait(await jobs.enqueue('ping', [1]))).toEqualTypeOf<unknown>();
    // @ts-expect-error: not a number.
    await jobs.enqueue('resize', { width: '1' });
  };
  expectTypeOf(check).toBeFunction();
});

it('an option of a handler or of jobsOn that is misspelt or wrong is refused', () => {
  const check = () => {
    const run = (to: string) => to;
    // @ts-expect-error: the option is called concurrency.
    jobsOn(memoryStore(), { mail: { run, concurency: 3 } });
    // @ts-expect-error: the second handler has an unknown option.
    jobsOn(memoryStore(), { mail: { run, concurrency: 3 }, pay: { run, retries: 3 } });
    // @ts-expect-error: a number of jobs.
    jobsOn(memoryStore(), { mail: { run, concurrency: '3' } });
    // @ts-expect-error: syncSink() makes a sink of a function.
    jobsOn(memoryStore(), { run }, { events: () => {} });
    // @ts-expect-error: not a sink.
    jobsOn(memoryStore(), { run }, { events: 5 });
    jobsOn(memoryStore(), { run, mail: { run, concurrency: 3, onUnknown: 'dead_letter' } });
    jobsOn(memoryStore(), { pack: commandHandler({ command: ['true'] }) });
    const some: Handlers = { run };
    jobsOn(memoryStore(), some);
  };
  expectTypeOf(check).toBeFunction();
});

it('a payload that JSON would change is refused with the handler that takes it', () => {
  const check = () => {
    // @ts-expect-error: a Date.
    jobsOn(memoryStore(), { run: (_: Date) => {} });
    // @ts-expect-error: a Date in an object.
    jobsOn(memoryStore(), { run: (_: { id: string; at: Date }) => {} });
    // @ts-expect-error: a Date that may be left out.
    jobsOn(memoryStore(), { run: { run: async (_: { at?: Date }) => {}, concurrency: 2 } });
    // @ts-expect-error: a Date in a list.
    jobsOn(memoryStore(), { run: runsElsewhere<readonly { at: Date | null }[]>() });
    // @ts-expect-error: a Map.
    jobsOn(memoryStore(), { run: (_: { prices: Map<string, number> }) => {} });
    // @ts-expect-error: a Set.
    jobsOn(memoryStore(), { run: (_: { tags?: ReadonlySet<string> }) => {} });
    // @ts-expect-error: a bigint.
    jobsOn(memoryStore(), { run: (_: [bigint]) => {} });
    // @ts-expect-error: the second handler takes a Date.
    jobsOn(memoryStore(), { good: () => {}, bad: (_: { at: Date }) => {} });

    type Json =
      | string
      | number
      | boolean
      | null
      | readonly Json[]
      | { readonly [name: string]: Json };
    interface Tree {
      readonly name: string;
      readonly children: readonly Tree[];
    }
    class Point {
      x = 1;
      move() {}
    }
    jobsOn(memoryStore(), {
      // biome-ignore lint/suspicious/noExplicitAny: users write it.
      any: (_: any) => {},
      unknown: (_: unknown) => {},
      none: () => {},
      json: (_: Json) => {},
      tree: (_: Tree) => {},
      point: (_: Point) => {},
      bytes: (_: Uint8Array) => {},
      record: (_: Record<string, unknown>) => {},
      branded: (_: string & { readonly brand?: 'id' }) => {},
      elsewhere: runsElsewhere(),
    });
  };
  expectTypeOf(check).toBeFunction();
});

it('handlers may return what the jobs that they belong to answer', () => {
  const check = () => {
    const jobs = jobsOn(memoryStore(), {
      first: async (name: string) => (await jobs.enqueue('second', { name })).id,
      second: { run: ({ name }: { name: string }) => jobs.enqueue('first', name) },
    });
    return jobs.enqueue('first', 'ada');
  };
  expectTypeOf(check).toBeFunction();
});

it('a handler’s context is typed where it is written down in place', () => {
  const check = () =>
    jobsOn(memoryStore(), {
      run: (payload: string, context) => {
        expectTypeOf(context.attempt).toEqualTypeOf<number>();
        expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
        return payload.length;
      },
      mail: {
        run: (to: string, context) => {
          expectTypeOf(context.attempt).toEqualTypeOf<number>();
          return to;
        },
        concurrency: 2,
      },
    });
  expectTypeOf(check).toBeFunction();
});
