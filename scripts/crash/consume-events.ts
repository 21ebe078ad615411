import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FullStore } from '@redrive/durable';
import { type Bus, consumeEvents, type EventConsumerParts } from '@redrive/durable/events';
import { openBus, sourceOf } from './broker.ts';
import type { Evidence } from './evidence.ts';
import type { EventSettings } from './process-settings.ts';

/** Time between a planted early acknowledgement and the commit: a kill in between loses the batch. */
const EARLY_MS = 1_000;

/** Takes the harness's events in a worker process, and writes down each message that the broker delivers. */
export function takeEvents(
  settings: EventSettings,
  parts: {
    readonly store: FullStore;
    readonly jobs: EventConsumerParts['jobs'];
    readonly evidence: Evidence;
    readonly worker: string;
  },
): { close(): Promise<void> } {
  const { evidence, worker, store, jobs } = parts;
  const { broker, url, prefetch, bug } = settings;
  const bus = openBus(url);
  const source = sourceOf(broker, prefetch);
  const consumer = consumeEvents(bug === 'random id' ? { ...source, key: [] } : source, {
    bus: observed(bus, evidence, worker, bug),
    store,
    jobs,
    onChange: ({ state, lastError = '' }) =>
      evidence.remarks.write({
        worker,
        kind: `source_${state}`,
        text: lastError,
        atMs: Date.now(),
      }),
  });
  return {
    async close() {
      await consumer.stop();
      await bus.close();
    },
  };
}

/** The bus with a journal of its deliveries, and with a planted bug where the harness must find one. */
function observed(bus: Bus, evidence: Evidence, worker: string, bug: EventSettings['bug']): Bus {
  return {
    name: bus.name,
    capabilities: bus.capabilities,
    publish: (messages) => bus.publish(messages),
    check: (source) => bus.check(source),
    declare: (source) => bus.declare(source),
    close: () => bus.close(),
    [Symbol.asyncDispose]: () => bus.close(),
    consume: (source, options, take) =>
      bus.consume(source, options, async (deliveries) => {
        const sends = deliveries.map(({ headers }) => Number(headers.send));
        evidence.deliveries.write({ worker, sends, atMs: Date.now() });
        if (bug === 'early acknowledgement') {
          void sleep(EARLY_MS)
            .then(() => take(deliveries))
            .catch(() => {});
          return;
        }
        const renamed = deliveries.map((delivery) => ({ ...delivery, id: randomUUID() }));
        await take(bug === 'random id' ? renamed : deliveries);
      }),
  };
}
