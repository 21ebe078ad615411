import { type OnceLedger, withOnce } from '@redrive/core';
import { startTcpProxy } from '@redrive/testkit/services';
import { describe, expect, it } from 'vitest';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';

const server = testServer(NO_SYNC);

describe('a connection that is cut while a result is recorded', () => {
  it('does not double the effect: recording is repeated while the reservation holds', async () => {
    const proxy = await startTcpProxy({ port: server.service.port });
    const url = server.url.replace(`:${server.service.port}`, `:${proxy.port}`);
    const store = await openMade(url, { schema: server.newSchema(), onWarning: () => {} });
    const errors: unknown[] = [];
    const ledger = passAfter(store.ledger(), async (error) => {
      errors.push(error);
      await proxy.pass();
    });
    let effects = 0;
    const charge = async () => {
      effects += 1;
      proxy.refuse();
      proxy.cut();
      return { charged: effects };
    };

    expect(await ledger.once({ key: 'k' }, charge)).toEqual({ charged: 1 });
    expect(errors).toEqual([expect.objectContaining({ code: 'store_unavailable' })]);
    expect(await ledger.once({ key: 'k' }, charge)).toEqual({ charged: 1 });
    expect(effects).toBe(1);

    await store.close();
    await proxy.stop();
  });
});

/** The same ledger, which calls `onError` before it says that recording failed. */
function passAfter(ledger: OnceLedger, onError: (error: unknown) => Promise<void>): OnceLedger {
  return withOnce({
    ...ledger,
    async complete(key, token, value) {
      try {
        return await ledger.complete(key, token, value);
      } catch (error) {
        await onError(error);
        throw error;
      }
    },
  });
}
