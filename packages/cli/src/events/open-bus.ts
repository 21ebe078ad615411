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
  throw new CliError(
    'usage',
    `This is not a message broker: ${maskUrls(url)}`,
    'Write nats://host:4222 under buses.',
  );
}
