import { jobsOn, memoryStore } from '@redrive/durable';
import { consumeEvents, type EventSource } from '@redrive/durable/events';
import { natsBus } from '../nats-bus.ts';

// A process with a direct source, whose handler never ends. It reports each event that it begins to handle.

const [url = '', source = ''] = process.argv.slice(2);
const store = memoryStore();
const handlers = {
  view: (page: string) => {
    process.send?.(page);
    return new Promise<void>(() => {});
  },
};
const jobs = jobsOn(store, handlers, { log: 'off' });
await jobs.start();
consumeEvents(JSON.parse(source) as EventSource, { bus: natsBus(url), store, jobs });
