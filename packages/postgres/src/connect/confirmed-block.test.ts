import { startTcpProxy, type TcpProxy, until } from '@redrive/testkit/services';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimOf, enqueueOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';

const server = testServer(NO_SYNC);
let proxy: TcpProxy;
let schema: string;
let warnings: string[];
let store: Awaited<ReturnType<typeof openMade>>;

beforeEach(async () => {
  proxy = await startTcpProxy({ port: server.service.port });
  const url = server.url.replace(`:${server.service.port}`, `:${proxy.port}`);
  schema = server.newSchema();
  warnings = [];
  store = await openMade(url, {
    schema,
    onWarning: (message) => void (/lost commits/.test(message) && warnings.push(message)),
  });
});

afterEach(async () => {
  await store.close();
  await proxy.stop();
});

/** The state of a standby that has not received the last blocks. */
const lose = (count: number) =>
  server.sql(`delete from ${schema}.audit_blocks where seq in (
    select seq from ${schema}.audit_blocks order by seq desc limit ${count})`);

/** The connections are cut, and the store makes new ones. */
async function reconnect(): Promise<void> {
  proxy.cut();
  const claim = () => store.apply([claimOf()]).then(...([() => true, () => false] as const));
  expect(await until(claim, { timeoutMs: 10_000, everyMs: 20 })).toBe(true);
}

describe('a server that has lost commits which it had confirmed', () => {
  it('is reported once after the reconnection: jobs alone in their transaction', async () => {
    await store.apply([enqueueOf('one')]);
    await store.apply([enqueueOf('two')]);
    await lose(1);
    await reconnect();
    await reconnect();
    expect(warnings).toEqual([
      expect.stringMatching(
        /has lost commits that it had confirmed: audit block \d+ of this process is gone, and its newest block that is left is \d+, of 20\d\d-\S+Z\./,
      ),
    ]);
  });

  it('is reported after a claim, and again after the next loss', async () => {
    await store.apply([enqueueOf('one')]);
    await store.apply([claimOf()]);
    await lose(2);
    await reconnect();
    expect(warnings).toHaveLength(1);
    await store.apply([enqueueOf('two')]);
    await lose(1);
    await reconnect();
    expect(warnings).toHaveLength(2);
  });

  it('is reported again after the numbers of blocks went back, also where the lost block has the same number', async () => {
    // Reconnections claim none of these, so they write no block.
    const enqueue = (id: string) => store.apply([enqueueOf(id, { handler: 'other' })]);
    for (const id of ['one', 'two', 'three']) await enqueue(id);
    await lose(2);
    await reconnect();
    for (const id of ['four', 'five']) {
      await server.sql(`select setval('${schema}.audit_seq', 1)`);
      await enqueue(id);
      await lose(1);
      await reconnect();
    }
    const gone = warnings.map((warning) => Number(/audit block (\d+)/.exec(warning)?.[1]));
    expect(gone).toEqual([3, 2, 2]);
  });
});

it('a server that has everything is not accused: lost connections, a repeated id, a claim of nothing', async () => {
  await store.apply([enqueueOf('one')]);
  await reconnect();
  expect(await store.apply([enqueueOf('one')])).toMatchObject([{ refusal: 'duplicate_id' }]);
  await reconnect();
  expect(await store.apply([claimOf()])).toMatchObject([{ jobs: [] }]);
  await reconnect();
  expect(warnings).toEqual([]);
});
