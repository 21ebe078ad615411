import type { JobSummary } from '@redrive/durable';
import type { StoredDocument } from '@redrive/durable/documents';
import type { Findings } from './report.ts';
import type { SentEvent } from './sent-events.ts';
import type { PlannedDocument } from './swept-documents.ts';

export interface SweptState {
  readonly planned: readonly PlannedDocument[];
  readonly stored: ReadonlyMap<string, StoredDocument>;
  /** All jobs of the store. */
  readonly jobs: readonly JobSummary[];
  /** Events that the bus has confirmed, and those that have arrived. */
  readonly published: readonly SentEvent[];
  readonly received: readonly SentEvent[];
  /** Events that may have been published twice, because their sender died in between. */
  readonly mostDuplicates: number;
}

/** Compares the documents with the events: each document was sent once, or given up once. */
export function checkSweep(state: SweptState, findings: Findings): void {
  const { planned, stored, published } = state;
  const sent = Map.groupBy(published, ({ document }) => document);
  const arrived = Map.groupBy(state.received, ({ document }) => document);
  const jobs = Map.groupBy(state.jobs, ({ sessionId = '' }) => sessionId);
  const cases = {
    lost: [] as string[],
    'sent twice in a window': [] as string[],
    'attempts counted without an event': [] as string[],
    'attempts sent and not counted': [] as string[],
    'events of one attempt with different ids': [] as string[],
    'claims left behind': [] as string[],
    'not given up once': [] as string[],
  };
  let duplicates = 0;
  for (const { id, count, isAtLimit } of planned) {
    const document = stored.get(id);
    const events = sent.get(id) ?? [];
    const ids = new Set(events.map((event) => event.id));
    const own = jobs.get(`documents.archives/${id}`) ?? [];
    const counted = Number(document?.count) - count;
    const isLeft = document?.mark?.sent !== true;
    if (isLeft) cases['claims left behind'].push(`${id}: ${JSON.stringify(document?.mark)}`);
    if (isAtLimit) {
      const isGivenUp = document?.status === 'failed_max_retries' && counted === 0;
      const letters = own.filter(({ state, reason }) => state === 'dead' && reason !== undefined);
      if (!isGivenUp || letters.length !== 1 || own.length !== 1 || ids.size > 0)
        cases['not given up once'].push(
          `${id}: ${document?.status}, ${letters.length} dead letters, ${own.length} jobs, ${ids.size} events`,
        );
      continue;
    }
    duplicates += events.length - ids.size;
    if (!arrived.get(id)?.some((event) => event.id === document?.mark?.event))
      cases.lost.push(`${id}: event ${document?.mark?.event} did not arrive`);
    if (ids.size > 1 || own.length > 1)
      cases['sent twice in a window'].push(`${id}: ${[...ids].join(', ')} (${own.length} jobs)`);
    if (counted > ids.size)
      cases['attempts counted without an event'].push(`${id}: ${counted}, ${ids.size} events`);
    if (counted < ids.size)
      cases['attempts sent and not counted'].push(`${id}: ${counted}, ${ids.size} events`);
    for (const [attempt, same] of Map.groupBy(events, (event) => event.attempt)) {
      if (new Set(same.map((event) => event.id)).size > 1)
        cases['events of one attempt with different ids'].push(`${id}, attempt ${attempt}`);
    }
  }
  Object.assign(findings.figures, {
    documents: planned.length,
    'events published': published.length,
    'given up': planned.filter(({ isAtLimit }) => isAtLimit).length,
  });
  for (const [what, which] of Object.entries(cases)) findings.none(what, which);
  findings.atMost('duplicates with the same id', duplicates, state.mostDuplicates);
}
