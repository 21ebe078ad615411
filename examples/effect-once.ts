// A job whose effect happens once, although it runs twice, and a call in process that shares its key.
// `node examples/effect-once.ts`
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRedriveError, retry } from '@redrive/core';
import { fingerprint } from '@redrive/core/idempotency';
import { type JobContext, jobsOn } from '@redrive/durable';
import { openStore } from '@redrive/sqlite';

interface Order {
  readonly id: number;
  readonly amount: number;
}

const directory = mkdtempSync(join(tmpdir(), 'redrive-example-'));
const store = await openStore(join(directory, 'jobs.db'));
let charges = 0;

async function pay(order: Order, { once, attempt }: JobContext): Promise<string> {
  // The key is the order's, so that no other job and no other attempt charges it again.
  const receipt = await once(
    `charge order ${order.id}`,
    () => {
      charges += 1;
      return `charged by attempt ${attempt}`;
    },
    { fingerprint: fingerprint({ amount: order.amount }) },
  );
  // The charge has worked; what comes after it has not.
  if (attempt === 1) throw new Error('the mail server is away');
  return `order ${order.id}: ${receipt}, confirmed by attempt ${attempt}`;
}

const jobs = jobsOn(store, { pay: { run: pay, policy: { maxAttempts: 3, baseDelayMs: 20 } } });
await jobs.start();
console.log(await jobs.wait(await jobs.enqueue('pay', { id: 7, amount: 1_999 })));
await jobs.stop();
console.log(`charges: ${charges}`);

const ask = (amount: number) =>
  retry(
    () => 'nothing runs',
    {},
    {
      ledger: store.ledger(),
      idempotencyKey: 'charge order 7',
      fingerprint: fingerprint({ amount }),
    },
  );
console.log(`asked again, in process: ${await ask(1_999)}`);
await ask(2_999).catch((error: unknown) => {
  if (isRedriveError(error)) console.log(`with another amount: ${error.code}`);
});

await store.close();
rmSync(directory, { recursive: true });
