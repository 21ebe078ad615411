import type { EventDocuments, NewestEvent } from '../event/event-documents.ts';
import type { JobTable } from './job-table.ts';

interface Noted extends NewestEvent {
  /** Of its job. */
  readonly place: number;
}

/** The newest event of each document. */
export class EventDocumentTable {
  readonly #jobs: JobTable;
  readonly #collections = new Map<string, Map<string, Noted>>();

  constructor(jobs: JobTable) {
    this.#jobs = jobs;
  }

  note(events: readonly EventDocuments[]): void {
    for (const { collection, job, bytes, documents } of events) {
      const place = this.#jobs.placeOf(job);
      const noted = this.#collections.get(collection) ?? new Map<string, Noted>();
      this.#collections.set(collection, noted);
      for (const document of documents)
        if (place > (noted.get(document)?.place ?? 0)) noted.set(document, { job, bytes, place });
    }
  }

  newest(collection: string, documents: readonly string[]): ReadonlyMap<string, NewestEvent> {
    const noted = this.#collections.get(collection);
    return new Map(
      documents.flatMap((document) => {
        const found = noted?.get(document);
        if (found === undefined || !this.#isStored(found)) return [];
        const { job, bytes } = found;
        return this.#jobs.get(job)?.state === 'purged' ? [] : [[document, { job, bytes }]];
      }),
    );
  }

  /** Forgets events whose jobs are gone. */
  prune(): void {
    for (const noted of this.#collections.values())
      for (const [document, found] of noted) if (!this.#isStored(found)) noted.delete(document);
  }

  #isStored({ job, place }: Noted): boolean {
    return this.#jobs.placeOf(job) === place;
  }
}
