// A document and its event in one transaction: both exist after the commit, or neither.
import { jobsOn, memoryStore } from '@redrive/durable';
import { publishHandler } from '@redrive/durable/events';
import { enqueueIn } from '@redrive/postgres';
import type pg from 'pg';
import { primary } from './database.ts';

// It prepares jobs and runs none, so it needs no connection: `redrive start` publishes the events.
const jobs = jobsOn(memoryStore(), { 'events.publish': publishHandler({}) });

/** Writes documents, and enqueues the event about them. */
export async function writeWithEvent(
  destination: string,
  data: object,
  write: (client: pg.PoolClient) => Promise<unknown>,
): Promise<void> {
  const event = jobs.prepare('events.publish', { bus: 'main', destination, event: { data } });
  const client = await primary.connect();
  try {
    await client.query('begin');
    await write(client);
    await enqueueIn(client, event);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}
