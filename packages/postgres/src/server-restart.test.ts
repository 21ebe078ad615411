import { systemClock } from '@redrive/core';
import type { Store } from '@redrive/durable';
import { until } from '@redrive/testkit/services';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { claimOf, enqueueOf, ids, succeededOf } from './testing/commands.ts';
import { openMade } from './testing/open-made.ts';
import { testServer } from './testing/server.ts';

const server = testServer();
const TIMEOUT_MS = 2_000;

let store: Store;

beforeEach(async () => {
  store = await openMade(server.url, { schema: server.newSchema(), timeoutMs: TIMEOUT_MS });
});

afterEach(() => store.close());

it('a server that dies loses nothing that it acknowledged, and the store goes on when it is back', async () => {
  const acknowledged: string[] = [];
  const failures: unknown[] = [];
  let stop = false;
  const callers = Array.from({ length: 8 }, async (_, caller) => {
    for (const id of ids(10_000, `caller-${caller}`)) {
      if (stop) return;
      await store.apply([enqueueOf(id)]).then(
        () => acknowledged.push(id),
        (error: unknown) => failures.push(error),
      );
      // Between two attempts while there is no server, others need a turn too.
      if (failures.length > 0) await new Promise((turn) => systemClock.setTimer(20, () => turn(0)));
    }
  });
  await until(() => acknowledged.length > 200, { timeoutMs: 20_000 });
  const [claim] = await store.apply([claimOf({ limit: 10 })]);

  await server.service.kill();
  const beganMs = systemClock.monotonic();
  await expect(store.pulse(['mail'])).rejects.toMatchObject({ code: 'store_unavailable' });
  await expect(store.apply([claimOf()])).rejects.toMatchObject({ code: 'store_unavailable' });
  expect(systemClock.monotonic() - beganMs).toBeLessThan(2 * TIMEOUT_MS + 500);

  await server.service.restart();
  const before = acknowledged.length;
  await until(() => acknowledged.length > before + 100, { timeoutMs: 20_000 });
  stop = true;
  await Promise.all(callers);

  for (const failure of failures) expect(failure).toMatchObject({ code: 'store_unavailable' });
  for (const id of acknowledged) expect(await store.job(id), id).toBeDefined();
  // Leases and their tokens have outlived it.
  const settled = await store.apply(claim.jobs.map(succeededOf));
  expect(settled).toEqual(claim.jobs.map(() => ({ ok: true })));
  const [next] = await store.apply([claimOf({ limit: 1 })]);
  expect(next.jobs).toHaveLength(1);
});

it('a lost connection begins a new chain of audit blocks; every chain holds', async () => {
  await store.apply([enqueueOf('one')]);
  await store.apply([enqueueOf('two')]);
  await server.service.kill();
  await server.service.restart();
  const isStored = await until(
    () =>
      store.apply([enqueueOf('three')]).then(
        () => true,
        () => false,
      ),
    {
      timeoutMs: 10_000,
    },
  );
  expect(isStored).toBe(true);
  await store.apply([enqueueOf('four')]);
  const blocks = await store.auditBlocks(0, 100);
  const heads = new Map<string, string>();
  for (const { writer, prevHash, hash } of blocks) {
    expect(prevHash).toBe(heads.get(writer) ?? '');
    heads.set(writer, hash);
  }
  const chainOf = async (id: string) => {
    const job = await store.job(id);
    return blocks.find(({ seq }) => seq === job?.auditBlock)?.writer ?? expect.fail(id);
  };
  // Between the two there may be a third chain: on a slow machine the first answer comes too late, after its commit.
  expect(await chainOf('two')).toBe(await chainOf('one'));
  expect([...heads.keys()].indexOf(await chainOf('four'))).toBe(heads.size - 1);
  expect(heads.size).toBeGreaterThan(1);
});
