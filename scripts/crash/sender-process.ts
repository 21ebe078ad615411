// Runs the jobs that send the events of documents. Told so, it dies between the confirmation of a publish and the end of
// its job.
import { jobsOn } from '@redrive/durable';
import { documentHandler, type EventBody } from '@redrive/durable/documents';
import { type Bus, storeBus } from '@redrive/durable/events';
import { crash } from './crash-points.ts';
import { withMethods } from './observed-store.ts';
import { openTarget, type Target } from './open-target.ts';
import { SentEvents } from './sent-events.ts';
import { clocksOf } from './shifted-clock.ts';
import { DESTINATION, type DocumentsUrl, openDocuments, sweepOf } from './swept-documents.ts';
import { PATIENT_POLICY } from './workload.ts';

export interface SenderSettings {
  readonly target: Target;
  readonly documents: DocumentsUrl;
  readonly directory: string;
  readonly name: string;
  readonly clockFile: string;
  /** URL of RabbitMQ. Absent: the store is the bus. */
  readonly bus?: string | undefined;
  readonly concurrency: number;
  readonly leaseMs: number;
  /** Dies after so many confirmed events. Absent: never. */
  readonly diesAfter?: number | undefined;
}

// The harness writes them.
const settings = JSON.parse(process.argv[2] ?? '{}') as SenderSettings;
const { name, diesAfter, concurrency, leaseMs } = settings;
const events = new SentEvents(settings.directory);
const clock = clocksOf(settings.clockFile).worker;
const store = await openTarget(settings.target);
const source = await openDocuments(settings.documents, clock);
const bus = await openBus(settings.bus);
let confirmed = 0;

async function openBus(url: string | undefined): Promise<Bus> {
  const sink = { name: 'parsing', bus: 'main', handler: 'sink', subject: DESTINATION };
  if (url === undefined) return storeBus(store, [sink]);
  const { rabbitmqBus } = await import('@redrive/rabbitmq');
  return rabbitmqBus(url);
}

const observed = withMethods(bus, {
  async publish(messages) {
    const results = await bus.publish(messages);
    for (const [n, { id = '', body }] of messages.entries()) {
      if (results[n]?.published) events.published.write(SentEvents.read(id, Buffer.from(body)));
    }
    confirmed += messages.length;
    if (diesAfter !== undefined && confirmed >= diesAfter) await crash();
    return results;
  },
});

const send = documentHandler(sweepOf(source), observed, { clock });
const jobs = jobsOn(
  store,
  {
    // Crashes must not use up the attempts.
    'documents.archives': { ...send, policy: PATIENT_POLICY },
    sink: (event: EventBody) => events.received.write(SentEvents.of(event.event_id, event)),
  },
  { worker: name, concurrency, leaseMs, sweepMs: leaseMs / 4, pollMs: 100, log: 'off' },
);

process.once('disconnect', () => process.exit());
process.once('SIGTERM', async () => {
  await jobs.stop();
  await bus.close();
  await source.close();
  await store.close();
  process.exit();
});
await jobs.start();
process.send?.('ready');
