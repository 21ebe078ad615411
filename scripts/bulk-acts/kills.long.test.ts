import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FullStore } from '@redrive/durable';
import { type OperationStatus, operationStatus, submitOperation } from '@redrive/durable/control';
import { expect, onTestFinished, test } from 'vitest';
import { openTarget } from '../crash/open-target.ts';
import { withPlace } from '../crash/place.ts';
import { letDie } from './let-die.ts';
import { startProcess } from './start-process.ts';

const LETTERS = 700;
const KILLS = 10;
const ACTOR = { name: 'test', why: 'ten kills' };

/** Looks now and then: who asks without a pause takes the machine from those who work. */
async function until(store: FullStore, isSo: (status: OperationStatus) => boolean): Promise<void> {
  for (;;) {
    const status = await operationStatus(store, 'op');
    if (status !== undefined && isSo(status)) return;
    await sleep(20);
  }
}

test.each(['sqlite', 'postgres'] as const)(
  'on %s a process that is killed ten times in the middle acts on each item once',
  { timeout: 240_000 },
  async (kind) => {
    await withPlace(kind, async ({ target, directory }) => {
      const store = await openTarget(target, { timeoutMs: 60_000 });
      await letDie(store, LETTERS);
      await submitOperation(store, {
        id: 'op',
        act: 'requeue',
        target: { filter: { handler: 'bulk' }, limit: 100_000 },
        maxInFlight: 60,
        ramp: [1, 10],
        actor: ACTOR,
      });
      const attempts = join(directory, 'attempts');
      // Started again under its name, it is another process: it waits until the lease of the killed one has run out.
      const settings = {
        target,
        worker: 'w',
        attempts,
        works: true,
        leaseMs: 2_000,
        concurrency: 10,
      };
      let worker = await startProcess(settings);
      onTestFinished(() => worker.kill());
      for (let kill = 1; kill <= KILLS; kill += 1) {
        await until(store, ({ acted }) => acted >= (LETTERS * kill) / (KILLS + 1));
        await worker.kill();
        worker = await startProcess(settings);
      }
      await until(store, ({ state }) => state === 'finished');
      await worker.stop();
      const status = await operationStatus(store, 'op');
      expect(status).toMatchObject({ acted: LETTERS, refused: 0, inFlight: 0, succeeded: LETTERS });
      let seen = 0;
      let after: string | undefined;
      do {
        const page = await store.jobs({ handler: 'bulk' }, { limit: 1_000, after });
        for (const { account, state } of page.jobs) {
          seen += 1;
          expect([account.generation, state]).toEqual([2, 'succeeded']);
        }
        after = page.next;
      } while (after !== undefined);
      expect(seen).toBe(LETTERS);
      // A job whose worker was killed may run again, but none was left out.
      const ran = readFileSync(attempts, 'utf8').trim().split('\n');
      expect(new Set(ran).size).toBe(LETTERS);
      await store.close();
    });
  },
);
