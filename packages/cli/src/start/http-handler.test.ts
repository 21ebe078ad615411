import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { POLICIES, workerPlace } from '../testing/worker-place.ts';

const SECRET = 'a secret of at least 24 bytes';

async function receiver() {
  const got: Record<string, unknown>[] = [];
  const server: Server = createServer((request, response) => {
    got.push(request.headers);
    response.end('"thanks"');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { got, port: (server.address() as AddressInfo).port }; // It listens on TCP.
}

const configOf = (port: number, more = '') => `${POLICIES}jobs:
  http: { targets: ["127.0.0.1:${port}"], allow_http: ["127.0.0.1:${port}"], allow_private: [127.0.0.1]${more} }
  handlers:
    mail:
      http:
        url: http://127.0.0.1:${port}/hook
        headers: { X-Team: payments }
        headers_env: { Authorization: SHOP_AUTHORIZATION }
        secret_env: SHOP_SECRET
      policy: quick
`;

describe('a handler with http', () => {
  test('sends its headers and its signature, with secrets of the environment', async () => {
    const { port, got } = await receiver();
    const { client, start } = workerPlace(onTestFinished, configOf(port));
    const job = await client.enqueue('mail', { order: 7 });
    const env = { SHOP_AUTHORIZATION: 'Bearer x', SHOP_SECRET: SECRET };
    const ran = await start(['--until-idle'], { env });
    expect([ran.exitCode, ran.stderr]).toEqual([0, '']);
    expect(await client.wait(job)).toBe('thanks');
    expect(got).toMatchObject([
      {
        ...{ 'x-team': 'payments', authorization: 'Bearer x', 'idempotency-key': job.id },
        'webhook-signature': expect.stringMatching(/^v1,/),
      },
    ]);
    expect(ran.stdout).not.toContain(SECRET);
  });

  test('without its variables, or with a short secret or a missing certificate, the worker does not start', async () => {
    const { port, got } = await receiver();
    const missing = await workerPlace(onTestFinished, configOf(port)).start([]);
    expect([missing.exitCode, missing.stderr]).toEqual([
      1,
      expect.stringContaining('mail needs the variable SHOP_AUTHORIZATION, which is not set'),
    ]);
    const env = { SHOP_AUTHORIZATION: 'x', SHOP_SECRET: 'short' };
    const short = await workerPlace(onTestFinished, configOf(port)).start([], { env });
    expect(short.stderr).toContain('secret must have 24 bytes');
    expect(short.stderr).not.toContain('"short"');
    const ca = workerPlace(onTestFinished, configOf(port, ', ca: none.pem'));
    const none = await ca.start([], { env: { ...env, SHOP_SECRET: SECRET } });
    expect(none.stderr).toContain('none.pem has no certificate');
    expect(got).toEqual([]);
  });
});
