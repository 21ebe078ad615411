import { final, jobsOn, memoryStore } from '@redrive/durable';
import {
  engageKill,
  forceBreaker,
  holdPark,
  pauseWork,
  submitOperation,
} from '@redrive/durable/control';
import { gateKey } from '@redrive/durable/control/rules';
import { mistakenArguments, pastedArguments } from '@redrive/testkit/services';
import { afterEach, expect, test } from 'vitest';
import { type RunningConsole, startConsole } from './testing/console.ts';
import { stuckArchives } from './testing/operated.ts';

/** Each is several attacks in one: every page is opened for each of them. */
const NAMES = [
  "Mq';touch x;'$(touch x)`touch x`",
  '-y;touch x|touch x&touch x',
  '--Tenant=B',
  '$HOME ~ * {aQ,bQ} !! #',
  "Mq\u202e';touch x;'",
  'Mq"; touch x; "',
];

/** The commands that name what was planted. */
const NAMED = [
  ...['breakers force-open', 'breakers half-open', 'breakers reset', 'dlq edit', 'dlq purge'],
  ...['dlq requeue', 'documents archive', 'documents purge', 'documents reset', 'gates release'],
  ...['jobs cancel', 'jobs retry', 'kill engage', 'kill release', 'ops abort', 'ops set-rate'],
  ...['ops watch', 'park hold', 'park release', 'queues resume', 'schedules resume'],
];

let running: RunningConsole;
afterEach(() => running.close());

/** A console over a store in which everything has this name. */
async function consoleOf(name: string) {
  const store = memoryStore();
  const actor = { name: 'test' };
  const jobs = jobsOn(store, { [name]: () => final(`no ${name}`) }, { log: 'off', queues: [name] });
  const more = { queue: name, tenant: name };
  const { id: dead } = await jobs.enqueue(name, {}, { ...more, id: 'dead' });
  await jobs.start();
  await jobs.idle();
  await jobs.stop();
  const { id: ready } = await jobs.enqueue(name, {}, { ...more, id: `${name}2` });
  await submitOperation(store, { id: name, act: 'requeue', target: { ids: [dead] }, actor });
  await forceBreaker(store, { dependency: name, state: 'open', actor });
  await holdPark(store, { cause: name, actor });
  for (const scope of ['queue', 'handler', 'schedule'] as const) {
    await pauseWork(store, { scope, name, actor });
  }
  await engageKill(store, { scope: 'tenant', name, actor });
  const gate = { dependency: name, credential: name, tenant: name };
  const { nowMs } = await store.controls();
  const document = { untilMs: nowMs + 900_000, sinceMs: nowMs, cut: false, ...gate };
  const key = gateKey(gate);
  const put = { kind: 'control', of: 'gate', key, expect: 0 } as const;
  await store.apply([{ ...put, document: JSON.stringify(document) }]);
  const sweep = stuckArchives();
  sweep.put(name, { attemptCount: 2, lastAttemptTime: new Date(0) });
  sweep.put(`${name}3`, { status: 'failed_max_retries', attemptCount: 3 });
  running = await startConsole({ store, parts: { sweeps: async () => [sweep] } });
  const { groups } = await store.deadGroups({}, { limit: 1 });
  return { store, dead, ready, cause: groups[0]?.fingerprint ?? '' };
}

test.each(NAMES)(
  'every command of the console has the name %j as an argument',
  async (name) => {
    const { dead, ready, cause } = await consoleOf(name);
    const planted = [name, dead, ready, `${name}3`];
    const part = encodeURIComponent;
    const paths = [
      ...['requeue', 'edit', 'purge', ''].map(
        (act) => `/dead?open=${part(dead)}&of=letter&act=${act}`,
      ),
      ...['requeue', 'purge'].map(
        (act) => `/dead?q=handler:${part(JSON.stringify(name))}&act=${act}&of=all`,
      ),
      ...['cancel', 'retry'].map((act) => `/jobs/${part(ready)}?act=${act}`),
      ...['abort', 'rate', ''].map((act) => `/ops/${part(name)}?act=${act}`),
      ...['ack', 'snooze', 'assign'].map((act) => `/escalations?open=${part(cause)}&act=${act}`),
      ...['probe', 'reset', 'force', 'release-park', 'hold', 'end-hold'].map(
        (act) => `/control?act=${act}&of=${part(name)}`,
      ),
      ...['queue', 'handler', 'schedule'].map(
        (scope) => `/control?act=resume&of=${part(`${scope}:${name}`)}`,
      ),
      `/control?act=engage&scope=${part(`queue:${name}`)}`,
      `/control?act=release&scope=${part(`tenant:${name}`)}`,
      `/stuck?open=${part(`archives/${name}`)}&act=release`,
      ...['reset', 'archive', 'purge'].map(
        (act) => `/stuck?reason=failed&open=${part(`archives/${name}3`)}&act=${act}`,
      ),
    ];
    const page = await running.open('/control');
    const gate = page.locator('a[href*="act=open-gate"]').first();
    paths.push(String(await gate.getAttribute('href')));
    const shown = new Map<string, string>();
    for (const path of paths) {
      await page.goto(running.url + path);
      await page.waitForSelector('h1');
      await page
        .locator('.cmd code')
        .first()
        .waitFor({ timeout: 5_000 })
        .catch(() => undefined);
      for (const box of await page.getByRole('dialog').getByLabel('Why').all())
        await box.fill(name);
      for (const command of await page.locator('.cmd code').allTextContents())
        shown.set(command, path);
    }
    const commands = [...shown.keys()].filter((each) => each.startsWith('redrive '));
    const all = pastedArguments(commands);
    expect(mistakenArguments(all, planted)).toEqual([]);
    const named = all.filter((words) => words.some((word) => planted.includes(word)));
    const found = new Set(named.map((words) => `${words[0]} ${words[1]}`));
    expect([...found].sort()).toEqual(NAMED);
  },
  180_000,
);
