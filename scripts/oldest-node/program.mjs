// Runs every public entry of core's built files through failure, wait, abort, hand-over and sink, on the oldest Node that
// core supports. Plain JavaScript, because that Node does not read TypeScript. Prints what it ran.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import * as core from '@redrive/core';
import { axiosAdapter } from '@redrive/core/axios';
import { amqpErrors } from '@redrive/core/classify/amqp';
import { awsErrors } from '@redrive/core/classify/aws';
import { grpcErrors } from '@redrive/core/classify/grpc';
import { httpErrors, httpResponses } from '@redrive/core/classify/http';
import { kafkaErrors } from '@redrive/core/classify/kafka';
import { mongodbErrors } from '@redrive/core/classify/mongodb';
import { mysqlErrors } from '@redrive/core/classify/mysql';
import { natsErrors } from '@redrive/core/classify/nats';
import { nodeErrors } from '@redrive/core/classify/node';
import { postgresErrors } from '@redrive/core/classify/postgres';
import { redisErrors } from '@redrive/core/classify/redis';
import { sqliteErrors } from '@redrive/core/classify/sqlite';
import { retryErrorOf, retryingFetch } from '@redrive/core/fetch';
import { POLICY_FIELD_DOCS } from '@redrive/core/fields';
import { computeIdempotencyKey, fingerprint, IdempotencyManager } from '@redrive/core/idempotency';
import { getRetryManager } from '@redrive/core/manager';
import * as onNode from '@redrive/core/node';
import * as records from '@redrive/core/records';
import { drawDelayMs, isDependencyFailure, maskSecrets, newSortableId } from '@redrive/core/stored';
import { redriveInterceptor } from '@redrive/core/undici';
import axios from 'axios';
import { Agent, request } from 'undici-7';

const quick = { maxAttempts: 3, baseDelayMs: 1, jitter: 'full' };
const failing = () => Promise.reject(new Error('down'));
const flaky = (failures) => {
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls <= failures) throw new Error(`down ${calls}`);
    return calls;
  };
};
const reasonOf = (call) =>
  call.then(
    () => 'succeeded',
    (error) => error.reason ?? error.name,
  );

const steps = {
  async retry() {
    assert.equal(await core.retry(flaky(2), quick), 3);
    assert.equal(await reasonOf(core.retry(failing, quick)), 'max_attempts_exceeded');
    const late = { ...quick, attemptTimeoutMs: 5, ttlMs: 1_000 };
    assert.equal(
      await reasonOf(core.retry(() => new Promise(() => {}), late)),
      'max_attempts_exceeded',
    );
  },

  async abort() {
    const controller = new AbortController();
    const call = core.retry(failing, { baseDelayMs: 60_000 }, { signal: controller.signal });
    controller.abort(new Error('left'));
    await assert.rejects(call, /left/);
    const second = new AbortController();
    const untilAborted = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        second.abort(new Error('left too'));
      });
    const options = { signal: second.signal };
    const running = core.retry(untilAborted, { attemptTimeoutMs: 10_000 }, options);
    await assert.rejects(running, /left too/);
  },

  async handOver() {
    const stored = [];
    const to = { handOver: async (work) => void stored.push(work) };
    const call = core.retry(
      failing,
      { baseDelayMs: 60_000, horizonMs: 10 },
      {
        handOver: { to, handler: 'mail', payload: 1 },
      },
    );
    assert.equal(await reasonOf(call), 'handed_over');
    assert.equal(stored.length, 1);
  },

  async nested() {
    const inner = ({ parent = undefined }) => core.retry(failing, quick, { parent });
    const outer = core.retry((attempt) => inner({ parent: attempt }), quick);
    assert.match(await reasonOf(outer), /gave_up|exceeded|RetryError/);
    const headers = await core.retry(async (attempt) => core.sessionHeaders(attempt), quick);
    assert.ok(core.sessionFromHeaders(headers));
    assert.equal(await onNode.retry(() => onNode.currentAttempt()?.attempt, quick), 1);
    assert.equal(await reasonOf(onNode.retry(failing, quick)), 'max_attempts_exceeded');
  },

  async retrySession() {
    let turns = 0;
    for await (const attempt of core.retrySession(quick)) {
      turns += 1;
      if (turns < 3) attempt.fail(new Error('again'));
    }
    assert.equal(turns, 3);
  },

  async guards() {
    const breaker = core.circuitBreaker({ threshold: 1 });
    const guarded = core.pipeline({
      policy: { ...quick, dependency: 'd', enableCircuitBreaker: true, ttlMs: 1_000 },
      breaker,
      bulkhead: core.bulkhead({ limit: 1, queue: 1 }),
      budget: core.retryBudget(),
      fallback: () => 'instead',
    });
    assert.equal(await guarded.run(failing), 'instead');
    assert.equal(breaker.state, 'open');
    core.breakerFromState(breaker.toState());
    const killSwitch = { isEngaged: () => true };
    assert.equal(await reasonOf(core.retry(failing, quick, { killSwitch })), 'kill_switch');
  },

  async sinks() {
    const batches = [];
    const sink = core.eventSink((batch) => void batches.push(...batch), { maxDelayMs: 1 });
    const log = records.sessionLog();
    await reasonOf(core.retry(failing, quick, { events: sink, context: { password: 'x' } }));
    await reasonOf(core.retry(failing, quick, { events: log }));
    await sink.close();
    assert.ok(batches.length >= 6);
    assert.ok(batches.flatMap((record) => records.toAuditV1(record) ?? []).length > 0);
    assert.ok(records.toSessionV1(batches));
    let next = 0;
    assert.ok(
      batches.flatMap((record) => records.toEventV1(record, { nextId: () => `e${next++}` }) ?? [])
        .length > 0,
    );
    maskSecrets('password=hunter2');
    assert.match(records.hashPolicy(core.definePolicy()), /^[0-9a-f]{64}$/);
  },

  async ledger() {
    const ledger = core.memoryLedger();
    const once = () => core.retry(flaky(1), quick, { ledger, idempotencyKey: 'k' });
    assert.deepEqual(await Promise.all([once(), once()]), [2, 2]);
    const manager = new IdempotencyManager({ ledger });
    const key = computeIdempotencyKey('charge', 'acme', 'c-1', { amount: 1 });
    assert.equal(await manager.recordResult(key, 1, { rows: 1 }), true);
    fingerprint({ a: 1 });
  },

  async manager() {
    const manager = getRetryManager({ categories: { RETRY_X: { ...quick } } });
    assert.equal(
      await reasonOf(manager.executeWithRetry('X', 'try', failing)),
      'max_attempts_exceeded',
    );
  },

  async classifiers() {
    const server = createServer((_, response) =>
      response.writeHead(503).end('x'.repeat(1_000_000)),
    );
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${server.address().port}/`;
    const fetched = core.retry(() => fetch(url), { ...quick, classifyResult: httpResponses });
    assert.equal(await reasonOf(fetched), 'max_attempts_exceeded');
    server.closeAllConnections();
    server.close();
    const classify = [
      httpErrors,
      nodeErrors,
      grpcErrors,
      postgresErrors,
      awsErrors,
      natsErrors,
      amqpErrors,
      redisErrors,
      kafkaErrors,
      mongodbErrors,
      mysqlErrors,
      sqliteErrors,
    ];
    assert.equal(
      await reasonOf(core.retry(failing, { ...quick, classify })),
      'max_attempts_exceeded',
    );
  },

  async requests() {
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      response.writeHead(requests % 2 === 0 ? 200 : 503).end('ok');
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${server.address().port}/`;
    const options = { policy: quick, timeoutMs: 5_000, idempotencyKey: 'auto' };
    const { signal } = new AbortController();
    const sent = { method: 'POST', body: 'x', signal };
    assert.equal((await retryingFetch(options)(url, sent)).status, 200);
    assert.equal((await retryingFetch(options)(new Request(url, sent))).status, 200);
    const dispatcher = new Agent().compose(redriveInterceptor(options));
    const { statusCode, body } = await request(url, { method: 'PUT', body: 'x', dispatcher });
    assert.equal(statusCode, 200);
    await body.dump();
    await dispatcher.close();
    const client = axios.create({ adapter: axiosAdapter(options) });
    assert.equal((await client.post(url, 'x')).status, 200);
    assert.equal(requests, 8);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const refused = await retryingFetch({ policy: quick })(url).catch((error) => error);
    assert.equal(retryErrorOf(refused).totalAttempts, 3);
  },

  async pure() {
    assert.ok(Object.keys(POLICY_FIELD_DOCS).length > 20);
    assert.ok(newSortableId(core.systemClock).length > 10);
    assert.equal(
      drawDelayMs(
        core.jitterRange(core.definePolicy(), core.nominalDelayMs(core.definePolicy(), 1), 0),
        0.5,
      ),
      1_000,
    );
    assert.ok(isDependencyFailure('retryable'));
    assert.throws(() => core.definePolicy({ maxAttempts: '3' }), /the string "3"/);
  },
};

for (const [name, step] of Object.entries(steps)) {
  await step();
  console.log(name);
}
console.log(`ran on Node ${process.version}`);
