import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Collection, MongoClient } from 'mongodb';
import type { Stack } from './start-stack.ts';

/** The alerts that the failure makes, and their receivers. */
export const PLANTED_ALERTS: Readonly<Record<string, string>> = {
  RedriveDeadLettersGrowing: 'platform',
  StuckDocumentsWarning: 'platform',
};

interface Archive {
  readonly _id: string;
  readonly status: string;
  readonly attemptCount?: number;
  readonly lastAttemptTime?: Date;
}

const DYING_JOBS = 20;
const STUCK = 60;

/**
 * A handler that dies, so that its jobs become dead letters; and 60 documents that are stuck and wait for their back-off.
 * Beside them some that are sent again and some that have used up their attempts, and events that a retry recovers.
 */
export async function plantFailure(stack: Stack): Promise<void> {
  const { directory, redrive } = stack;
  const jobs = Array.from({ length: DYING_JOBS }, () => '{"dies":true}\n');
  writeFileSync(join(directory, 'dying.jsonl'), jobs.join(''));
  await redrive('jobs', 'enqueue', 'import', '--from', 'dying.jsonl');
  for (const id of ['m-1', 'm-2'])
    await redrive('events', 'publish', 'chunking', `{"data":{"message_ids":["${id}"]}}`);
  const lastAttemptTime = new Date(Date.now() - 120_000);
  await withArchives(stack, (archives) =>
    archives.insertMany([
      ...ids('stuck', STUCK).map((_id) => ({
        ...{ _id, status: 'pending', attemptCount: 2, lastAttemptTime },
      })),
      ...ids('new', 5).map((_id) => ({ _id, status: 'pending' })),
      ...ids('beyond', 3).map((_id) => ({
        ...{ _id, status: 'pending', attemptCount: 3, lastAttemptTime },
      })),
    ]),
  );
}

/** The service has processed the stuck documents. The handler dies no more: no further job of it does. */
export async function repairFailure(stack: Stack): Promise<void> {
  await withArchives(stack, (archives) =>
    archives.updateMany({ status: 'pending' }, { $set: { status: 'processed' } }),
  );
}

function ids(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);
}

async function withArchives(
  { addresses }: Stack,
  use: (archives: Collection<Archive>) => Promise<unknown>,
): Promise<void> {
  const client = await MongoClient.connect(addresses.mongodb ?? '');
  try {
    await use(client.db().collection<Archive>('archives'));
  } finally {
    await client.close();
  }
}
