import { definePolicy } from '@redrive/core';
import { type VirtualClock, virtualClock } from '@redrive/testkit';
import { testCollection } from '@redrive/testkit/conformance/document-source';
import { documentHandler } from '../document/document-handler.ts';
import { sentCounter } from '../document/sent-counter.ts';
import type { Sweep } from '../document/sweep.ts';
import {
  type SweepOptions,
  type SweepReport,
  sweepDocuments,
} from '../document/sweep-documents.ts';
import type { Delivery } from '../event/bus.ts';
import { type MemoryDocuments, memoryDocuments } from '../memory/documents.ts';
import { memoryBus } from '../memory/memory-bus.ts';
import { memoryStore } from '../memory/memory-store.ts';
import type { Notice } from '../worker/notice.ts';
import { type FaultyStore, faultyStore } from './faulty-store.ts';
import { START_MS, workBench } from './work-bench.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

const DOCUMENT = {
  baseDelayMs: 5 * MINUTE,
  maxDelayMs: HOUR,
  multiplier: 2,
  immediateFirstRetry: true,
  jitter: 'none',
} as const;

/** A collection in memory that is swept in virtual time, with a store, a worker and a bus. */
export async function sweepBench(more: Partial<Sweep> = {}) {
  const clock: VirtualClock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store: FaultyStore = faultyStore(memoryStore({ clock }));
  const documents: MemoryDocuments = memoryDocuments({ clock });
  const bus = memoryBus();
  await bus.declare({ name: 'archive.ingested' });
  const collection = testCollection('archives');
  const sweep: Sweep = {
    name: 'archives',
    source: documents,
    collection,
    policy: definePolicy({ ...DOCUMENT, id: 'documents.archives', maxAttempts: 3 }),
    thresholdMs: 24 * HOUR,
    minimumAgeMs: 0,
    dependency: '',
    event: {
      type: 'ArchiveIngested',
      bus: 'main',
      destination: 'archive.ingested',
      data: { archive_id: '$_id', title: '$title' },
    },
    ...more,
  };
  const fields = { ...sweep.collection.fields, read: ['_id', 'title', 'rank', 'placed'] };
  const swept: Sweep = { ...sweep, collection: { ...sweep.collection, fields } };
  const counter = sentCounter({ store, clock, intervalMs: 15 * MINUTE });
  const onSent = counter.add;
  const handlers = { 'documents.archives': documentHandler(swept, bus, { clock, onSent, store }) };
  const bench = workBench(handlers, { store }, clock);
  const sweepNotices: Notice[] = [];
  const parts = {
    store,
    clock,
    actor: { name: 'sweep:test' },
    notify: (notice: Notice) => void sweepNotices.push(notice),
  };
  return {
    ...bench,
    ...{ clock, store, documents, bus, sweep: swept, parts, sweepNotices, counter },
    /** Inserts a document: pending, attempted `count` times, the last time `agoMs` ago. */
    put(id: string, { count, agoMs, ...more }: PutOptions = {}): void {
      documents.put(swept.collection, {
        _id: id,
        status: 'pending',
        ...(count !== undefined && { attemptCount: count }),
        ...(agoMs !== undefined && {
          lastAttemptTime: agoMs === null ? null : new Date(clock.now() - agoMs),
        }),
        ...more,
      });
    },
    get: (id: string) => documents.get(swept.collection, id) ?? {},
    run: (options?: SweepOptions): Promise<SweepReport> => sweepDocuments(parts, swept, options),
    /** Sweeps, and lets a worker send the events. */
    async send(options?: SweepOptions): Promise<SweepReport> {
      const report = await sweepDocuments(parts, swept, options);
      await bench.jobs.start();
      await clock.advance(1_000);
      const stopped = bench.jobs.stop();
      await clock.advance(1_000);
      await stopped;
      return report;
    },
    async sent(): Promise<readonly (Delivery & { readonly json: Record<string, unknown> })[]> {
      const sent = (await bus.peek?.({ name: 'archive.ingested' }, 1_000)) ?? [];
      return sent.map((each) => ({ ...each, json: JSON.parse(Buffer.from(each.body).toString()) }));
    },
  };
}

interface PutOptions {
  readonly count?: unknown;
  readonly agoMs?: number | null;
  readonly [field: string]: unknown;
}
