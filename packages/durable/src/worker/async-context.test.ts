import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, it } from 'vitest';
import { workBench } from '../testing/work-bench.ts';

it('a handler runs in the context that the worker was started in, not in that of whoever enqueues', async () => {
  const context = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const { jobs, clock } = workBench({
    run: async () => {
      seen.push(context.getStore());
      await Promise.resolve();
      seen.push(context.getStore());
    },
  });
  await context.run('the worker’s', () => jobs.start());
  await clock.advance(10);
  await context.run('a request’s', () => jobs.enqueue('run', null));
  await clock.advance(10);
  expect(seen).toEqual(['the worker’s', 'the worker’s']);
});
