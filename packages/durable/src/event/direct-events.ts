import type { HandOver } from '@redrive/core';
import type { EventWork } from '../jobs/hand-over.ts';
import type { EnqueueCommand } from '../store/commands.ts';
import type { DirectEvent } from '../worker/direct-context.ts';
import type { DirectRun } from '../worker/direct-run.ts';
import { type Delivery, MAX_EVENT_BYTES } from './bus.ts';
import { type EventContext, eventCommand } from './event-command.ts';
import type { EventConsumerParts } from './event-consumer.ts';
import { type EventOutcome, handleEventWithRetry } from './handle-event.ts';
import { noteDocuments } from './note-documents.ts';
import { type EventResult, storeEvents } from './store-events.ts';

/**
 * Runs messages that the broker delivers for the first time, and stores nothing of those that succeed. The others are
 * stored: a message that was delivered before may have run, and one that cannot be read or may not start waits as a job.
 *
 * @throws the first error, when nothing runs any more: the broker then delivers all messages again.
 */
export async function handleDirectly(
  run: DirectRun,
  { store, jobs, context }: Pick<EventConsumerParts, 'store' | 'jobs'> & { context: EventContext },
  deliveries: readonly Delivery[],
): Promise<EventResult[]> {
  const isFirst = ({ redelivered, body }: Delivery) =>
    !redelivered && body.length <= MAX_EVENT_BYTES;
  const results = await storeAll(deliveries.filter((delivery) => !isFirst(delivery)));
  const unstarted: Delivery[] = [];
  let failure: { readonly error: unknown } | undefined;
  const rest = deliveries.filter(isFirst).values();
  const handleRest = async (): Promise<void> => {
    for (const delivery of rest) {
      const command = eventCommand(delivery, context);
      if (failure !== undefined || command.dead !== undefined || !run.mayStart) {
        unstarted.push(delivery);
        continue;
      }
      try {
        results.push(RESULTS[await handleOne(delivery, command)]);
      } catch (error) {
        failure ??= { error };
      }
    }
  };

  async function storeAll(some: readonly Delivery[]): Promise<EventResult[]> {
    return some.length === 0 ? [] : storeEvents(store, context, some);
  }

  function handleOne(
    { body, headers }: Delivery,
    command: EnqueueCommand & { readonly job: DirectEvent },
  ): Promise<EventOutcome> {
    const { job } = command;
    const message = { payload: job.payload, headers: job.headers };
    const handOver = async (work: EventWork): Promise<void> => {
      const last = work.attempts.at(-1);
      if (last?.errorClass === 'rate_limited') run.rateLimited(work.delayMs);
      // The event of a sweep has another key than id. A conflict's dead letter has an id of its own, which is its key.
      const idempotencyKey = work.sessionId === id ? job.idempotencyKey : work.idempotencyKey;
      await jobs.handOver.handOver({ ...work, idempotencyKey, message } as EventWork);
      if (work.sessionId === id) await noteDocuments(store, context.source, [command]);
    };
    const { handler, queue: source, id } = job;
    const about = { handler, source, idempotencyKey: id, headers, bus: context.source.bus };
    return handleEventWithRetry(body, (_, attempt) => run.attempt(job, attempt), {
      ...run.options,
      ...about,
      jobs: { handOver: { handOver } as HandOver },
    });
  }

  await Promise.all(Array.from({ length: run.concurrency }, handleRest));
  if (failure !== undefined) throw failure.error;
  return [...results, ...(await storeAll(unstarted))];
}

const RESULTS: Readonly<Record<EventOutcome, EventResult>> = {
  handled: 'handled',
  handed_over: 'stored',
  dead_lettered: 'dead_lettered',
};
