import { setTimeout as sleep } from 'node:timers/promises';
import type { FullStore } from '@redrive/durable';
import { operationStatus, submitOperation } from '@redrive/durable/control';
import { openTarget } from '../crash/open-target.ts';
import type { Place } from '../crash/place.ts';
import { letDie } from './let-die.ts';
import { LiveWork } from './live-work.ts';
import { startProcess } from './start-process.ts';

export interface BulkSettings {
  readonly letters: number;
  readonly livePerSecond: number;
  readonly calmMs: number;
  /** Whether somebody works on what is requeued, with the ramp, or it is only acted on, all at once. */
  readonly works: boolean;
}

export interface BulkFigures {
  readonly acted: number;
  readonly tookMs: number;
  readonly calm: LiveFigures;
  readonly busy: LiveFigures;
}

type LiveFigures = ReturnType<LiveWork['take']>;

/**
 * Live jobs in this process, in a calm phase and while another process requeues many dead letters: how long that takes,
 * and what it costs the live ones.
 */
export async function measureBulk(place: Place, settings: BulkSettings): Promise<BulkFigures> {
  const { letters, livePerSecond, works } = settings;
  const store = await openTarget(place.target, { timeoutMs: 60_000 });
  await letDie(store, letters);
  const live = new LiveWork(store, livePerSecond);
  const acting = await startProcess({
    target: place.target,
    worker: 'bulk',
    works,
    leaseMs: 30_000,
    concurrency: 10,
  });
  try {
    return await phases(store, live, settings);
  } finally {
    await live.stop();
    await acting.stop();
    await store.close();
  }
}

async function phases(
  store: FullStore,
  live: LiveWork,
  { calmMs, works }: BulkSettings,
): Promise<BulkFigures> {
  await live.start();
  await sleep(Math.min(2_000, calmMs));
  live.take();
  await sleep(calmMs);
  const calm = live.take();
  const startMs = performance.now();
  await submitOperation(store, {
    id: 'bulk',
    act: 'requeue',
    target: { filter: { handler: 'bulk' }, limit: 10_000_000 },
    ...(works ? { maxInFlight: 2_000 } : { ramp: false }),
    actor: { name: 'script' },
  });
  const acted = await untilFinished(store);
  const tookMs = performance.now() - startMs;
  return { acted, tookMs, calm, busy: live.take() };
}

async function untilFinished(store: FullStore): Promise<number> {
  for (;;) {
    const status = await operationStatus(store, 'bulk');
    if (status?.state === 'finished') return status.acted;
    if (status?.state === 'stopped') throw new Error(`It stopped: ${status.changes.at(-1)?.why}`);
    await sleep(100);
  }
}
