import type { EnqueueCommand } from '../store/commands.ts';
import {
  type EventDocumentStore,
  type EventDocuments,
  MAX_DOCUMENT_ID_BYTES,
  MAX_EVENT_DOCUMENTS,
  MAX_NOTED_DOCUMENTS,
} from './event-documents.ts';
import { idsAt } from './event-id.ts';
import type { ResolvedSource } from './event-source.ts';

/** Notes the documents of stored events, where collections have their events from this source. */
export async function noteDocuments(
  store: EventDocumentStore,
  source: ResolvedSource,
  commands: readonly EnqueueCommand[],
): Promise<void> {
  const events = commands.flatMap((command) => documentsOf(source, command));
  let part: EventDocuments[] = [];
  let count = 0;
  for (const event of events) {
    if (count + event.documents.length > MAX_NOTED_DOCUMENTS) {
      await store.noteEventDocuments(part);
      [part, count] = [[], 0];
    }
    part.push(event);
    count += event.documents.length;
  }
  if (part.length > 0) await store.noteEventDocuments(part);
}

function documentsOf(
  { documents }: ResolvedSource,
  { job, dead }: EnqueueCommand,
): readonly EventDocuments[] {
  const { id, payload } = job;
  // A dead letter from the start is no event that could be sent again.
  if (documents === undefined || dead !== undefined || payload.kind !== 'json') return [];
  const body: unknown = JSON.parse(payload.text);
  const bytes = Buffer.byteLength(payload.text);
  return Object.entries(documents).flatMap(([collection, paths]) => {
    const ids = new Set(paths.flatMap((path) => idsAt(body, path)));
    const kept = [...ids].filter(isNoted).slice(0, MAX_EVENT_DOCUMENTS);
    return kept.length === 0 ? [] : [{ collection, job: id, bytes, documents: kept }];
  });
}

/** Databases refuse a NUL and half a surrogate pair. */
const isNoted = (id: string) =>
  Buffer.byteLength(id) <= MAX_DOCUMENT_ID_BYTES && !id.includes('\0') && id.isWellFormed();
