/**
 * The port of a database with the user's own documents. An adapter finds and changes documents; it decides nothing about
 * retries.
 *
 * Time is the database's own: `now` is its clock at the moment of the statement. (Adapters take a clock for tests.)
 *
 * Every change is a compare-and-set on one document in one statement, so two sweepers, or a sweeper and the application,
 * never both succeed on the same state. A list of changes is not a transaction: each has a result, in the same order. A
 * write is durable when the call resolves (MongoDB: `w: majority`).
 *
 * Trouble rejects with a `RedriveError` within `DOCUMENT_TIMEOUT_MS` per statement. `documents_unavailable`: no answer; a
 * write may have happened. `documents_refused`: the same call fails again until somebody changes something (credentials,
 * a missing table). Messages never contain passwords. An adapter quotes names and passes values as parameters: nothing
 * but texts, numbers, booleans and times gets into a filter.
 */
export interface DocumentSource {
  /** In errors, logs and `status`: `memory`, `mongodb://host/db` without credentials. */
  readonly name: string;
  /**
   * A page of a set, by an index, with a keyset cursor: at most `limit` documents and `MAX_DOCUMENT_PAGE_BYTES`, at least
   * one. `next` is absent on the last page. Documents that change between two pages may be missed or found twice.
   */
  find(collection: DocumentCollection, request: FindRequest): Promise<DocumentPage>;
  /**
   * Claims documents for an attempt, where id, status, count and time are still those of `stamp`, and the mark has no claim
   * with `sent: false`: the mark gets the claim
   * `{ event, sent: false, at: now, attempt }`, where `attempt` is the count plus 1 (a missing count is 0). Status, count
   * and time stay: the attempt counts when its event is sent. With `note` the mark also gets what `note` writes.
   */
  claim(collection: DocumentCollection, claims: readonly DocumentClaim[]): Promise<Answers>;
  /**
   * Ends claims, only where the mark still has this `event` and `sent: false`, whatever the status is now. `sent`: the event
   * is published, so `sent` becomes true, the count is raised by 1 (a missing count is 0; what is not a number stays), the
   * time becomes now, and `foundAt` is removed. `stored`: the dead letter is stored, so `sent` becomes true, and all else
   * stays. `dropped`: the claim is removed from the mark.
   */
  settle(
    collection: DocumentCollection,
    settlements: readonly DocumentSettlement[],
  ): Promise<Answers>;
  /**
   * Marks documents as failed, with the condition of `claim`: the status becomes
   * `collection.failed`, and the mark gets the claim `{ event, sent: false, at: now, attempt: count }`. Count and time stay.
   */
  fail(collection: DocumentCollection, failures: readonly DocumentClaim[]): Promise<Answers>;
  /**
   * Records attempts of the documents' owner, where id, status, count and time are still those of `stamp`. `begun`: the time
   * becomes now, and with `isCounted` the count is raised by 1 (a missing count is 0). `succeeded`: the status becomes the
   * first of `collection.done`, and the error is removed. `failed`: the error is kept. All else stays, the mark too.
   */
  record(collection: DocumentCollection, attempts: readonly DocumentAttempt[]): Promise<Answers>;
  /**
   * Makes failed documents pending (the first of `collection.pending`). Without `event`: count 0, time null, no mark, so
   * the next sweep finds them. With `event`, because the caller sends it: the same, and the claim
   * `{ event, sent: false, at: now, attempt: 1 }`; a pending document that has this `event` already is `true` and stays as
   * it is.
   */
  reset(collection: DocumentCollection, resets: readonly DocumentReset[]): Promise<Answers>;
  /**
   * Changes only the mark, where id, status, count and time are still those of `stamp`. `found`: it gets `foundAt: now`,
   * `stuck`: `firstStuckAt: now`, unless it has one. `calm`: it loses both, and keeps its claim. `cleared`: the mark is
   * removed. `found` and `cleared` leave a mark with `sent: false` alone.
   */
  note(collection: DocumentCollection, notes: readonly DocumentNote[]): Promise<Answers>;
  /**
   * Deletes failed documents. With `archive` each is first written as it is into `<collection>_dead_letters`, which is
   * created where it is missing: after a crash it is in one of them or in both. A copy that exists is replaced.
   */
  remove(
    collection: DocumentCollection,
    ids: readonly string[],
    options: { readonly archive: boolean },
  ): Promise<Answers>;
  /** Counts a set, by an index. A result of `atMost` means that many or more. */
  count(collection: DocumentCollection, set: CountRequest, atMost: number): Promise<number>;
  /** The documents with these ids, in any status and any order; missing ones are left out. At most 500 ids. */
  byIds(collection: DocumentCollection, ids: readonly string[]): Promise<DocumentPage>;
  /**
   * Creates the missing indexes of `find` and `count`, without blocking writers where the database can, and on Postgres
   * and SQLite the missing columns. Resolves with a line per part, such as
   * `index redrive_due on archives (lastAttemptTime, _id)`; `[]`: nothing is missing. `dryRun`: only the lines.
   */
  prepare(
    collection: DocumentCollection,
    options: { readonly dryRun: boolean },
  ): Promise<readonly string[]>;
  /**
   * Changes of the collection after a position, as soon as there are some. Absent where the database has no feed of changes.
   * Rejects with `documents_refused` where the database does not have the changes after this position any more.
   */
  changes?(collection: DocumentCollection, request: ChangesRequest): Promise<ChangePage>;
  /** Closes connections that the adapter opened itself. Safe to call twice. */
  close(): Promise<void>;
}

/** Per change, in the same order. `false`: nothing was written. */
type Answers = readonly boolean[];

/** Documents per page and changes per call: the callers never pass more. */
export const MAX_DOCUMENT_PAGE = 500;
/** Bytes of the documents of a page, about as the database has the fields that are read. A larger document is a page by itself. */
export const MAX_DOCUMENT_PAGE_BYTES = 4 * 1024 * 1024;
/** Upper bound of every statement. */
export const DOCUMENT_TIMEOUT_MS = 5_000;
/** A time further ahead of the database's clock than this is not valid. */
export const MAX_TIME_AHEAD_MS = 60_000;

/** One collection or table, and the names in it. */
export interface DocumentCollection {
  /** Name of the collection or table. Postgres: `schema.table` is allowed. */
  readonly name: string;
  readonly fields: DocumentFields;
  /** Statuses of documents that wait or are being processed. The first is that of a new document. */
  readonly pending: readonly string[];
  /** Statuses of documents that are done. */
  readonly done: readonly string[];
  /** Status of a document that is beyond its attempts. */
  readonly failed: string;
}

/** Names of fields or columns. MongoDB: paths with dots are allowed in `read` and `created`. */
export interface DocumentFields {
  /** Unique. */
  readonly id: string;
  readonly status: string;
  /** A whole number. Missing or null counts as 0. */
  readonly count: string;
  /** Missing or null: never attempted. */
  readonly time: string;
  /** The mark of the sweeps. MongoDB: an object. Postgres: jsonb. SQLite: JSON text. */
  readonly mark: string;
  /** The last error, as text. The owner of the document writes it. */
  readonly error: string;
  /** When the document was inserted. Default: not known; MongoDB: the time of an ObjectId. */
  readonly created?: string | undefined;
  /** Further fields, which are returned in `values`: those of the event and of the priority. `all`: the whole document. */
  readonly read: readonly string[] | 'all';
}

/** A document as the database has it. */
export interface StoredDocument {
  /** As text, such that `byIds` finds the document by it, and no other one has it. An ObjectId: its 24 digits. */
  readonly id: string;
  readonly status: string;
  /** As it is stored; missing is `null`. The sweep checks that it is a whole number. */
  readonly count: unknown;
  /** Milliseconds since 1970; `null`: never attempted; `NaN`: the field has something that is not a time. */
  readonly timeMs: number | null;
  /**
   * Status, count and time exactly as they are stored, in a text of the adapter's own: a database may have microseconds,
   * and distinguish missing from null.
   */
  readonly stamp: string;
  readonly mark?: DocumentMark | undefined;
  /** Since when it is stuck: a sweep found it then. Absent: it is not, or no sweep has found it yet. */
  readonly firstStuckMs?: number | undefined;
  /** When a sweep first found it, before it was ever attempted. */
  readonly foundMs?: number | undefined;
  readonly createdMs?: number | undefined;
  readonly error?: string | undefined;
  /** The fields of `read` that the document has, as JSON values: a time as ISO text, an ObjectId as its digits. */
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * The claim of a sweep, stored in the mark of the document as `{ event, sent, at, attempt }`. The mark also has
 * `firstStuckAt` and `foundAt`, with a claim and without one. Times are times of the database, or ISO texts.
 */
export interface DocumentMark {
  /** Id of the event, and of the job that sends it. */
  readonly event: string;
  /** The event is published and counted. Of a failed document: its dead letter is stored. */
  readonly sent: boolean;
  readonly atMs: number;
  /** The number that the count gets when the event is sent. Absent: something else than a sweep wrote the mark. */
  readonly attempt?: number | undefined;
}

/**
 * A set of documents:
 * - `unsent`: a mark with `sent: false` that is at least `olderThanMs` old or has no `at`, in any status. Ordered by `at`, then id.
 * - `due`: a pending status, no mark with `sent: false`, and a time that is missing, null, or before now minus
 *   `olderThanMs`. Ordered by time (missing and null first), then id.
 * - `stuck`: a pending status, and `firstStuckAt` in the mark. Ordered by it, then id.
 * - `over`: a status of `done`, and `firstStuckAt` in the mark. Ordered as `stuck`.
 * - `ahead`: a pending status, and a time more than `MAX_TIME_AHEAD_MS` after now, or not a time. Ordered as `due`.
 * - `failed`: the status `failed`. Ordered as `due`.
 */
export type DocumentSet =
  | { readonly set: 'unsent' | 'due'; readonly olderThanMs: number }
  | { readonly set: 'stuck' | 'over' | 'ahead' | 'failed' };

export type CountRequest = DocumentSet | { readonly set: 'all' };

export type FindRequest = DocumentSet & {
  /** 1 to `MAX_DOCUMENT_PAGE`. A page of large documents has fewer. */
  readonly limit: number;
  /** `next` of the page before, of the same set and direction. */
  readonly after?: string | undefined;
  /** The same order from its other end. Default `false`. */
  readonly newestFirst?: boolean | undefined;
};

export interface DocumentPage {
  /** The database's time of the statement. */
  readonly nowMs: number;
  readonly documents: readonly StoredDocument[];
  /** Opaque, at most 2 KiB. Absent: there are no more. */
  readonly next?: string | undefined;
}

export interface DocumentClaim {
  readonly id: string;
  /** Stamp of the document as it was found. */
  readonly stamp: string;
  /** At most 64 characters. */
  readonly event: string;
  /** See `DocumentSource.note`. Default: none. */
  readonly note?: 'found' | 'stuck' | undefined;
}

export interface DocumentSettlement {
  readonly id: string;
  readonly event: string;
  readonly to: 'sent' | 'stored' | 'dropped';
}

/** `stamp`: of the document as it was found. */
export interface DocumentNote {
  readonly id: string;
  readonly stamp: string;
  readonly to: 'found' | 'stuck' | 'calm' | 'cleared';
}

/** `stamp`: of the document as it was found. */
export type DocumentAttempt = AttemptChange & { readonly id: string; readonly stamp: string };

export type AttemptChange =
  | { readonly to: 'begun'; readonly isCounted: boolean }
  | { readonly to: 'succeeded' }
  | { readonly to: 'failed'; readonly error: string };

export interface DocumentReset {
  readonly id: string;
  readonly event?: string | undefined;
}

export const CHANGE_KINDS = ['insert', 'update', 'replace', 'delete'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export interface ChangesRequest {
  readonly kinds: readonly ChangeKind[];
  /** `next` of the call before. Absent: no changes, and `next` is the position now. */
  readonly after?: string | undefined;
  /** 1 to `MAX_DOCUMENT_PAGE`. */
  readonly limit: number;
  /** Where there is no change yet, the time to wait for one. */
  readonly waitMs: number;
}

export interface ChangePage {
  /** In the order of the database. Only changes that no failover undoes. */
  readonly changes: readonly DocumentChange[];
  /** Opaque. It moves on without changes, too. */
  readonly next: string;
}

export interface DocumentChange {
  readonly kind: ChangeKind;
  /** Identity of the change: the same each time that it is read. */
  readonly token: string;
  readonly atMs: number;
  /** For `waitUntilReadable` of the adapter: a reader with this token sees the change. */
  readonly readToken: string;
  /** The fields of `read`, as in `StoredDocument`: of the document after the change; of a deleted one, the id. */
  readonly values: Readonly<Record<string, unknown>>;
}
