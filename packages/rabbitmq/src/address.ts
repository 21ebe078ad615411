import { RedriveError } from '@redrive/core';

/** Seconds after which a silent connection is suspected; it is closed after two. */
const HEARTBEAT_SECONDS = 10;

export interface RabbitmqAddress {
  /** For errors and logs: without credentials. */
  readonly name: string;
  /** For the client: with the heartbeat. One per node of a cluster. */
  readonly urls: readonly [string, ...string[]];
}

/**
 * Reads `amqp://user:password@host:5672/vhost`, or `amqps://`; several nodes of a cluster comma-separated.
 *
 * @throws RedriveError `invalid_option`; the message does not repeat the URL, which may have a password.
 */
export function parseAddress(text: string): RabbitmqAddress {
  const [first, ...others] = text.split(',').map((each) => parseUrl(each.trim()));
  if (first === undefined) throw new TypeError('a split text has a first part');
  return {
    name: [first, ...others].map(({ name }) => name).join(','),
    urls: [first.url, ...others.map(({ url }) => url)],
  };
}

function parseUrl(text: string): { readonly name: string; readonly url: string } {
  const url = URL.parse(text);
  if (url === null || !/^amqps?:$/.test(url.protocol) || url.hostname === '') {
    throw new RedriveError(
      'invalid_option',
      'The URL of the RabbitMQ server is not of the form amqp://host:5672/vhost or amqps://host:5671/vhost',
    );
  }
  if (!url.searchParams.has('heartbeat')) {
    url.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
  }
  const port = url.port || (url.protocol === 'amqps:' ? '5671' : '5672');
  return { name: `${url.protocol}//${url.hostname}:${port}${url.pathname}`, url: url.href };
}
