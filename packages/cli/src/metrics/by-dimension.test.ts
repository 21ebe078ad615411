import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleConfig } from '@redrive/config';
import { definePolicy, type Policy, retry } from '@redrive/core';
import { CATEGORY_POLICIES, RetryCategory, RetryManager } from '@redrive/core/manager';
import { hashPolicy } from '@redrive/core/records';
import { jobsOn, memoryStore } from '@redrive/durable';
import { auditSink } from '@redrive/durable/audit';
import { seededRandom, virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const START = { startMs: Date.parse('2026-01-29T12:00:00Z') };
const HOUR_SECONDS = 3_600;

interface Count {
  sessions: number;
  total_attempts: number;
  successes: number;
}

/** What really happened, counted by the operations themselves. */
class Truth {
  readonly #counts = new Map<string, Count>();

  /** An operation that fails this often; every call of it is counted. */
  operation(name: string, failures: number): () => Promise<void> {
    const count = this.#of(name);
    count.sessions += 1;
    let calls = 0;
    return async () => {
      calls += 1;
      count.total_attempts += 1;
      if (calls <= failures) throw new Error('connection reset');
      count.successes += 1;
    };
  }

  #of(name: string): Count {
    const count = this.#counts.get(name) ?? { sessions: 0, total_attempts: 0, successes: 0 };
    this.#counts.set(name, count);
    return count;
  }

  /** As `metrics show --json` writes it. */
  get shares() {
    const shares = [...this.#counts].map(([name, { sessions, total_attempts, successes }]) => {
      const rates = {
        success_rate: successes / sessions,
        average_attempts: total_attempts / sessions,
      };
      return [name, { sessions, total_attempts, ...rates }];
    });
    return Object.fromEntries(shares);
  }
}

function setUp() {
  const clock = virtualClock(START);
  const store = memoryStore({ clock });
  const directory = scratchDirectory(onTestFinished, {});
  const events = auditSink(store, { clock });
  const settle = async () => {
    for (let second = 0; second < HOUR_SECONDS; second += 10) await clock.advance(10_000);
    const closing = events.close();
    await clock.advance(1_000);
    await closing;
  };
  const show = (...args: string[]) =>
    runMain(['metrics', 'show', ...args], { store, clock, directory });
  const metrics = async () => JSON.parse((await show('--json')).stdout);
  const configure = (text: string) => writeFileSync(join(directory, 'redrive.yaml'), text);
  return { clock, store, events, settle, show, metrics, configure };
}

test("seed A's analysis of all 17 categories in one command: metrics show --by category", async () => {
  const { clock, events, settle, show, metrics } = setUp();
  const manager = new RetryManager({ events, clock });
  const truth = new Truth();
  const random = seededRandom(7);
  const quiet = RetryCategory.REPLAY_VALIDATION;
  const calls: Promise<unknown>[] = [];
  for (const category of Object.values(RetryCategory).filter((one) => one !== quiet)) {
    for (let session = 0; session < 20; session += 1) {
      const run = truth.operation(category, Math.floor(random() * 6));
      calls.push(manager.executeWithRetry(category, `Work ${session}`, run).catch(() => {}));
    }
  }
  await settle();
  await Promise.all(calls);
  const { by_category, total_attempts } = await metrics();
  expect(Object.keys(by_category).sort()).toEqual(Object.values(RetryCategory).sort());
  const none = { sessions: 0, total_attempts: 0, success_rate: null, average_attempts: null };
  expect(by_category).toEqual({ ...truth.shares, [quiet]: none });
  const sum = Object.values<Count>(truth.shares).reduce((all, one) => all + one.total_attempts, 0);
  expect(total_attempts).toBe(sum);
  const { stdout } = await show('--by', 'category');
  const lines = stdout.split('\n').filter((line) => line.startsWith('RETRY_'));
  expect(lines).toHaveLength(17);
  const {
    sessions,
    total_attempts: attempts,
    success_rate,
    average_attempts,
  } = truth.shares.RETRY_KV_GET;
  const cells = [
    sessions,
    attempts,
    (success_rate * 100).toFixed(1),
    '%',
    average_attempts.toFixed(2),
  ];
  expect(lines.find((line) => line.startsWith('RETRY_KV_GET'))?.split(/\s+/)).toEqual([
    'RETRY_KV_GET',
    ...cells.map(String),
  ]);
});

test('a job is of the category of its policy; category, policy, operation and tenant are dimensions', async () => {
  const { clock, store, settle, metrics, show } = setUp();
  const truth = new Truth();
  const runs = new Map<number, () => Promise<void>>();
  const run = (number: number) => runs.get(number)?.();
  const id = RetryCategory.KV_PUT;
  const jobs = jobsOn(
    store,
    {
      'state.save': { policy: { ...CATEGORY_POLICIES[id], id }, run },
      plain: { policy: { id: 'p' }, run },
    },
    { clock, log: 'off' },
  );
  const enqueue = async (handler: 'state.save' | 'plain', number: number, tenant: string) => {
    runs.set(number, truth.operation(`${handler} ${tenant}`, number % 5));
    await jobs.enqueue(handler, number, tenant === '' ? {} : { tenant });
  };
  for (let number = 0; number < 10; number += 1) {
    await enqueue('state.save', number, 'acme');
    await enqueue('plain', 100 + number, '');
  }
  await jobs.start();
  await settle();
  await jobs.stop();
  const { 'state.save acme': saved, 'plain ': plain } = truth.shares;
  const found = await metrics();
  expect(found.by_category).toMatchObject({ RETRY_KV_PUT: saved, '': plain });
  expect(found.by_policy).toEqual({ RETRY_KV_PUT: saved, p: plain });
  expect(found.by_operation).toEqual({ 'state.save': saved, plain });
  expect(found.by_tenant).toEqual({ acme: saved, '': plain });
  expect((await show('--by', 'tenant')).stdout).toMatch(/\n\(none\) +10 /);
  expect((await show('--by', 'operation')).stdout).toMatch(/\nstate\.save +10 /);
});

test('save_state is of the subsystem browser, by the subsystem_mappings of its policy', async () => {
  const { clock, events, settle, metrics, show, configure } = setUp();
  configure(`${sampleConfig()}`);
  const truth = new Truth();
  const call = (operation: string, id: string, name: string, failures: number) =>
    retry(
      truth.operation(name, failures),
      { id, maxAttempts: 3 },
      { clock, events, operation },
    ).catch(() => {});
  const calls = [0, 1, 9].map((failures) =>
    call('save_state', 'browser_state_timeout', 'browser', failures),
  );
  // No mapping names these: the part before the dot.
  calls.push(call('search.index', 'own', 'search', 1), call('sync', 'own', 'sync', 0));
  await settle();
  await Promise.all(calls);
  expect((await metrics()).by_subsystem).toEqual(truth.shares);
  expect((await show('--by', 'subsystem')).stdout).toMatch(/\nbrowser +3 /);
});

test('calls with a policy of their own count under its id, else its hash', async () => {
  const { clock, events, settle, metrics, show } = setUp();
  const truth = new Truth();
  const own: readonly Policy[] = [{ id: 'orders' }, { maxAttempts: 2 }, { maxAttempts: 4 }, {}];
  const names = own.map((policy, at) =>
    at === 3 ? 'default' : (policy.id ?? hashPolicy(definePolicy(policy))),
  );
  const calls = own.flatMap((policy, at) =>
    [0, 1, 9].map((failures) =>
      retry(truth.operation(names[at] ?? '', failures), policy, { clock, events }).catch(() => {}),
    ),
  );
  await settle();
  await Promise.all(calls);
  expect((await metrics()).by_policy).toEqual(truth.shares);
  expect(new Set(names).size).toBe(4);
  expect((await show()).stdout).toContain(`\n${names[1]?.slice(0, 12)} `);
});
