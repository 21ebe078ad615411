import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AccessFile } from '../access/access-file.ts';
import { api } from '../testing/api.ts';

/** A server with an access file that no other test has. */
async function place() {
  const directory = mkdtempSync(join(tmpdir(), 'redrive-tokens-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const access = new AccessFile(join(directory, 'access.json'));
  const made = await api(onTestFinished, { access });
  const root = await access.createToken({ name: 'root', role: 'admin' });
  return { ...made, access, root };
}

test('an admin creates a token, which works until it is revoked; both are on record', async () => {
  const { call, root } = await place();
  const body = { role: 'viewer', name: 'grafana', reason: 'dashboards' };
  const made = (await call('POST', '/v1/tokens', { token: root, body })).json();
  expect(made).toMatchObject({ name: 'grafana', role: 'viewer', tenant: null, expires: null });
  expect((await call('GET', '/v1/status', { token: made.token })).statusCode).toBe(200);
  const again = await call('POST', '/v1/tokens', { token: root, body });
  expect(again.json()).toMatchObject({ status: 409, code: 'conflict' });
  const listed = await call('GET', '/v1/tokens', { token: root });
  expect(listed.json().tokens.map(({ name }: { name: string }) => name)).toEqual([
    ...['root', 'grafana'],
  ]);
  expect(listed.body).not.toContain(made.token.slice(-43));
  const revoke = { token: 'grafana', reason: 'replaced' };
  const revoked = await call('POST', '/v1/tokens/revoke', { token: root, body: revoke });
  expect(revoked.json()).toMatchObject({ name: 'grafana', revoked: true });
  expect((await call('GET', '/v1/status', { token: made.token })).statusCode).toBe(401);
  const { records } = (await call('GET', '/v1/audit?event=act', { token: root })).json();
  const acts = JSON.stringify(records);
  for (const text of ['create_token', 'revoke_token', 'dashboards', 'replaced', 'api:root@'])
    expect(acts).toContain(text);
  expect(acts).not.toContain(made.token.slice(-43));
});

test('a browser creates no token: a stolen sign-in must not outlive its 12 hours', async () => {
  const { signIn, call, access, root } = await place();
  const { headers } = await signIn({ token: root });
  const body = { role: 'admin', name: 'eve' };
  const answer = await call('POST', '/v1/tokens', { headers, body });
  expect(answer.json()).toMatchObject({ code: 'not_allowed', status: 403 });
  expect(access.tokens().map(({ name }) => name)).toEqual(['root']);
  // It may end sign-ins, its own too.
  const out = await call('POST', '/v1/sign-ins/revoke', { headers, body: { sign_in: 'root' } });
  expect(out.json()).toMatchObject({ sign_ins: [{ name: 'root' }], revoked: true });
  expect((await call('GET', '/v1/sign-ins', { headers })).statusCode).toBe(401);
});
