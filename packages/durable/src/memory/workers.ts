import {
  decodeWorker,
  encodeReport,
  MAX_DELETED_WORKERS,
  WORKER_KEPT_MS,
  type WorkerColumns,
  workerBounds,
  workerPage,
} from '../live-workers/worker-report.ts';
import type { WorkerPage, WorkerPageRequest, WorkerReport } from '../live-workers/worker-store.ts';
import { compareText } from './compare-text.ts';

/** The reports of live workers, by name. */
export class Workers {
  readonly #workers = new Map<string, WorkerColumns>();

  report(report: WorkerReport, nowMs: number): void {
    const { name, running, isStopping, facts } = encodeReport(report);
    const known = this.#workers.get(name);
    if (known === undefined) this.#deleteOld(nowMs);
    this.#workers.set(name, {
      name,
      running,
      isStopping,
      facts,
      sinceMs: known?.sinceMs ?? nowMs,
      seenAtMs: nowMs,
    });
  }

  forget(name: string): void {
    this.#workers.delete(name);
  }

  list(page: WorkerPageRequest, nowMs: number): WorkerPage {
    const { after, take, seenFromMs } = workerBounds(page, nowMs);
    const found = [...this.#workers.values()]
      .filter(({ name, seenAtMs }) => compareText(name, after) > 0 && seenAtMs >= seenFromMs)
      .sort((a, b) => compareText(a.name, b.name))
      .slice(0, take);
    return workerPage(found.map(decodeWorker), page.limit, nowMs);
  }

  #deleteOld(nowMs: number): void {
    const old = [...this.#workers.values()].filter(
      ({ seenAtMs }) => seenAtMs < nowMs - WORKER_KEPT_MS,
    );
    for (const { name } of old.slice(0, MAX_DELETED_WORKERS)) this.#workers.delete(name);
  }
}
