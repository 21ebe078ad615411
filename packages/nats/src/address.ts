import { RedriveError } from '@redrive/core';

/** The parts of a NATS URL. */
export interface NatsAddress {
  /** For errors and logs: without credentials. */
  readonly name: string;
  readonly servers: readonly string[];
  readonly user?: string | undefined;
  readonly pass?: string | undefined;
  readonly token?: string | undefined;
  readonly tls: boolean;
}

/**
 * Reads `nats://user:password@host:4222`, also several, comma-separated: the credentials of the first one count. A user
 * without a password is a token. `tls://` wants an encrypted connection.
 *
 * @throws RedriveError `invalid_option`; the message does not repeat the URL, which may have a password.
 */
export function parseAddress(url: string): NatsAddress {
  const urls = url.split(',').map((each) => parseUrl(each.trim()));
  const [first] = urls;
  if (first === undefined || urls.some((each) => each === undefined)) {
    throw new RedriveError(
      'invalid_option',
      'The URL of the NATS server is not of the form nats://host:4222 or tls://host:4222',
    );
  }
  const servers = urls.flatMap((each) =>
    each === undefined ? [] : `${each.hostname}:${each.port || 4222}`,
  );
  const user = first.username === '' ? undefined : decodeURIComponent(first.username);
  const pass = first.password === '' ? undefined : decodeURIComponent(first.password);
  return {
    name: `${first.protocol}//${servers.join(',')}`,
    servers,
    tls: first.protocol === 'tls:',
    ...(user !== undefined && pass === undefined ? { token: user } : { user, pass }),
  };
}

function parseUrl(text: string): URL | undefined {
  const url = URL.parse(/^[a-z]+:\/\//.test(text) ? text : `nats://${text}`);
  return url !== null && /^(nats|tls):$/.test(url.protocol) && url.hostname !== ''
    ? url
    : undefined;
}
