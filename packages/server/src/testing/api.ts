import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { final, jobsOn, memoryStore } from '@redrive/durable';
import { virtualClock } from '@redrive/testkit';
import { AccessFile, type TokenWish } from '../access/access-file.ts';
import { type AppParts, createApp } from '../app.ts';
import { sweptArchives } from './swept.ts';

const START = Date.parse('2027-01-31T08:00:00Z');

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

// Each new token rewrites the file with a sync: all tests of a file share them.
const shared = {
  access: new AccessFile(join(mkdtempSync(join(tmpdir(), 'redrive-access-')), 'access.json')),
};
const tokens = new Map<string, Promise<string>>();

function sharedToken({ role, tenant }: Pick<TokenWish, 'role' | 'tenant'>): Promise<string> {
  const name = `${role}${tenant ?? ''}`;
  const made = tokens.get(name) ?? shared.access.createToken({ name, role, tenant, rate: 10_000 });
  tokens.set(name, made);
  return made;
}

/** A server over a store with dead letters of two tenants; nothing listens. */
export async function api(
  onEnd: (close: () => void | Promise<void>) => void,
  parts: Partial<AppParts> = {},
) {
  const directory = mkdtempSync(join(tmpdir(), 'redrive-api-'));
  onEnd(() => rmSync(directory, { recursive: true }));
  const clock = virtualClock({ startMs: START });
  const store = memoryStore({ clock });
  const jobs = jobsOn(store, { resize: () => final('no such image') }, { log: 'off', clock });
  const ids: Record<string, string> = {};
  for (const tenant of ['acme', 'other']) {
    const payload = { image: 7, password: 'hunter2' };
    ids[tenant] = (await jobs.enqueue('resize', payload, { tenant })).id;
  }
  await jobs.start();
  await clock.advance(2_000);
  await jobs.stop();
  const { access } = shared;
  const { sweep, documents } = sweptArchives(clock);
  const sweeps = async () => [sweep];
  const doctor = async () => ({
    ...{ store: 'memory', ok: true, jobs_read: 0, put_back: [], checks: [], findings: [] },
  });
  const app = createApp({ store, access, clock, sweeps, doctor, ...parts });
  onEnd(() => app.server.close());
  const token = (wish: Pick<TokenWish, 'role' | 'tenant'>) => sharedToken(wish);
  const call = (
    method: 'GET' | 'POST',
    url: string,
    given: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
  ) =>
    app.server.inject({
      method,
      url,
      headers: {
        host: 'localhost',
        ...(given.token === undefined ? {} : { authorization: `Bearer ${given.token}` }),
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
        ...given.headers,
      },
      ...(method === 'POST' ? { payload: JSON.stringify(given.body ?? {}) } : {}),
    });
  /** Signs in as a browser does. `headers`: those of each request of the console's page. */
  const signIn = async (
    body: object = { code: access.createCode(clock.now()) },
    headers: Record<string, string> = {},
  ) => {
    const answer = await call('POST', '/v1/sign-in', { body, headers });
    const [cookie = ''] = String(answer.headers['set-cookie']).split(';');
    const key = String(answer.json().key);
    return { answer, cookie, key, headers: { cookie, 'x-redrive-key': key, ...SAME_ORIGIN } };
  };
  return {
    app,
    signIn,
    store,
    sweep,
    documents,
    clock,
    access,
    directory,
    token,
    call,
    acme: ids.acme ?? '',
    other: ids.other ?? '',
  };
}
