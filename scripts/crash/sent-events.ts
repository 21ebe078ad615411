import { join } from 'node:path';
import type { EventBody } from '@redrive/durable/documents';
import { Journal, readJournal } from './journal.ts';

/** An event of a document, as it went through the bus. */
export interface SentEvent {
  /** Of the message. */
  readonly id: string;
  readonly document: string;
  readonly attempt: number;
}

/** The events that the bus has confirmed, and those that have arrived. Each process has its own handles to the same files. */
export class SentEvents {
  readonly published: Journal<SentEvent>;
  readonly received: Journal<SentEvent>;

  constructor(directory: string) {
    this.published = new Journal(join(directory, 'published'));
    this.received = new Journal(join(directory, 'received'));
  }

  static of(id: string, { data, retry_sweep }: EventBody): SentEvent {
    return { id, document: String(Object(data).archive_id), attempt: retry_sweep.attempt };
  }

  static read(id: string, body: Buffer): SentEvent {
    return SentEvents.of(id, JSON.parse(body.toString()));
  }

  static all(directory: string, what: 'published' | 'received'): readonly SentEvent[] {
    return readJournal(join(directory, what));
  }
}
