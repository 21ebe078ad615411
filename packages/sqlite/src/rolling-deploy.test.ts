import { createHash } from 'node:crypto';
import { jobsOn } from '@redrive/durable';
import { expect, it, onTestFinished } from 'vitest';
import { CURRENT_SCHEMA, MIGRATIONS, NEWEST_SCHEMA } from './database/schema.ts';
import { openStoreWith } from './open-store.ts';
import { NEXT_SCHEMA } from './testing/next-schema.ts';
import { scratch } from './testing/scratch.ts';
import { withoutThreads } from './testing/without-threads.ts';

const N = NEWEST_SCHEMA;

const open = (path: string, schema = CURRENT_SCHEMA) =>
  openStoreWith(path, {}, { audit: true, start: withoutThreads, schema });

/** A process with a worker, which says who has done a job. */
async function processOf(path: string, name: string, schema = CURRENT_SCHEMA) {
  const store = await open(path, schema);
  const jobs = jobsOn(store, { work: async () => name }, { worker: name, pollMs: 20 });
  await jobs.start();
  return {
    store,
    jobs,
    async end() {
      await jobs.stop();
      await store.close();
    },
  };
}

it('version N and N+1 work at once on one file, N restarts, then N+1 is rolled back', async () => {
  const { path, remove } = scratch();
  onTestFinished(remove);
  const before = await processOf(path, 'N');
  const next = await processOf(path, 'N+1', NEXT_SCHEMA);
  const ids = await Promise.all(
    [before, next, before, next].map(({ jobs }) => jobs.enqueue('work', null)),
  );
  for (const id of ids) expect(await before.jobs.wait(id)).toMatch(/^N/u);
  await next.jobs.stop();
  expect(await next.jobs.wait(await next.jobs.enqueue('work', null))).toBe('N');
  await before.end();

  const restarted = await processOf(path, 'N again');
  expect(await next.jobs.wait(await next.jobs.enqueue('work', null))).toBe('N again');
  await next.store.close();
  await restarted.end();

  const back = await processOf(path, 'N at last');
  expect(await back.jobs.wait(await back.jobs.enqueue('work', null))).toBe('N at last');
  expect((await back.store.counts()).groups).toMatchObject([{ state: 'succeeded', count: 7 }]);
  await back.end();
});

it('a file without its older part refuses versions that need it', async () => {
  const { path, remove } = scratch();
  onTestFinished(remove);
  const next = await open(path, { ...NEXT_SCHEMA, worksFrom: N + 1 });
  await next.migrate();
  await next.close();
  await expect(open(path)).rejects.toMatchObject({
    code: 'schema_too_new',
    details: { schema: N + 1, worksFrom: N + 1, known: N },
  });
});

it('a process that runs while another migrates to a schema it cannot work beside is refused', async () => {
  const { path, remove } = scratch();
  onTestFinished(remove);
  const before = await processOf(path, 'N');
  await before.jobs.wait(await before.jobs.enqueue('work', null));
  const next = await open(path, { ...NEXT_SCHEMA, worksFrom: N + 1 });
  await next.migrate();
  const refused = {
    code: 'schema_too_new',
    details: { schema: N + 1, worksFrom: N + 1, known: N },
  };
  await expect(before.jobs.enqueue('work', null)).rejects.toMatchObject(refused);
  await expect(before.jobs.enqueue('work', null)).rejects.toMatchObject(refused);
  await expect(before.store.heartbeat([{ id: 'job', token: 1 }], 1_000)).rejects.toMatchObject(
    refused,
  );
  await expect(before.store.counts()).rejects.toMatchObject(refused);
  expect((await next.counts()).groups).toMatchObject([{ state: 'succeeded', count: 1 }]);
  await before.end();
  await next.close();
});

it('each step is pinned by a hash of its text', () => {
  const hashes = MIGRATIONS.map((step) =>
    createHash('sha256').update(step).digest('hex').slice(0, 16),
  );
  const message = 'A step has changed. If it was released, put it back and add a new step.';
  expect(hashes, message).toEqual(['839812c6613dce28']);
});
