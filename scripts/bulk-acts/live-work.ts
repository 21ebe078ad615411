import { setTimeout as sleep } from 'node:timers/promises';
import { type FullStore, jobsOn } from '@redrive/durable';
import { percentile } from '../crash/latencies.ts';

/** Jobs that arrive all the time, and how long each took from its submission to the end of its handler. */
export class LiveWork {
  readonly #jobs;
  readonly #everyMs: number;
  readonly #submittedAtMs: number[] = [];
  #latencies: number[] = [];
  #stopped = false;
  #submitting: Promise<void> | undefined;

  constructor(store: FullStore, perSecond: number) {
    this.#everyMs = 1_000 / perSecond;
    this.#jobs = jobsOn(
      store,
      {
        live: (n: number) => {
          const submittedAtMs = this.#submittedAtMs[n] ?? 0;
          this.#latencies.push(performance.now() - submittedAtMs);
        },
      },
      { worker: 'live', concurrency: 20 },
    );
  }

  async start(): Promise<void> {
    await this.#jobs.start();
    this.#submitting = this.#submit();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#submitting;
    await this.#jobs.stop();
  }

  /** What has ended since the last call. */
  take(): { readonly count: number; readonly p50Ms: number; readonly p99Ms: number } {
    const sorted = this.#latencies.sort((a, b) => a - b);
    this.#latencies = [];
    return {
      count: sorted.length,
      p50Ms: percentile(sorted, 0.5),
      p99Ms: percentile(sorted, 0.99),
    };
  }

  /** One after the other at their times, however long the ones before take. */
  async #submit(): Promise<void> {
    const startMs = performance.now();
    const under = new Set<Promise<unknown>>();
    const submit = async (n: number): Promise<void> => {
      await this.#jobs.enqueue('live', n, { queue: 'live' });
    };
    for (let n = 0; !this.#stopped; n += 1) {
      const dueMs = startMs + n * this.#everyMs;
      const waitMs = dueMs - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      this.#submittedAtMs[n] = performance.now();
      const one = submit(n);
      under.add(one);
      void one.finally(() => under.delete(one));
    }
    await Promise.all(under);
  }
}
