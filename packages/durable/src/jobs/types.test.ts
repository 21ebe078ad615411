import { expectTypeOf, it } from 'vitest';
import { type Handlers, type PayloadOf, runsElsewhere } from '../handler/handler.ts';
import { final, retryAfter } from '../handler/verdict.ts';
import { memoryStore } from '../memory/memory-store.ts';
import type { Enqueued, Jobs } from './jobs.ts';
import { jobsOn } from './jobs-on.ts';

const handlers = {
  resize: async (payload: { url: string; width: number }) => ({ bytes: payload.width }),
  mail: { run: (to: string) => (to === '' ? final('nobody') : 7), concurrency: 2 },
  tick: () => {},
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
    // @ts-expect-error: no such handler.
    await jobs.enqueue('resise', { url: 'x', width: 1 });
    // @ts-expect-error: a field is missing.
    await jobs.enqueue('resize', { url: 'x' });
    // @ts-expect-error: not a text.
    jobs.prepare('mail', 5);
    // @ts-expect-error: one of them is not a text.
    await jobs.enqueueMany('mail', ['a', 1]);
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

it('a handler’s context is typed where it is written down in place', () => {
  const check = () =>
    jobsOn(memoryStore(), {
      run: (payload: string, context) => {
        expectTypeOf(context.attempt).toEqualTypeOf<number>();
        expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
        return payload.length;
      },
    });
  expectTypeOf(check).toBeFunction();
});
