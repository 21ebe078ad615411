import { recordsIn } from '@redrive/durable/store';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { enqueueOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { scratch } from '../testing/scratch.ts';
import { withoutThreads } from '../testing/without-threads.ts';

it('of jobs with the same id the first one is accepted, however many come at once', async () => {
  const names = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 40, size: 'max' });
  await fc.assert(
    fc.asyncProperty(fc.array(names, { maxLength: 3 }), async (batches) => {
      const { path, remove } = scratch();
      const store = await openMade(path, {}, { audit: true, start: withoutThreads });
      const seen = new Set<number>();
      for (const batch of batches) {
        const results = await store.apply(batch.map((name) => enqueueOf(`job-${name}`)));
        for (const [index, name] of batch.entries()) {
          expect(results[index]).toEqual(
            seen.has(name)
              ? { ok: false, refusal: 'duplicate_id', id: `job-${name}` }
              : { ok: true, id: `job-${name}`, outcome: 'created' },
          );
          seen.add(name);
        }
      }
      const { groups } = await store.counts();
      expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(seen.size);
      const records = (await store.auditBlocks(0, 1_000)).flatMap((block) => recordsIn(block));
      expect(records).toHaveLength(seen.size);
      await store.close();
      remove();
    }),
    { numRuns: 40 },
  );
});
