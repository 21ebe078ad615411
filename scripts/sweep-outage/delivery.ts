import { existsSync, readFileSync } from 'node:fs';
import type { DocumentSource } from '@redrive/durable/documents';
import { mongodbDocuments } from '@redrive/mongodb';
import { postgresDocuments } from '@redrive/postgres';

/** What the service wrote down of an event that arrived. */
export interface Delivery {
  readonly id: string;
  readonly messageId: string;
  readonly document: string;
  readonly attempt: number;
  /** `timestamp` of the event. */
  readonly claimedAtMs: number;
  readonly arrivedAtMs: number;
  /** The broker says so: the service was killed before it acknowledged the event. */
  readonly isRedelivered: boolean;
  /** Hash of the body. */
  readonly body: string;
}

export const openSource = (url: string): DocumentSource =>
  url.startsWith('mongodb:') ? mongodbDocuments(url) : postgresDocuments(url);

export function readDeliveries(file: string): readonly Delivery[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.filter((line) => line !== '').map((line): Delivery => JSON.parse(line));
}
