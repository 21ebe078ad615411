import { maskUrls } from '@redrive/config';
import type { Bus } from '@redrive/durable/events';
import { CliError } from '../terminal/cli-error.ts';

/**
 * Opens the message broker at a URL. The one place that names concrete adapters; each driver is loaded only when it is
 * asked for. It connects at its first call.
 */
export async function openBusAt(url: string): Promise<Bus> {
  if (/^(?:nats|tls):\/\//.test(url)) {
    const { natsBus } = await import('@redrive/nats');
    return natsBus(url);
  }
  if (/^amqps?:\/\//.test(url)) {
    const { rabbitmqBus } = await import('@redrive/rabbitmq');
    return rabbitmqBus(url);
  }
  throw new CliError(
    'usage',
    `This is not a message broker: ${maskUrls(url)}`,
    'Write store:, nats://host:4222 or amqp://host:5672 under buses.',
  );
}
