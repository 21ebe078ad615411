import { DatabaseSync } from 'node:sqlite';
import type { FullStore } from '@redrive/durable';
import { virtualClock } from '@redrive/testkit';
import {
  leaseActor,
  lookActor,
  type OnceActor,
  onceSchedules,
} from '@redrive/testkit/conformance/once-schedules';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errcodeOf } from './database/statement.ts';
import { onceIn } from './once-in.ts';
import { openMade } from './testing/open-made.ts';
import { type Scratch, scratch } from './testing/scratch.ts';
import { withoutThreads } from './testing/without-threads.ts';

// Every order of crash, pause and late retry, on the real ledger, with the effect in a table beside it.

const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
let place: Scratch;
let store: FullStore;
let db: DatabaseSync;

beforeEach(async () => {
  place = scratch();
  store = await openMade(place.path, { clock }, { audit: true, start: withoutThreads });
  db = new DatabaseSync(place.path, { timeout: 0 });
  db.exec('CREATE TABLE effects (key TEXT); CREATE TABLE keyed_effects (key TEXT PRIMARY KEY)');
});
afterEach(async () => {
  db.close();
  await store.close();
  place.remove();
});

const happen = async (key: string): Promise<void> => {
  db.prepare('INSERT INTO effects VALUES (?)').run(key);
};

/** What a service does that knows idempotency keys. */
const happenOnceForKey = async (key: string): Promise<void> => {
  const { changes } = db.prepare('INSERT OR IGNORE INTO keyed_effects VALUES (?)').run(key);
  if (changes === 1) await happen(key);
};

const play = (actor: (key: string) => OnceActor) =>
  onceSchedules({
    actor,
    expire: () => clock.advance(1_001),
    effects: async (key) =>
      Number(db.prepare('SELECT count(*) AS n FROM effects WHERE key = ?').get(key)?.n),
  });

/** The effect and its record in one transaction, on a connection of its own. */
function transactionActor(key: string): OnceActor {
  const own = new DatabaseSync(place.path, { timeout: 0 });
  return {
    steps: [
      async () => {
        try {
          own.exec('BEGIN IMMEDIATE');
          return true;
        } catch (error) {
          // Somebody else is at it.
          if (errcodeOf(error) === 5) return false;
          throw error;
        }
      },
      async () => {
        const run = () => own.prepare('INSERT INTO effects VALUES (?)').run(key).changes;
        onceIn(own, { key }, run, { clock });
        return true;
      },
      async () => {
        own.exec('COMMIT');
        return false;
      },
    ],
    // Like the end of a process: what was not committed is gone.
    crash: async () => own.close(),
  };
}

describe('in 160 orders of crash, pause and late retry', () => {
  it('an effect written with its record happens exactly once', async () => {
    const counts = await play(transactionActor);
    expect(counts).toEqual({ schedules: 160, duplicated: [], lost: [] });
  });

  it('an effect whose other side knows the key happens exactly once', async () => {
    const ledger = store.ledger();
    const counts = await play((key) => leaseActor(ledger, key, happenOnceForKey));
    expect(counts).toEqual({ schedules: 160, duplicated: [], lost: [] });
  });

  // What the orders find where nothing protects the effect.
  it('a lease alone lets it happen twice in some', async () => {
    const ledger = store.ledger();
    const { duplicated, lost } = await play((key) => leaseActor(ledger, key, happen));
    expect([duplicated.length, lost]).toEqual([50, []]);
  });

  it('looking first lets it happen twice in more', async () => {
    const ledger = store.ledger();
    const { duplicated, lost } = await play((key) => lookActor(ledger, key, happen));
    expect([duplicated.length, lost]).toEqual([68, []]);
  });
});
