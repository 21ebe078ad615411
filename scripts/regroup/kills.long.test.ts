import { setTimeout as sleep } from 'node:timers/promises';
import { operationStatus } from '@redrive/durable/control';
import { setCauseRule } from '@redrive/durable/dead-letters';
import { expect, test } from 'vitest';
import { startProcess } from '../bulk-acts/start-process.ts';
import { openTarget } from '../crash/open-target.ts';
import { withPlace } from '../crash/place.ts';
import { countedIn, fill, untilMoved } from './measure.ts';

const LETTERS = 20_000;
const KILLS = 3;

test.each(['sqlite', 'postgres'] as const)(
  'on %s each letter moves once although the process that moves them is killed',
  { timeout: 240_000 },
  async (kind) => {
    await withPlace(kind, async (place) => {
      await fill(place, LETTERS);
      const before = (await countedIn(place)).reduce((sum, count) => sum + count, 0);
      const store = await openTarget(place.target, { timeoutMs: 60_000 });
      const start = (worker: string) =>
        startProcess({
          target: place.target,
          worker,
          works: false,
          leaseMs: 5_000,
          concurrency: 5,
        });
      const { groups } = await store.deadGroups({}, { limit: 100 });
      const fingerprints = groups.map(({ fingerprint }) => fingerprint);
      const rule = { name: 'upstream', fingerprints };
      const { operation = '' } = await setCauseRule(store, { rule, actor: { name: 'test' } });
      let moved = 0;
      for (let kill = 0; kill < KILLS; kill += 1) {
        const mover = await start(`mover-${kill}`);
        const from = moved;
        while (moved === from) {
          await sleep(20);
          moved = (await operationStatus(store, operation))?.acted ?? 0;
        }
        await mover.kill();
      }
      expect(moved).toBeLessThan(before);
      const last = await start('mover-last');
      expect(await untilMoved(store, operation)).toBe(before);
      await last.stop();
      await store.close();
      expect(await countedIn(place)).toEqual([before]);
    });
  },
);
