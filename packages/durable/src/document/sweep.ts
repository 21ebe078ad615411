import type { ResolvedPolicy } from '@redrive/core';
import {
  type DocumentCollection,
  type DocumentSet,
  type DocumentSource,
  MAX_TIME_AHEAD_MS,
  type StoredDocument,
} from '../document-source/document-source.ts';
import { hashOf } from '../event/event-id.ts';
import { MAX_KEY_LENGTH, textProblem } from '../jobs/text-problem.ts';
import type { EventTemplate } from './event-template.ts';

/** A collection that is swept: its documents, the age at which one is stuck, and the event that is sent again. */
export interface Sweep {
  /** In commands, metrics and logs: `archives`. Its jobs have the handler `documents.archives`. */
  readonly name: string;
  readonly source: DocumentSource;
  readonly collection: DocumentCollection;
  /** Counts attempts at the document. The sending jobs wait for their broker for as long as it takes. */
  readonly policy: ResolvedPolicy;
  /**
   * Where less than half of the events that were published and had `thresholdMs` to be processed are done, the back-off is
   * up to 8 times as long. Default `false`.
   */
  readonly dynamicBackoff?: boolean | undefined;
  /** The age of the last attempt at which a pending document is stuck. */
  readonly thresholdMs: number;
  /** Younger documents are left alone: `fields.created` says when they were inserted. 0: none. */
  readonly minimumAgeMs: number;
  /** The dependency of the documents' owner: while it is down, nothing is claimed. Empty: none. */
  readonly dependency: string;
  /** The field that gives the jobs their priority: `newest` a time, `highest` a number. Absent: all have 0. */
  readonly priority?: { readonly field: string; readonly first: 'newest' | 'highest' } | undefined;
  readonly event: SweepEvent;
}

export interface SweepEvent {
  /** `event_type` of its body, such as `ArchiveIngested`. */
  readonly type: string;
  /** Name of the bus. */
  readonly bus: string;
  readonly destination: string;
  /** The field of the document with the whole event, as an object or as JSON text. It must be in `fields.read`. Default: none. */
  readonly field?: string | undefined;
  /** The source that stores the events of the documents, with this collection in its `documents`. Default: none. */
  readonly source?: string | undefined;
  /** `data` of its body, for documents without an event in their field and without a stored one. */
  readonly data: EventTemplate;
}

/** The payload of a job that sends the event of a document. */
export interface DocumentJob {
  readonly document: string;
  /** Further documents that had the same event: it is sent once for all of them. */
  readonly others?: readonly string[] | undefined;
  /** When a sweep claimed it. */
  readonly claimedAtMs?: number | undefined;
  /** The body. Absent: it has more than 1 MiB, or the job makes it when it runs. */
  readonly event?: EventBody | undefined;
  /** Of the message: the session of the original event. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The document is beyond its limit: a requeue resets it first. */
  readonly failed?: true | undefined;
  /** An operator wants it to be sent: the job claims it when it runs, whatever its age and back-off. */
  readonly wanted?: true | undefined;
}

/** The original event, or one with `event_type` and `data` of the collection. */
export interface EventBody {
  readonly [name: string]: unknown;
  readonly event_id: string;
  readonly timestamp: string;
  /** A sweep sent it, and counts the attempt when the broker has confirmed it. */
  readonly retry_sweep: { readonly attempt: number };
}

const MAX_ID_BYTES = 512;

export const handlerOf = ({ name }: Pick<Sweep, 'name'>) => `documents.${name}`;

/** All attempts at one document are one session. */
export function sessionOf(sweep: Pick<Sweep, 'name'>, id: string): string {
  const session = `${handlerOf(sweep)}/${id}`;
  return session.length <= MAX_KEY_LENGTH ? session : `${handlerOf(sweep)}/${hashOf(id)}`;
}

/** The problem of a document that is skipped and never changed. `set`: the one in which it was found. */
export function invalidDocument(
  { id, count, timeMs, mark }: StoredDocument,
  nowMs: number,
  set?: DocumentSet['set'],
): string | undefined {
  const bytes = Buffer.byteLength(id);
  if (bytes > MAX_ID_BYTES) return `The id has ${bytes} bytes, more than ${MAX_ID_BYTES}`;
  const misnamed = textProblem('The id', id, MAX_ID_BYTES);
  if (misnamed !== undefined) return misnamed.message;
  if (count !== null && !(Number.isSafeInteger(count) && Number(count) >= 0))
    return `The count of attempts is ${JSON.stringify(count)}: it must be a whole number from 0`;
  if (Number.isNaN(new Date(timeMs ?? 0).getTime()))
    return 'The time of the last attempt is not a time';
  if (Number(timeMs) > nowMs + MAX_TIME_AHEAD_MS)
    return `The time of the last attempt is ahead of the database's clock by ${Number(timeMs) - nowMs} ms`;
  const hasEvent = textProblem('', mark?.event ?? '', MAX_KEY_LENGTH) === undefined;
  return set === 'unsent' && !hasEvent ? 'The mark is not one of a sweep' : undefined;
}

/** The stored count of a valid document. */
export const countOf = ({ count }: Pick<StoredDocument, 'count'>) => Number(count ?? 0);
