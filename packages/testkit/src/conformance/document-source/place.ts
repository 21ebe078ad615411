import { equal, ok } from 'node:assert/strict';
import type {
  DocumentCollection,
  DocumentSet,
  DocumentSource,
  StoredDocument,
} from '@redrive/durable/documents';

/** A source of documents under test. The collection is empty, and prepared where the source has indexes. */
export interface DocumentsUnderTest {
  readonly source: DocumentSource;
  /** `testCollection`, with the table's own name. */
  readonly collection: DocumentCollection;
  /**
   * Inserts a document as its owner does, or changes the named fields of one that exists, with the database's own driver.
   * Fields that are not named stay as they are; in a new document they are missing (SQL: null).
   */
  readonly put: (document: OwnersDocument) => Promise<void>;
  /** Called when the test is over, also after a failure. */
  readonly close?: () => void | Promise<void>;
}

/** A document as its owner writes it. `title` is an ordinary field of the collection: text. */
export interface OwnersDocument {
  readonly id: string;
  readonly status?: string;
  readonly count?: number;
  readonly timeMs?: number | null;
  /** The whole mark, as it is stored: times are dates, or ISO texts where the database has none in it. */
  readonly mark?: OwnersMark;
  readonly title?: string;
  readonly lastError?: string;
}

export interface OwnersMark {
  readonly event?: string;
  readonly sent?: boolean;
  readonly at?: Date;
  readonly attempt?: number;
  readonly firstStuckAt?: Date;
  readonly foundAt?: Date;
}

/** The collection of the tests: the default names, and the field `title`. */
export function testCollection(name: string): DocumentCollection {
  return {
    name,
    fields: {
      id: '_id',
      status: 'status',
      count: 'attemptCount',
      time: 'lastAttemptTime',
      mark: 'retry_sweep',
      error: 'lastError',
      read: ['title'],
    },
    pending: ['pending', 'processing'],
    done: ['processed'],
    failed: 'failed_max_retries',
  };
}

export const HOUR = 3_600_000;
export const DUE = { set: 'due', olderThanMs: HOUR } as const;
export const STUCK = { set: 'stuck' } as const;
export const UNSENT = { set: 'unsent', olderThanMs: 60_000 } as const;
export const FAILED = { set: 'failed' } as const;
export const ODD_IDS = ['it\'s "odd"; drop table x', '{"$gt":""}', '$where', 'ä€😀 %_\\', '007'];

export type RegisterTest = (name: string, body: (place: Place) => Promise<void>) => void;

export class Place {
  readonly #subject: DocumentsUnderTest;
  readonly source: DocumentSource;
  readonly collection: DocumentCollection;

  constructor(subject: DocumentsUnderTest) {
    this.#subject = subject;
    this.source = subject.source;
    this.collection = subject.collection;
  }

  put(document: OwnersDocument): Promise<void> {
    return this.#subject.put(document);
  }

  async nowMs(): Promise<number> {
    return (await this.source.byIds(this.collection, [])).nowMs;
  }

  /** Documents with these ids that are due: pending, two attempts, the last one `hours` ago. */
  async due(ids: readonly string[], hours = 2): Promise<readonly StoredDocument[]> {
    const timeMs = (await this.nowMs()) - hours * HOUR;
    for (const id of ids) await this.put({ id, status: 'pending', count: 2, timeMs, title: id });
    return Promise.all(ids.map((id) => this.one(id)));
  }

  async one(id: string, collection = this.collection): Promise<StoredDocument> {
    const { documents } = await this.source.byIds(collection, [id]);
    const [document] = documents;
    ok(document !== undefined, `document ${id} exists`);
    equal(documents.length, 1);
    return document;
  }

  async exists(id: string): Promise<boolean> {
    return (await this.source.byIds(this.collection, [id])).documents.length > 0;
  }

  /** The ids of a set, page by page. */
  async ids(set: DocumentSet, { limit = 100, newestFirst = false } = {}): Promise<string[]> {
    const found: string[] = [];
    let after: string | undefined;
    do {
      const request = { ...set, limit, newestFirst, after };
      const page = await this.source.find(this.collection, request);
      ok(page.documents.length <= limit, `a page of ${page.documents.length}`);
      found.push(...page.documents.map(({ id }) => id));
      after = page.next;
    } while (after !== undefined);
    return found;
  }

  claim(
    documents: readonly StoredDocument[],
    event = 'e',
    note?: 'found' | 'stuck',
  ): Promise<readonly boolean[]> {
    const claims = documents.map(({ id, stamp }) => {
      return { id, stamp, event: `${event}-${id}`.slice(0, 64), note };
    });
    return this.source.claim(this.collection, claims);
  }

  /** Whether a time is that of the database, from `before` on. */
  async isNow(ms: number | null | undefined, before: number): Promise<boolean> {
    return Number(ms) >= before && Number(ms) <= (await this.nowMs());
  }
}
