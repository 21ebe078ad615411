import { type Bus, memoryBus } from '@redrive/durable/events';

/** A source of events for a configuration whose handlers have `resize`. */
export const EVENTS_CONFIG = `
buses: { main: { url: "nats://127.0.0.1:4222" }, rabbit: { url: "amqp://127.0.0.1" } }
events: { sources: { chunking: { bus: main, stream: docs, handler: resize } } }
`;

/** A bus that has this source, with one message and something to warn of. */
export async function busWithEvent(): Promise<Bus> {
  const bus = memoryBus();
  await bus.declare({ name: 'chunking' });
  await bus.declare({ name: 'parsing.failed' });
  await bus.publish([{ destination: 'chunking', body: Buffer.from('{"image":1}'), id: 'm-0' }]);
  const check = bus.check.bind(bus);
  return Object.assign(bus, {
    check: async (source: Parameters<Bus['check']>[0]) => {
      const problem = {
        severity: 'warning',
        problem: 'It may not sync',
        remedy: 'Set it.',
      } as const;
      return { ...(await check(source)), problems: [problem] };
    },
  });
}
