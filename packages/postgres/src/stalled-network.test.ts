import { systemClock } from '@redrive/core';
import type { FullStore, WorkerReport } from '@redrive/durable/store';
import { settle } from '@redrive/testkit';
import { startTcpProxy, type TcpProxy, until } from '@redrive/testkit/services';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimOf, controlOf, enqueueOf, succeededOf } from './testing/commands.ts';
import { openMade } from './testing/open-made.ts';
import { testServer } from './testing/server.ts';

const server = testServer();
const TIMEOUT_MS = 1_000;
/** What a busy machine may take to run a timer. */
const SLACK_MS = 500;

let proxy: TcpProxy;
let store: FullStore;

beforeEach(async () => {
  proxy = await startTcpProxy({ port: server.service.port });
  const url = server.url.replace(`:${server.service.port}`, `:${proxy.port}`);
  const schema = server.newSchema();
  // Making a schema may take longer on a busy machine.
  await (await openMade(server.url, { schema })).close();
  store = await openMade(url, { schema, timeoutMs: TIMEOUT_MS });
});

afterEach(async () => {
  await proxy.pass();
  await store.close();
  await proxy.stop();
});

const REPORT: WorkerReport = {
  name: 'w',
  host: 'h',
  pid: 1,
  version: '1',
  handlers: ['mail'],
  concurrency: 1,
  running: 0,
  state: 'working',
};

/** Every call of a store, and how it is made. */
const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
  enqueue: () => store.apply([enqueueOf('late')]),
  'enqueue with a unique key': () => store.apply([enqueueOf('late-2', { uniqueKey: 'k' })]),
  claim: () => store.apply([claimOf()]),
  act: () => store.apply([{ kind: 'act', act: 'cancel', id: 'x', actor: { name: 'test' } }]),
  tick: () => store.apply([{ kind: 'tick', limit: 10, actor: { name: 'test' } }]),
  heartbeat: () => store.heartbeat([{ id: 'x', token: 1 }], 1_000),
  expiredLeases: () => store.expiredLeases(10),
  pulse: () => store.pulse(['mail']),
  job: () => store.job('x'),
  finished: () => store.finished(['x']),
  jobs: () => store.jobs({}, { limit: 10 }),
  counts: () => store.counts(),
  pauses: () => store.pauses(),
  controls: () => store.controls(),
  controlRevision: () => store.controlRevision(),
  parks: () => store.parks(),
  control: () => store.apply([controlOf('gate', 'x', 0, '{}')]),
  release: () => store.apply([{ kind: 'release', cause: 'x', limit: 1, actor: { name: 'test' } }]),
  registerPolicies: () => store.registerPolicies([]),
  policy: () => store.policy('x'),
  auditBlocks: () => store.auditBlocks(0, 10),
  failing: () => store.failing({ atMost: 10 }),
  leasesOf: () => store.leasesOf('worker-1', 10),
  seal: () => store.seal(),
  readAudit: async () => (await store.readAudit()).close(),
  reserve: () => store.ledger().reserve('k', { fingerprint: '', leaseMs: 1_000 }),
  look: () => store.ledger().look('k'),
  deadLetters: () => store.deadLetters({}, { limit: 10 }),
  countDead: () => store.countDead({}, 10),
  deadGroups: () => store.deadGroups({}, { limit: 10 }),
  earlierPayloads: () => store.earlierPayloads('x'),
  actSubjects: () => store.actSubjects(['x']),
  beginOperation: () => store.beginOperation({ id: 'op', request: '{}', actor: { name: 'test' } }),
  stepOperation: () => store.stepOperation({ id: 'op', revision: 0, acts: [], finished: false }),
  operation: () => store.operation('op'),
  reportWorker: () => store.reportWorker(REPORT),
  forgetWorker: () => store.forgetWorker('w'),
  workers: () => store.workers({ limit: 10 }),
};

/** How a call ended, and after how long. */
async function timed(call: () => Promise<unknown>): Promise<{ code: unknown; tookMs: number }> {
  const beganMs = systemClock.monotonic();
  const code = await call().then(
    () => 'ok',
    (error: { code?: unknown }) => error.code,
  );
  return { code, tookMs: systemClock.monotonic() - beganMs };
}

async function expectAllInTime(codes: readonly string[]): Promise<void> {
  const ends = await Promise.all(
    Object.entries(CALLS).map(async ([name, call]) => ({ name, ...(await timed(call)) })),
  );
  for (const { name, code, tookMs } of ends) {
    expect(codes, name).toContain(code);
    expect(tookMs, name).toBeLessThan(TIMEOUT_MS + SLACK_MS);
  }
}

async function expectBack(): Promise<void> {
  const answers = await until(
    () =>
      store.pulse(['mail']).then(
        () => true,
        () => false,
      ),
    {
      timeoutMs: 10_000,
    },
  );
  expect(answers).toBe(true);
  await expectAllInTime(['ok']);
}

describe('a network that stalls', () => {
  it('lets every call end in time, on connections that are open, and works again afterwards', async () => {
    for (const call of Object.values(CALLS)) await call();
    proxy.stall();
    // Registering nothing asks nobody.
    await expectAllInTime(['store_unavailable', 'ok']);
    await proxy.pass();
    await expectBack();
  });

  it('lets every call end in time, also where there is no connection yet, again and again', async () => {
    proxy.stall();
    await expectAllInTime(['store_unavailable', 'ok']);
    await expectAllInTime(['store_unavailable', 'ok']);
    await proxy.pass();
    await expectBack();
  });

  it('loses nothing that was acknowledged, and fences what it lets through late', async () => {
    await store.apply([enqueueOf('a')]);
    const [claim] = await store.apply([claimOf({ leaseMs: 60_000 })]);
    const [job] = claim.jobs;
    if (job === undefined) throw new Error('Nothing was claimed');
    proxy.stall();
    const end = await timed(() => store.apply([succeededOf(job)]));
    expect(end.code).toBe('store_unavailable');
    await proxy.pass();
    await expectBack();
    // It may have arrived after all; it must have happened once at most.
    const [again] = await store.apply([succeededOf(job)]);
    const after = await store.job('a');
    expect(after?.state).toBe('succeeded');
    expect([true, false]).toContain(again.ok);
    expect(after?.revision).toBe(3);
  });
});

it('a connection that is cut is made anew', async () => {
  for (const call of Object.values(CALLS)) await call();
  proxy.cut();
  await expectBack();
});

it('a server that refuses is reported at once', async () => {
  for (const call of Object.values(CALLS)) await call();
  proxy.refuse();
  proxy.cut();
  await expectAllInTime(['store_unavailable', 'ok']);
  await proxy.pass();
  await expectBack();
});

it('what nobody waits for any more does not happen later', async () => {
  await store.apply([enqueueOf('first')]);
  proxy.stall();
  const ends = [];
  // Two are sent; behind them the third one is still here when its caller gives up.
  for (const id of ['sent', 'sent-too', 'waiting']) {
    ends.push(timed(() => store.apply([enqueueOf(id)])));
    await settle();
  }
  for (const end of ends) expect((await end).code).toBe('store_unavailable');
  await proxy.pass();
  await expectBack();
  expect(await store.job('waiting')).toBeUndefined();
});
