import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { escalationSettings, presetConfig } from '@redrive/config';
import { jobsOn, memoryStore, type Notice } from '@redrive/durable';
import { deadLetterOf } from '@redrive/durable/dead-letters';
import {
  actOnEscalation,
  type EscalationChannel,
  lookAtEscalations,
  NOTIFY_HANDLER,
  notifyHandler,
} from '@redrive/durable/escalation';
import { leakedSecrets, PLANTED_SECRETS, plantSecrets } from '@redrive/testkit/conformance/secrets';
import { expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';
import { rulesOf } from './escalations.ts';

const HOOK = { path: '/services/T0/hookpath4711', authorization: 'Bearer hookbearer4711' };

/** Channels that refuse every notification: the webhook repeats in its answer all that it got. */
async function setUp() {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (data) => {
      body += data;
    });
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(302, { location: request.url }).end(request.url + body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const directory = scratchDirectory(onTestFinished, {});
  const file = join(directory, 'got.txt');
  const store = memoryStore();
  await plantSecrets(store);
  // Each cause has a notification of its own.
  const rules = {
    ...rulesOf(presetConfig()),
    maxNotificationsPerLook: PLANTED_SECRETS.length * 10,
  };
  // One look notifies 50 rises at most.
  while ((await lookAtEscalations(store, rules)).raised > 0);
  const pager: EscalationChannel = {
    ...{ url: `http://127.0.0.1:${port}${HOOK.path}`, timeoutMs: 5_000 },
    authorization: HOOK.authorization,
  };
  const mail = { command: ['sh', '-c', `cat >> ${file}; exit 64`], timeoutMs: 5_000 };
  const lines: string[] = [];
  const log = (...line: unknown[]) => void lines.push(JSON.stringify(line));
  const jobs = jobsOn(
    store,
    {
      [NOTIFY_HANDLER]: notifyHandler({
        channels: () => ({ pager, mail }),
        tiers: () => escalationSettings(presetConfig()).tiers,
        allowed: () => ({ http: ['127.0.0.1'], private: ['127.0.0.1'] }),
      }),
    },
    {
      log: { debug: log, info: log, warn: log, error: log },
      onNotice: (notice: Notice) => log(notice),
    },
  );
  await jobs.start();
  await jobs.idle();
  await jobs.stop();
  return { store, bodies, lines, stdin: readFileSync(file, 'utf8') };
}

test('of fifty planted secrets none is in notifications, their logs and their dead letters', async () => {
  const { store, bodies, lines, stdin } = await setUp();
  expect(PLANTED_SECRETS.length).toBeGreaterThanOrEqual(50);
  const sent = await store.jobs({ handler: NOTIFY_HANDLER }, { limit: 1_000 });
  expect(sent.jobs.length).toBeGreaterThan(20);
  expect(bodies).toHaveLength(sent.jobs.length);
  expect(stdin.split('"schema_version"')).toHaveLength(sent.jobs.length + 1);
  expect(lines.length).toBeGreaterThan(sent.jobs.length);
  const letters = await Promise.all(sent.jobs.map(async ({ id }) => store.job(id)));
  const dead = letters.map((job) => job && JSON.stringify([job, deadLetterOf(job)]));
  expect(letters.map((job) => job?.state)).not.toContain('succeeded');
  const run = (args: string) => runMain(args.split(' '), { store, env: { COLUMNS: '1000' } });
  const { escalations } = JSON.parse((await run('escalations list --json')).stdout);
  const keys: string[] = escalations.map(({ key }: { key: string }) => key);
  expect(keys.length).toBeGreaterThan(20);
  const shown: string[] = [];
  for (const args of [
    ...['escalations list', 'escalations list --json', 'dlq list --queue escalation --json'],
    ...keys
      .slice(0, 10)
      .flatMap((key) => [`escalations show ${key}`, `escalations show ${key} --json`]),
  ])
    shown.push((await run(args)).stdout);
  const texts = { bodies, stdin, lines, dead, shown };
  for (const [name, text] of Object.entries(texts)) {
    expect(leakedSecrets(JSON.stringify(text)), name).toEqual([]);
    expect(JSON.stringify(text), name).not.toMatch(/hookpath4711|hookbearer4711/);
  }
});

test('of fifty planted secrets none is shown of the acts of people', async () => {
  const store = memoryStore();
  await plantSecrets(store);
  await lookAtEscalations(store, rulesOf(presetConfig()));
  const run = (...args: string[]) => runMain(['escalations', ...args], { store });
  const key: string = JSON.parse((await run('list', '--json')).stdout).escalations[0].key;
  for (const { text, secret } of PLANTED_SECRETS) {
    const request = { key, tier: 3, actor: { name: 'eve', why: text(secret) } };
    await actOnEscalation(store, { ...request, act: 'assign', owner: text(secret) });
    await actOnEscalation(store, { ...request, act: 'decide', decision: 'leave' });
  }
  for (const json of [[], ['--json']]) {
    const { stdout } = await run('show', key, ...json);
    expect(stdout.split('assign').length).toBeGreaterThan(PLANTED_SECRETS.length);
    expect(leakedSecrets(stdout)).toEqual([]);
  }
});
