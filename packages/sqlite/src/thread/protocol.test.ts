import { expect, it, onTestFinished } from 'vitest';
import { CURRENT_SCHEMA } from '../database/schema.ts';
import { FAST_PATHS } from '../fast-paths.ts';
import type { Reads } from '../reader/reader-tasks.ts';
import { scratch } from '../testing/scratch.ts';
import { withoutThreads } from '../testing/without-threads.ts';
import type { Calls } from './protocol.ts';

// `npm run types` fails if the compiler accepts one of these calls.
it('a wrong name, a wrong input and a wrong result of a task do not compile', async () => {
  const { path, remove } = scratch();
  onTestFinished(remove);
  const data = { path, busyMs: 100, fastPaths: FAST_PATHS, schema: CURRENT_SCHEMA };
  const options = { name: path, main: 'reader/reader-thread', data, timeoutMs: 1_000 } as const;
  const reader: Calls<Reads> = withoutThreads(options);
  const wrong = [
    // @ts-expect-error: there is no such task
    reader.call('jobss', { limit: 1 }),
    // @ts-expect-error: the limit is missing
    reader.call('auditBlocks', { after: 0 }),
    // @ts-expect-error: the answer is a row, and not a number
    reader.call('job', 'a').then((row): number => row),
  ];
  const settled = await Promise.allSettled(wrong);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await reader.close();
});
