import { createHmac } from 'node:crypto';

/** The standard asks for 24 to 64 bytes. */
export const MIN_SECRET_BYTES = 24;

/** The bytes of a secret: `whsec_` is followed by Base64, anything else is taken as text. */
export function secretBytes(secret: string): Buffer {
  const [, encoded] = /^whsec_([\w+/=-]+)$/.exec(secret) ?? [];
  return encoded === undefined ? Buffer.from(secret) : Buffer.from(encoded, 'base64');
}

/**
 * The headers of a signed request, as Standard Webhooks describes them (www.standardwebhooks.com): a receiver computes the
 * same HMAC-SHA256 over `<id>.<timestamp>.<body>`, and refuses old timestamps.
 *
 * @param id the same for every attempt. Its dots are encoded: with them, another id, timestamp and body could have the same text.
 */
export function signatureHeaders(
  secret: string,
  { id, body, nowMs }: { id: string; body: string | Uint8Array; nowMs: number },
): Readonly<Record<string, string>> {
  const key = id.replaceAll('.', '%2E');
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signed = createHmac('sha256', secretBytes(secret)).update(`${key}.${timestamp}.`);
  return {
    'webhook-id': key,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signed.update(body).digest('base64')}`,
  };
}
