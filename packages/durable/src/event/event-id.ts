import { createHash } from 'node:crypto';
import { MAX_NAME_LENGTH, textProblem } from '../jobs/text-problem.ts';
import type { Delivery } from './bus.ts';
import type { ResolvedSource } from './event-source.ts';

/**
 * The idempotency key of an event, which is also the id of its job: the source's name and all ids that `key` names, else
 * the message's id, else its position. `undefined`: the message has no identity, so a redelivery runs it again.
 */
export function eventId(
  { name, key }: Pick<ResolvedSource, 'name' | 'key'>,
  delivery: Pick<Delivery, 'id' | 'position'>,
  body: unknown,
): string | undefined {
  const ids = key.flatMap((path) => idsAt(body, path));
  // Ids that contain the separator could be divided otherwise.
  if (ids.length > 1 && ids.some((id) => id.includes('-')))
    return `${name}-${hashOf(JSON.stringify(ids))}`;
  if (ids.length > 0) return bounded(name, ids.join('-'));
  const id = delivery.id || delivery.position;
  return id ? bounded(name, id) : undefined;
}

/**
 * The id of an event's job: its idempotency key. A sweep sends the event of a document once more because the first one
 * did not help. With the first one's id it would be a duplicate, and the document would never be processed: the id of a
 * swept event also has the id that its sweep gave it. Its idempotency key stays, so that an effect still happens once.
 */
export function eventJobId(source: string, key: string, body: unknown): string {
  const swept =
    idsAt(body, 'retry_sweep.attempt').length > 0 ? idsAt(body, 'event_id')[0] : undefined;
  // Without `key` the event has the id of its message, which is the sweep's own already.
  if (swept === undefined || key === `${source}-${swept}`) return key;
  return bounded(source, `${key.slice(source.length + 1)}-sweep-${swept}`);
}

/** The id of a message whose key belongs to another event. Its redelivery has the same one, another source's has not. */
export function conflictId(source: string, id: string, body: Uint8Array): string {
  const hash = hashOf(Buffer.concat([Buffer.from(`${source}\n`), body]));
  return bounded(source, `${id.slice(source.length + 1)}-${hash.slice(0, 16)}`);
}

/** Of a message that cannot be read: its bytes identify it, if nothing else does. */
export function unreadableId(source: string, delivery: Delivery): string {
  const id = delivery.id || delivery.position;
  return bounded(source, id || hashOf(delivery.body));
}

export function hashOf(body: Uint8Array | string): string {
  return createHash('sha256').update(body).digest('hex');
}

function bounded(source: string, ids: string): string {
  const id = `${source}-${ids}`;
  return textProblem('id', id, MAX_NAME_LENGTH) === undefined ? id : `${source}-${hashOf(ids)}`;
}

/** Texts and whole numbers at a path. A list on the path means all its members. */
export function idsAt(body: unknown, path: string): string[] {
  let found: unknown[] = [body];
  for (const name of path.split('.')) {
    const next: unknown[] = [];
    for (const value of membersOf(found))
      if (typeof value === 'object' && value !== null && Object.hasOwn(value, name))
        next.push((value as Record<string, unknown>)[name]);
    found = next;
  }
  return membersOf(found).filter(isId).map(String);
}

const isId = (value: unknown) =>
  typeof value === 'string' ? value !== '' : Number.isSafeInteger(value);

/** The values, and for each list its members. Most events have no list there. */
function membersOf(values: unknown[]): unknown[] {
  return values.some(Array.isArray) ? values.flat() : values;
}
