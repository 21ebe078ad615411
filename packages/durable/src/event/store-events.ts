import { RedriveError } from '@redrive/core';
import { buriedByRules } from '../dead-letter/dead-group.ts';
import { isSamePayload } from '../jobs/payload.ts';
import type { EnqueueCommand } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import type { Delivery } from './bus.ts';
import { conflictCommand, type EventContext, eventCommand } from './event-command.ts';
import { noteDocuments } from './note-documents.ts';

/** `stored`: as a job. `duplicate`: it was stored before. `dead_lettered`: as a dead letter. `handled`: not stored. */
export type EventResult = 'stored' | 'duplicate' | 'dead_lettered' | 'handled';

/** Stores messages of a source as jobs, in one commit. One answer per message, in the same order. */
export async function storeEvents(
  store: FullStore,
  context: EventContext,
  deliveries: readonly Delivery[],
): Promise<EventResult[]> {
  const commands = deliveries.map((delivery) => eventCommand(delivery, context));
  // A message that is twice in the batch is enqueued once.
  const first = new Map(commands.toReversed().map((command) => [command.job.id, command]));
  const enqueued = commands.filter((command) => first.get(command.job.id) === command);
  const results = await store.apply(await buriedByRules(store, enqueued));
  // Before the acknowledgement. A message that is delivered again is noted again.
  if (context.source.documents !== undefined) await noteDocuments(store, context.source, commands);
  const created = new Set(enqueued.filter((_, index) => results[index]?.ok));
  const conflicts = await storeConflicts(store, context, deliveries, commands, created);
  return commands.map((command, index) => {
    if (created.has(command)) return command.dead === undefined ? 'stored' : 'dead_lettered';
    return conflicts.has(index) ? 'dead_lettered' : 'duplicate';
  });
}

/** Stores dead letters of messages whose key another stored event has. Answers their places. */
async function storeConflicts(
  store: FullStore,
  context: EventContext,
  deliveries: readonly Delivery[],
  commands: readonly EnqueueCommand[],
  created: ReadonlySet<EnqueueCommand>,
): Promise<ReadonlySet<number>> {
  const conflicts = new Map<number, EnqueueCommand>();
  for (const [index, command] of commands.entries()) {
    if (created.has(command) || !(await isConflict(store, command))) continue;
    const { body } = deliveries[index] as Delivery; // One command per delivery.
    conflicts.set(index, conflictCommand(command, body, context));
  }
  if (conflicts.size === 0) return new Set();
  const results = await store.apply(await buriedByRules(store, [...conflicts.values()]));
  return new Set([...conflicts.keys()].filter((_, place) => results[place]?.ok));
}

async function isConflict(store: FullStore, { job }: EnqueueCommand): Promise<boolean> {
  const { id, queue, handler, payload } = job;
  const stored = await store.job(id);
  if (stored === undefined) {
    // Not acknowledged, so that the broker delivers the message again: by then its id is free.
    const text = `Event ${id} was deleted while a message with its id was compared with it`;
    throw new RedriveError('store_unavailable', text, { id });
  }
  // Names and ids of two sources may join to one id.
  if (stored.queue !== queue || stored.handler !== handler) return true;
  if (isSamePayload(stored.payload, payload)) return false;
  const earlier = stored.account.generation > 1 ? await store.earlierPayloads(id) : [];
  return !earlier.some((each) => isSamePayload(each.payload, payload));
}
