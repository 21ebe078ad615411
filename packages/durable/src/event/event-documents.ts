/** The part of a store that knows the newest event of each document of a collection. It is not in the audit log. */
export interface EventDocumentStore {
  /**
   * Notes the documents of events that are stored as jobs. A document keeps the event that the store accepted last. Events
   * whose job does not exist are left out, and a repeated call changes nothing. What is noted of an event is deleted with
   * its job. At most `MAX_NOTED_DOCUMENTS` documents.
   */
  noteEventDocuments(events: readonly EventDocuments[]): Promise<void>;
  /** The newest events of these documents that the store still has, and that nobody has purged. At most 1,000 documents. */
  newestEvents(
    collection: string,
    documents: readonly string[],
  ): Promise<ReadonlyMap<string, NewestEvent>>;
}

/** The documents of an event. */
export interface EventDocuments {
  /** A collection of sweeps. */
  readonly collection: string;
  /** Id of the event's job. */
  readonly job: string;
  /** Size of its payload. */
  readonly bytes: number;
  readonly documents: readonly string[];
}

export interface NewestEvent {
  readonly job: string;
  readonly bytes: number;
}

/** Documents of one event: ids beyond these are not noted, and their documents get the event of the template. */
export const MAX_EVENT_DOCUMENTS = 1_000;
/** Documents of one call of `noteEventDocuments`. */
export const MAX_NOTED_DOCUMENTS = 10_000;
/** Longer ids are not noted: no sweep takes such a document. */
export const MAX_DOCUMENT_ID_BYTES = 512;
