import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Clock, Timer } from '@redrive/core';
import { REPORT_EVERY_MS } from '../live-workers/worker-report.ts';
import type { StalledJob, WorkerReport, WorkerStore } from '../live-workers/worker-store.ts';
import type { Notice } from './notice.ts';
import type { StoreContact } from './store-contact.ts';

/** A worker that stops waits this long for its row to be deleted. */
const FORGET_MS = 2_000;

interface WorkerReportsParts {
  readonly store: WorkerStore;
  readonly clock: Clock;
  readonly contact: StoreContact;
  readonly notify: (notice: Notice) => void;
  readonly worker: string;
  readonly handlers: readonly string[];
  readonly queues?: readonly string[] | undefined;
  readonly concurrency: number;
  readonly running: () => number;
  readonly stalled: () => readonly StalledJob[];
}

/**
 * Reports to the store every ten seconds that this worker is alive, so that operators see who is there. Nothing depends
 * on it: a report that fails is a warning, and the work goes on.
 */
export class WorkerReports {
  readonly #parts: WorkerReportsParts;
  #state: WorkerReport['state'] = 'working';
  #timer: Timer | undefined;
  #underWay: Promise<void> | undefined;
  #isFailing = false;
  #closed = false;

  constructor(parts: WorkerReportsParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#report();
  }

  /** It claims no more. Where nothing runs it is over at once: that needs no report. */
  stopping(): void {
    this.#state = 'stopping';
    if (this.#parts.running() > 0) this.#report();
  }

  /** Deletes the row, after the report that is under way: that one would bring it back. */
  async forget(): Promise<void> {
    this.close();
    const { store, clock, contact, worker } = this.#parts;
    if (!contact.isOpen) return;
    await new Promise<void>((resolve) => {
      const timer = clock.setTimer(FORGET_MS, resolve);
      const forgotten = (this.#underWay ?? Promise.resolve()).then(() =>
        store.forgetWorker(worker),
      );
      // A row that stays is gone by itself a minute later.
      void forgotten
        .catch(() => {})
        .then(() => {
          timer.cancel();
          resolve();
        });
    });
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #report(): void {
    if (this.#closed) return;
    const { clock, contact } = this.#parts;
    this.#timer?.cancel();
    this.#timer = clock.setTimer(REPORT_EVERY_MS, () => this.#report());
    // While the store is away it is not asked; and one report at a time, however slow the store is.
    if (!contact.isOpen || this.#underWay !== undefined) return;
    this.#underWay = this.#write().finally(() => {
      this.#underWay = undefined;
    });
  }

  async #write(): Promise<void> {
    const { store, worker, handlers, queues, concurrency, running, stalled, notify } = this.#parts;
    try {
      await store.reportWorker({
        name: worker,
        host: hostname(),
        pid: process.pid,
        version: libraryVersion(),
        handlers,
        queues,
        concurrency,
        running: running(),
        state: this.#state,
        stalled: stalled(),
      });
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) notify({ kind: 'report_failed', error });
      this.#isFailing = true;
    }
  }
}

let versionRead: string | undefined;

/** The version of this package. `unknown` in a bundle, which has no manifest beside it. */
function libraryVersion(): string {
  versionRead ??= readVersion();
  return versionRead;
}

function readVersion(): string {
  try {
    const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
    // Ours: it has a version.
    return (JSON.parse(text) as { readonly version: string }).version;
  } catch {
    return 'unknown';
  }
}
