import { definePolicy, RedriveError } from '@redrive/core';
import { seededRandom } from '@redrive/testkit';
import { testCollection } from '@redrive/testkit/conformance/document-source';
import { expect, it } from 'vitest';
import { pauseWork } from '../control/kill-switches.ts';
import { HOUR, MINUTE, sweepBench } from '../testing/sweep-bench.ts';
import { plannedDocuments } from './listed-documents.ts';
import type { NextStep } from './next-step.ts';
import { runSweeps } from './sweep-run.ts';

const ROUNDS = 60;
const DOCUMENTS = 25;
const archives = testCollection('archives');
const actor = { name: 'cli:eve@host' };

/** What has become of a document in a sweep. */
function effectOn(before: Stored, after: Stored): string {
  if (after.status === 'failed_max_retries' && before.status !== after.status) return 'fail';
  if (after.mark?.sent === false && after.mark.at !== before.mark?.at) return 'send';
  // The event of a document that is done is counted, too: nobody waits for that.
  const isOpen = after.status === 'pending' || after.status === 'processing';
  if (isOpen && before.mark?.sent === false && after.mark?.sent === true) return 'count';
  return 'none';
}

interface Stored {
  readonly status: unknown;
  readonly mark: { readonly sent?: boolean; readonly at?: unknown } | undefined;
}

/** The steps with an effect. A sweep leaves the other documents as they are. */
const EFFECTS: Partial<Record<NextStep['step'], string>> = {
  ...{ send: 'send', resend: 'send', settle: 'count', fail: 'fail' },
};

// Collections of documents of every kind: list and explain say what `plannedDocuments` finds.
it('what explain says is what the next sweep does, in random collections', async () => {
  const seen = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const random = seededRandom(round);
    const pick = <T>(...list: readonly T[]): T => list[Math.floor(random() * list.length)] as T; // Within the list.
    const dynamicBackoff = round % 2 === 0;
    const policy = definePolicy({
      ...{ id: 'documents.archives', maxAttempts: 4, baseDelayMs: 5 * MINUTE, maxDelayMs: HOUR },
      ...{ multiplier: 2, immediateFirstRetry: true, jitter: pick('none', 'full') },
    });
    const minimumAgeMs = pick(0, 20 * MINUTE);
    const bench = await sweepBench({
      ...{ thresholdMs: 10 * MINUTE, minimumAgeMs, dynamicBackoff, policy },
      collection: { ...archives, fields: { ...archives.fields, created: 'placed' } },
    });
    const parts = { ...bench.parts, sweeps: [bench.sweep], intervalMs: 15 * MINUTE };
    // Where the documents' database is away after an event was sent, the next sweep counts it.
    const settle = bench.documents.settle.bind(bench.documents);
    bench.documents.settle = async (collection, settlements) => {
      if (random() < 0.3) throw new RedriveError('documents_unavailable', 'No answer', {});
      return settle(collection, settlements);
    };
    const ids = Array.from({ length: DOCUMENTS }, (_, n) => `d${n}`);
    for (const id of ids) {
      bench.put(id, {
        count: pick(0, 0, 1, 2, 3, 4, 0.5),
        agoMs: pick(null, 30_000, 2 * MINUTE, 15 * MINUTE, HOUR),
        status: pick('pending', 'pending', 'processing', 'processed', 'failed_max_retries'),
        placed: new Date(bench.clock.now() - pick(0, HOUR)),
      });
    }
    // Some history: sweeps, sent events, finished documents, jobs that ended in every way.
    for (let step = 0; step < 3; step += 1) {
      await runSweeps(parts);
      const { jobs } = await bench.store.jobs({ states: ['ready'] }, { limit: 100 });
      for (const { id } of jobs) {
        const fate = random();
        if (fate < 0.2) await bench.jobs.cancel(id);
        else if (fate < 0.3) {
          await bench.store.apply([
            { kind: 'act', act: 'cancel', id, actor },
            { kind: 'act', act: 'purge', id, actor },
          ]);
        }
      }
      if (random() < 0.6) {
        await bench.jobs.start();
        await bench.clock.advance(1_000);
        const stopped = bench.jobs.stop();
        await bench.clock.advance(1_000);
        await stopped;
      }
      for (const id of ids) if (random() < 0.1) bench.put(id, { status: 'processed' });
      for (const id of ids)
        if (random() < 0.05) bench.put(id, { status: 'pending', count: 0, agoMs: null });
      await bench.clock.advance(pick(2, 7, 12, 45) * MINUTE);
    }
    bench.documents.settle = settle;
    if (round % 5 === 0) await pauseWork(bench.store, { scope: 'queue', name: 'documents', actor });
    const { documents, nowMs } = await bench.documents.byIds(bench.sweep.collection, ids);
    const listed = await plannedDocuments(
      bench.store,
      documents.map((document) => ({ sweep: bench.sweep, document, nowMs })),
    );
    const stored = (id: string): Stored => {
      const { status, retry_sweep } = bench.get(id);
      return { status, mark: retry_sweep as Stored['mark'] }; // As a sweep writes it.
    };
    const before = new Map(ids.map((id) => [id, stored(id)]));
    await runSweeps(parts);
    for (const { document, next, stopped } of listed) {
      const { id } = document;
      const kind = stopped === undefined ? next.step : 'stopped';
      const after = effectOn(before.get(id) ?? stored(id), stored(id));
      const expected = (stopped === undefined && EFFECTS[next.step]) || 'none';
      expect(after, `round ${round}, ${id}: ${kind}`).toBe(expected);
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
    }
  }
  // The collections had documents of these kinds.
  for (const kind of ['send', 'wait', 'fail', 'running', 'unsent', 'settle', 'stopped', 'over']) {
    expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(5);
  }
});
