import type { JumpingClock } from './clock.ts';
import type { Model } from './model.ts';
import type { Pipeline } from './pipeline.ts';
import type { Worker } from './worker.ts';

interface Parts {
  readonly clock: JumpingClock;
  readonly worker: Worker;
  readonly pipeline: Pipeline;
  readonly model: Model;
  readonly say: (line: string) => void;
  /** Called in the middle of the outage and at its end. */
  readonly look: () => Promise<void>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The interval of redrive.yaml. */
const SWEEP_MS = 60 * MINUTE_MS;
/** Shorter than a lease. */
const RETRY_MS = 4_000;

/** The service is broken for ten days: its documents are stuck for more than a week, and then fail. */
const DAYS = 10;
const MIDDLE = 5;

const ARCHIVES = ['a-1', 'a-2', 'a-3', 'a-4', 'a-5', 'a-6'];

/** The week: archives arrive, the embedding service is broken, people are notified, it is mended. */
export async function tell({ clock, worker, pipeline, model, say, look }: Parts): Promise<void> {
  const startMs = clock.now();
  const pass = async (untilMs: number) => {
    for (;;) {
      const dueMs = await worker.quiet();
      const hasRetries = await worker.hasRetries();
      const left = untilMs - (clock.now() - startMs);
      if (left <= 0) return;
      // A job that came due meanwhile may run: a long jump would end its lease, and another attempt would run beside it.
      if (hasRetries) clock.jump(Math.min(left, RETRY_MS));
      else if (clock.now() < dueMs) clock.jump(Math.min(left, SWEEP_MS));
    }
  };
  const state = async (kind: 'chunks' | 'threads', status: string) =>
    pipeline.collection(kind).countDocuments({ status });
  for (const id of ARCHIVES) {
    const document = pipeline.initialise('archives', {});
    await pipeline
      .collection('archives')
      .updateOne({ _id: id }, { $setOnInsert: document }, { upsert: true });
    await pipeline.publish('archives', [id]);
  }
  for (let day = 1; day <= DAYS; day += 1) {
    await pass(day * 24 * HOUR_MS);
    say(
      `day ${day}: ${await state('chunks', 'pending')} chunks pending, ${await state('chunks', 'failed_max_retries')} failed, ${await state('chunks', 'processed')} processed`,
    );
    if (day === MIDDLE || day === DAYS) await look();
  }
  await model.mend();
  say('The embedding service is mended.');
  await worker.redrive(
    'documents',
    'reset',
    'chunks',
    '--yes',
    '--reason',
    'the model answers again',
  );
  await pass(DAYS * 24 * HOUR_MS + 2 * HOUR_MS);
  await worker.redrive(
    'dlq',
    'requeue',
    '--handler',
    'embedding.chunks_prepared',
    '--yes',
    '--reason',
    'the model answers again',
  );
  await pass(DAYS * 24 * HOUR_MS + 4 * HOUR_MS);
  say(
    `in the end: ${await state('chunks', 'processed')} chunks and ${await state('threads', 'processed')} threads processed`,
  );
}
