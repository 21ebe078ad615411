import { definePolicy } from '@redrive/core';
import { memoryStore } from '@redrive/durable';
import { type DocumentSource, runSweeps, type Sweep } from '@redrive/durable/documents';
import { virtualClock } from '@redrive/testkit';
import { testCollection } from '@redrive/testkit/conformance/document-source';
import type { MongodbReplicaSet } from '@redrive/testkit/services';
import { MongoClient } from 'mongodb';
import { mongodbDocuments } from '../mongodb-documents.ts';
import { newDatabase, urlOf } from './url-of.ts';

const DOCUMENTS = 1_500;
const LEASE_MS = 61_000;

/** The sums over all sweeps whose primary was killed. */
export interface Losses {
  /** Sweeps that went on, and those that counted as failed. */
  goneOn: number;
  failed: number;
  /** Documents without a job for their event. */
  lost: number;
  /** Documents whose claim is not that of attempt 1, or that count one before it was sent; jobs that are not one each. */
  twice: number;
}

/**
 * Sweeps new documents of a replica set again and again, and kills its primary at another step each time. After a sweep
 * that failed, the next ones complete it.
 *
 * @param calls numbers of the calls of the source at which the primary is killed: find, claim, settle and so on.
 */
export async function losePrimaries(
  set: MongodbReplicaSet,
  calls: readonly number[],
): Promise<Losses> {
  const losses: Losses = { goneOn: 0, failed: 0, lost: 0, twice: 0 };
  const database = newDatabase();
  const client = new MongoClient(set.url);
  const documents = client.db(database).collection<{ _id: string }>('archives');
  const clock = virtualClock();
  const store = memoryStore({ clock });
  const source = mongodbDocuments(urlOf(set, database), { clock });
  const collection = testCollection('archives');
  await source.prepare(collection, { dryRun: false });
  let jobs = 0;
  for (const [kill, call] of calls.entries()) {
    const ids = Array.from({ length: DOCUMENTS }, (_, n) => `d${kill}-${n}`);
    const rows = ids.map((_id) => ({ _id, status: 'pending' }));
    await documents.insertMany(rows, { writeConcern: { w: 'majority' } });
    let killed: Promise<void> | undefined;
    const victim = await set.primary();
    const dying = atCall(source, call, () => {
      killed = victim.kill();
    });
    const first = await sweep(dying);
    losses[first === 'success' ? 'goneOn' : 'failed'] += 1;
    await killed;
    await victim.restart();
    await set.primary();
    for (let again = 0; again < 3; again += 1) {
      await clock.advance(LEASE_MS);
      await sweep(source);
    }
    for await (const { _id, ...document } of documents.find({ _id: { $in: ids } })) {
      const { attemptCount, retry_sweep: mark } = Object(document);
      // No worker sends the events here, so no attempt counts yet.
      if ((attemptCount ?? 0) !== 0 || mark?.attempt !== 1) losses.twice += 1;
      if (mark?.event === undefined || !(await store.job(mark.event))) losses.lost += 1;
    }
    jobs = (await store.counts()).groups.reduce((sum, { count }) => sum + count, 0);
  }
  losses.twice += Math.abs(jobs - DOCUMENTS * calls.length);
  await source.close();
  await client.close();
  await store.close();
  return losses;

  async function sweep(from: DocumentSource): Promise<string> {
    const archives: Sweep = {
      ...{ name: 'archives', source: from, collection, thresholdMs: 86_400_000, minimumAgeMs: 0 },
      policy: definePolicy({ id: 'documents.archives', maxAttempts: 3 }),
      dependency: '',
      event: { type: 'ArchiveIngested', bus: 'main', destination: 'archive.ingested', data: {} },
    };
    const { status } = await runSweeps({
      ...{ store, clock, sweeps: [archives], intervalMs: 900_000, notify: () => {} },
      actor: { name: 'test' },
    });
    return status;
  }
}

/** The same source, which calls `act` at the start of a call of this number. */
function atCall(source: DocumentSource, number: number, act: () => void): DocumentSource {
  let calls = 0;
  return new Proxy(source, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        calls += 1;
        if (calls === number) act();
        return value.apply(target, args);
      };
    },
  });
}
