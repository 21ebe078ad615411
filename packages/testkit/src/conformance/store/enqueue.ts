import { deepEqual, equal, ok } from 'node:assert/strict';
import { claimAttempt, openAccount, settleAttempt } from '@redrive/core/stored';
import { NO_ATTEMPTS } from '@redrive/durable/store';
import { claimOf, enqueue, enqueueOf, find, lane, stateOf, tick } from './commands.ts';
import { plain, same } from './plain.ts';
import type { StoreSuite } from './suite.ts';

export function enqueueTests({ test }: StoreSuite): void {
  test('keeps every field and gives it back', async ({ store, clock }) => {
    const spec = {
      handler: 'mail',
      queue: 'slow',
      tenant: 'acme',
      priority: -7,
      tags: ['a', 'b', 'a'],
      headers: { 'x-trace': '1', X: '' },
      payload: { kind: 'json', text: '{ "b": 1,\n "a": 1e400 }' },
      sessionId: 'session-1',
      policyId: 'runs.default',
      maxAttempts: 4,
      uniqueKey: 'u-1',
      limitKey: 'l-1',
      correlationId: 'c-1',
      traceId: 't-1',
      idempotencyKey: 'i-1',
      origin: { rung: 'event', bus: 'main', source: 'chunking' },
    } as const;
    const submittedAtMs = clock.now();
    const result = await enqueue(store, 'job-1', { ...spec, deadline: { inMs: 5_000 } });
    deepEqual(result, { ok: true, id: 'job-1', outcome: 'created' });
    const { auditBlock, ...job } = await find(store, 'job-1');
    ok(auditBlock > 0);
    same(job, {
      ...spec,
      id: 'job-1',
      submittedAtMs,
      state: 'ready',
      revision: 1,
      token: 0,
      account: openAccount(),
      generationAtMs: submittedAtMs,
      deadlineMs: submittedAtMs + 5_000,
      cancelRequested: false,
      retryCount: 0,
      attempts: NO_ATTEMPTS,
    });
  });

  test('keeps a policy that belongs to one job', async ({ store }) => {
    const ownPolicy = { maxAttempts: 4, delaysMs: [1, 2.5], backoff: 'schedule' };
    await store.apply([
      enqueueOf('own', { ownPolicy }),
      enqueueOf('limited', { maxAttempts: 7 }),
      enqueueOf('plain'),
    ]);
    same((await find(store, 'own')).ownPolicy, ownPolicy);
    equal((await find(store, 'limited')).maxAttempts, 7);
    const { ownPolicy: own, maxAttempts } = await find(store, 'plain');
    deepEqual([own, maxAttempts], [undefined, undefined]);
    // They stay when the row is written anew.
    await store.apply([claimOf({ lanes: [lane()] })]);
    same((await find(store, 'own')).ownPolicy, ownPolicy);
    equal((await find(store, 'limited')).maxAttempts, 7);
  });

  test('leaves out fields that were not given', async ({ store }) => {
    await enqueue(store, 'job-1');
    const job = plain(await find(store, 'job-1'));
    const absent = [
      'origin',
      'policyId',
      'ownPolicy',
      'maxAttempts',
      'uniqueKey',
      'limitKey',
      'correlationId',
      'traceId',
      'dueAtMs',
    ];
    absent.push('deadlineMs', 'cause', 'lease', 'errorClass', 'reason', 'finishedAtMs', 'result');
    for (const name of absent) ok(!(name in job), name);
  });

  test('makes a job ready at once, or scheduled until its time', async ({ store, clock }) => {
    const nowMs = clock.now();
    await store.apply([
      enqueueOf('past', { due: { atMs: nowMs - 1 } }),
      enqueueOf('now', { due: { atMs: nowMs } }),
      enqueueOf('no-wait', { due: { inMs: 0 } }),
      enqueueOf('at', { due: { atMs: nowMs + 1 } }),
      enqueueOf('in', { due: { inMs: 86_400_000 * 400 } }),
    ]);
    for (const id of ['past', 'now', 'no-wait']) {
      const { state, dueAtMs } = await find(store, id);
      same({ state, dueAtMs }, { state: 'ready' }, id);
    }
    const at = await find(store, 'at');
    same([at.state, at.dueAtMs], ['scheduled', nowMs + 1]);
    equal((await find(store, 'in')).dueAtMs, nowMs + 86_400_000 * 400);
  });

  test('refuses an id that is there, and leaves that job as it is', async ({ store }) => {
    await enqueue(store, 'job-1', { uniqueKey: 'u' });
    const before = await find(store, 'job-1');
    const refused = { ok: false, refusal: 'duplicate_id', id: 'job-1' };
    deepEqual(await enqueue(store, 'job-1', { handler: 'other' }), refused);
    // The same job sent twice is refused, with every rule for its unique key.
    for (const onConflict of ['existing', 'refuse', 'replace'] as const) {
      deepEqual(await enqueue(store, 'job-1', { uniqueKey: 'u', onConflict }), refused, onConflict);
    }
    same(await find(store, 'job-1'), before);
  });

  test('refuses an id that came twice in one transaction', async ({ store }) => {
    const results = await store.apply([
      enqueueOf('job-1'),
      enqueueOf('job-1', { priority: 5 }),
      enqueueOf('job-2'),
    ]);
    deepEqual(
      results.map(({ ok }) => ok),
      [true, false, true],
    );
    equal((await find(store, 'job-1')).priority, 0);
  });

  test('takes one of fifty with the same id at once', async ({ store }) => {
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, n) => enqueue(store, 'job-1', { tags: [`${n}`] })),
    );
    equal(results.filter(({ ok }) => ok).length, 1);
  });

  test('takes hundreds from as many callers at once', async ({ store }) => {
    const ids = Array.from({ length: 300 }, (_, n) => `job-${n}`);
    const results = await Promise.all(ids.map((id) => enqueue(store, id)));
    deepEqual(
      results.map(({ ok, id }) => (ok ? id : 'refused')),
      ids,
    );
    equal((await store.counts()).groups[0]?.count, 300);
  });

  test('goes on with the account of a session that was handed over', async ({ store }) => {
    const tried = settleAttempt(claimAttempt(openAccount()), 'failed', 250);
    const account = settleAttempt(claimAttempt(tried), 'failed', 1_200_000);
    await enqueue(store, 'job-1', {
      sessionId: 'call-1',
      account,
      errorClass: 'rate_limited',
      due: { inMs: 1_200_000 },
    });
    const job = await find(store, 'job-1');
    deepEqual(job.account, account);
    same(
      [job.sessionId, job.errorClass, job.retryCount, job.state, job.revision],
      ['call-1', 'rate_limited', 2, 'scheduled', 1],
    );
  });

  test('accepts a job whose deadline has passed, which is then given up', async ({
    store,
    clock,
  }) => {
    await enqueue(store, 'job-1', { deadline: { atMs: clock.now() - 1 } });
    equal(await stateOf(store, 'job-1'), 'ready');
    equal((await tick(store)).expired, 1);
    equal(await stateOf(store, 'job-1'), 'dead');
  });

  test('knows nothing of a job that nobody enqueued', async ({ store }) => {
    equal(await store.job('job-1'), undefined);
  });
}
