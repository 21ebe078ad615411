import { type VirtualClock, virtualClock } from '@redrive/testkit';
import {
  leaseActor,
  lookActor,
  type OnceActor,
  onceSchedules,
} from '@redrive/testkit/conformance/once-schedules';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { onceIn } from '../once-in.ts';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';

// Every order of crash, pause and late retry, on the real ledger, with the effect in a table beside it.

const server = testServer(NO_SYNC);
const schema = 'once';
const free: Client[] = [];
let clock: VirtualClock;
let store: Awaited<ReturnType<typeof openMade>>;

beforeAll(async () => {
  await server.sql('create table effects (key text)');
  await server.sql('create table keyed_effects (key text primary key)');
});
afterAll(() => Promise.all(free.map((client) => client.end())));
beforeEach(async () => {
  clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
  store = await openMade(server.url, { schema, clock, onWarning: () => {} });
});
afterEach(async () => {
  await store.close();
  await server.sql(`truncate effects, keyed_effects, ${schema}.ledger`);
});

const happen = async (key: string): Promise<void> => {
  await server.sql('insert into effects values ($1)', [key]);
};

/** What a service does that knows idempotency keys. */
const happenOnceForKey = async (key: string): Promise<void> => {
  await server.sql(
    `with new as (insert into keyed_effects values ($1) on conflict do nothing returning key)
     insert into effects select key from new`,
    [key],
  );
};

const play = (actor: (key: string) => OnceActor) =>
  onceSchedules({
    actor,
    expire: () => clock.advance(1_001),
    effects: async (key) => (await server.sql('select from effects where key = $1', [key])).length,
  });

/** The effect and its record in one transaction, on a connection of its own. */
function transactionActor(key: string): OnceActor {
  let client: Client | undefined;
  const own = async (): Promise<Client> => {
    client ??= free.pop();
    if (client === undefined) {
      client = new Client({ connectionString: server.url });
      await client.connect();
    }
    return client;
  };
  return {
    steps: [
      async () => {
        await (await own()).query('begin');
        return true;
      },
      async () => {
        const client = await own();
        const run = async () => {
          await client.query('insert into effects values ($1)', [key]);
        };
        return onceIn(client, { key, waitMs: 0 }, run, { schema, clock }).then(
          () => true,
          (error: { code?: string }) => {
            // Somebody else is at it.
            if (error.code === 'idempotency_in_progress') return false;
            throw error;
          },
        );
      },
      async () => {
        await (await own()).query('commit');
        return false;
      },
    ],
    async crash() {
      if (client === undefined) return;
      // What the server does when a process is gone.
      await client.query('rollback');
      free.push(client);
      client = undefined;
    },
  };
}

describe('in 160 orders of crash, pause and late retry', () => {
  it('an effect written with its record happens exactly once', async () => {
    const counts = await play(transactionActor);
    expect(counts).toEqual({ schedules: 160, duplicated: [], lost: [] });
  });

  it('an effect whose other side knows the key happens exactly once', async () => {
    const counts = await play((key) => leaseActor(store.ledger(), key, happenOnceForKey));
    expect(counts).toEqual({ schedules: 160, duplicated: [], lost: [] });
  });

  // What the orders find where nothing protects the effect.
  it('a lease alone lets it happen twice in some', async () => {
    const { duplicated, lost } = await play((key) => leaseActor(store.ledger(), key, happen));
    expect([duplicated.length, lost]).toEqual([50, []]);
  });

  it('looking first lets it happen twice in more', async () => {
    const { duplicated, lost } = await play((key) => lookActor(store.ledger(), key, happen));
    expect([duplicated.length, lost]).toEqual([68, []]);
  });
});
