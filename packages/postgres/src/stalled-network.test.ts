import { isRedriveError, systemClock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import type { WorkerReport } from '@redrive/durable/store';
import { settle } from '@redrive/testkit';
import { startTcpProxy, type TcpProxy } from '@redrive/testkit/services';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimOf, controlOf, enqueueOf, succeededOf } from './testing/commands.ts';
import { openMade } from './testing/open-made.ts';
import { testServer } from './testing/server.ts';

const server = testServer();
const TIMEOUT_MS = 1_000;
/** A timer that is due this much later than all calls must end runs after them, however busy the machine is. */
const SLACK_MS = 500;

let proxy: TcpProxy;
let store: FullStore;
/** The same tables, without the proxy and with all the time that a busy machine needs. */
let direct: FullStore;

beforeEach(async () => {
  proxy = await startTcpProxy({ port: server.service.port });
  const url = server.url.replace(`:${server.service.port}`, `:${proxy.port}`);
  const schema = server.newSchema();
  direct = await openMade(server.url, { schema });
  store = await answered(() => openMade(url, { schema, timeoutMs: TIMEOUT_MS }));
});

afterEach(async () => {
  await proxy.pass();
  await store.close();
  await direct.close();
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
  states: () => store.states(['x']),
  jobs: () => store.jobs({}, { limit: 10 }),
  counts: () => store.counts(),
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

/** The code with which a call ended. */
function codeOf(call: () => Promise<unknown>): Promise<unknown> {
  return call().then(
    () => 'ok',
    (error: { code?: unknown }) => error.code,
  );
}

async function expectAllInTime(codes: readonly string[]): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  const ends = Object.entries(CALLS).map(async ([name, call]) => ({
    name,
    code: await Promise.race([codeOf(call), late]),
  }));
  const timer = systemClock.setTimer(TIMEOUT_MS + SLACK_MS, () => resolve('late'));
  for (const { name, code } of await Promise.all(ends)) expect(codes, name).toContain(code);
  timer.cancel();
}

/** The timeout of the store is short here: a busy machine may run into it, and then the call is made again. */
async function answered<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isRedriveError(error, 'store_unavailable')) throw error;
    }
  }
}

async function expectBack(): Promise<void> {
  for (const call of Object.values(CALLS)) await answered(call);
}

describe('a network that stalls', () => {
  it('lets every call end in time, on connections that are open, and works again afterwards', async () => {
    await expectBack();
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
    await direct.apply([enqueueOf('a')]);
    const [claim] = await direct.apply([claimOf({ leaseMs: 60_000 })]);
    await answered(() => store.apply([claimOf()]));
    const [job] = claim.jobs;
    if (job === undefined) throw new Error('Nothing was claimed');
    proxy.stall();
    expect(await codeOf(() => store.apply([succeededOf(job)]))).toBe('store_unavailable');
    await proxy.pass();
    await expectBack();
    // It may have arrived after all; it must have happened once at most.
    const [again] = await direct.apply([succeededOf(job)]);
    const after = await direct.job('a');
    expect(after?.state).toBe('succeeded');
    expect([true, false]).toContain(again.ok);
    expect(after?.revision).toBe(3);
  });
});

it('a connection that is cut is made anew', async () => {
  await expectBack();
  proxy.cut();
  await expectBack();
});

it('a server that refuses is reported at once', async () => {
  await expectBack();
  proxy.refuse();
  proxy.cut();
  await expectAllInTime(['store_unavailable', 'ok']);
  await proxy.pass();
  await expectBack();
});

it('what nobody waits for any more does not happen later', async () => {
  await answered(() => store.apply([claimOf()]));
  proxy.stall();
  const ends = [];
  // Two are sent; behind them the third one is still here when its caller gives up.
  for (const id of ['sent', 'sent-too', 'waiting']) {
    ends.push(codeOf(() => store.apply([enqueueOf(id)])));
    await settle();
  }
  for (const end of ends) expect(await end).toBe('store_unavailable');
  await proxy.pass();
  await expectBack();
  expect(await direct.job('waiting')).toBeUndefined();
});
