import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { systemClock } from '@redrive/core';
import { type FullStore, final, jobsOn } from '@redrive/durable';
import { rankCauses, readCauses } from '@redrive/durable/dead-letters';
import { type EscalationDocument, NOTIFY_HANDLER } from '@redrive/durable/escalation';
import { seededRandom } from '@redrive/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { WatchCommand } from './testing/escalation-process.ts';
import { openMade } from './testing/open-made.ts';
import { type Scratch, scratch } from './testing/scratch.ts';

const FAILURES = 10_000;
const SUCCESSES = 2_000;
const ROUNDS = 20;
/** Every process has its command by then. */
const HEADSTART_MS = 30;

let place: Scratch;
let children: ChildProcess[] = [];

beforeEach(() => {
  place = scratch();
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  place.remove();
});

it('10,000 failures with one planted cause among five dimensions: one group, the cause on top, one escalation, one notification with three processes watching and one killed', async () => {
  const got: { key: string; tier: number; failed: number }[] = [];
  const server = createServer((request, response) => {
    const key = String(request.headers['idempotency-key']);
    request.on('data', (data) => got.push({ key, ...JSON.parse(String(data)) }));
    request.on('end', () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const store = await openMade(place.path);
  await runJobs(store);
  expect((await store.deadGroups({}, { limit: 10 })).groups).toMatchObject([{ count: FAILURES }]);
  const { groups, succeeded } = await readCauses(store, {});
  const [only] = groups.values();
  expect(only?.count).toBe(FAILURES);
  const [causes] = rankCauses([only?.letters ?? []], succeeded);
  expect(causes?.[0]?.values).toEqual([{ dimension: 'tenant', value: 't1' }]);

  const file = join(import.meta.dirname, 'testing/escalation-process.ts');
  const args = [place.path, `http://127.0.0.1:${port}/`];
  children = [1, 2, 3].map(() => fork(file, args, { stdio: 'inherit', execArgv: [] }));
  await Promise.all(children.map((child) => once(child, 'message')));
  for (let round = 1; round <= ROUNDS; round += 1) {
    await together(children);
    expect(await notifications(store)).toBe(round);
    const escalations = await escalationsIn(store);
    expect(escalations.map(documentOf)).toMatchObject([{ notifiedTier: 4, isEnqueued: true }]);
    // The next round begins anew.
    for (const { key, revision: expected } of escalations)
      await store.apply([{ kind: 'control', of: 'escalation', key, expect: expected }]);
  }

  const [killed, ...others] = children;
  const exit = killed && once(killed, 'exit');
  killed?.send({ act: 'look', atMs: 0, dies: true } satisfies WatchCommand);
  expect(await exit).toEqual([null, 'SIGKILL']);
  expect((await escalationsIn(store)).map(documentOf)).toMatchObject([{ isEnqueued: false }]);
  expect(await notifications(store)).toBe(ROUNDS);
  await together(others);
  await together(others);
  expect(await notifications(store)).toBe(ROUNDS + 1);
  expect((await escalationsIn(store)).map(documentOf)).toMatchObject([{ isEnqueued: true }]);

  await ask(others, { act: 'notify' });
  expect(got.length).toBe(ROUNDS + 1);
  expect(new Set(got.map(({ key }) => key)).size).toBe(ROUNDS + 1);
  expect(got.at(-1)).toMatchObject({ tier: 4, failed: FAILURES });
  await store.close();
  server.close();
}, 120_000);

/** Of handler, queue, tenant, worker and kind of payload, one sets the failures apart: half of them have the tenant t1. */
async function runJobs(store: FullStore): Promise<void> {
  const random = seededRandom(18);
  const oneOf = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
  const run = (payload: unknown) =>
    JSON.stringify(payload).includes('bad') ? final('card 4711 refused') : undefined;
  const handlers = { pay: run, refund: run, ship: run };
  const workers = ['w1', 'w2'].map((worker) => jobsOn(store, handlers, { worker, log: 'off' }));
  const enqueuer = jobsOn(store, handlers, { log: 'off' });
  const tenants = Array.from({ length: 20 }, (_, n) => `t${n}`);
  const commands = Array.from({ length: FAILURES + SUCCESSES }, (_, n) => {
    const word = n < FAILURES ? 'bad' : 'good';
    const tenant = n < FAILURES / 2 ? 't1' : oneOf(tenants);
    const payload = oneOf([word, [word], { word }]);
    const options = { queue: oneOf(['default', 'night', 'slow']), tenant };
    return enqueuer.prepare(oneOf(['pay', 'refund', 'ship']), payload, options);
  });
  // Mixed, so that no worker gets more of the failures than another one.
  const mixed = commands
    .map((command) => ({ command, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ command }) => command);
  for (let n = 0; n < mixed.length; n += 1_000) await store.apply(mixed.slice(n, n + 1_000));
  await Promise.all(workers.map((jobs) => jobs.start()));
  await Promise.all(workers.map((jobs) => jobs.idle()));
  await Promise.all(workers.map((jobs) => jobs.stop()));
}

/** All these processes look at the same moment. */
function together(watching: readonly ChildProcess[]): Promise<void> {
  return ask(watching, { act: 'look', atMs: systemClock.now() + HEADSTART_MS });
}

async function ask(watching: readonly ChildProcess[], command: WatchCommand): Promise<void> {
  const done = watching.map((child) => once(child, 'message'));
  for (const child of watching) child.send(command);
  await Promise.all(done);
}

async function notifications(store: FullStore): Promise<number> {
  return (await store.jobs({ handler: NOTIFY_HANDLER }, { limit: 1_000 })).jobs.length;
}

async function escalationsIn(store: FullStore) {
  const { all } = await store.controls();
  return all.filter(({ kind }) => kind === 'escalation');
}

const documentOf = ({ document }: { readonly document: string }): EscalationDocument =>
  JSON.parse(document);
