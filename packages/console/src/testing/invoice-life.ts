import { definePolicy, systemClock } from '@redrive/core';
import { type FullStore, jobsOn, memoryStore, retryAfter } from '@redrive/durable';
import { engageKill } from '@redrive/durable/control';
import { virtualClock } from '@redrive/testkit';

const MINUTES = 43;

/** An invoice that fails, is rate-limited, fails again, and is stopped by a kill switch; a dependency that is down. */
export async function storeWithInvoice(): Promise<{
  readonly store: FullStore;
  /** Id of the invoice. */
  readonly invoice: string;
}> {
  const clock = virtualClock({ startMs: systemClock.now() - MINUTES * 60_000 });
  const made = memoryStore({ clock });
  const shape = { maxAttempts: 8, baseDelayMs: 60_000, maxDelayMs: 900_000 } as const;
  const policy = definePolicy({ ...shape, jitter: 'full', jitterAmount: 1 });
  const guarded = definePolicy({
    ...{ ...shape, baseDelayMs: 5_000, backoff: 'fixed', jitter: 'none' },
    ...{ enableCircuitBreaker: true, circuitBreakerThreshold: 5, circuitBreakerTimeoutMs: 60_000 },
  });
  const refused = () => {
    throw new Error('connect ECONNREFUSED bank.example.org:443');
  };
  const handlers = {
    invoice: {
      policy,
      run: async (_: unknown, { attempt }: { readonly attempt: number }) => {
        await new Promise<void>((resolve) => clock.setTimer(2_000, resolve));
        return attempt === 2 ? retryAfter(120_000) : refused();
      },
    },
    refund: { policy: guarded, dependency: 'bank', run: refused },
    mail: () => 'sent',
  };
  const jobs = jobsOn(made, handlers, { clock, log: 'off', worker: 'app-1' });
  const { id } = await jobs.enqueue('invoice', { order: 4711 }, { queue: 'billing' });
  for (let n = 0; n < 7; n++) await jobs.enqueue('refund', { n }, { queue: 'billing' });
  await jobs.start();
  const hasFailed = async () => ((await made.job(id))?.account.entries.failed ?? 0) >= 3;
  let steps = 0;
  while (!(await hasFailed())) {
    steps += 1;
    await clock.advance(5_000);
  }
  const actor = { name: 'cli:ops', why: 'INC-7: wrong amounts' };
  await engageKill(made, { scope: 'operation', name: 'invoice', actor });
  for (; steps < (MINUTES - 1) * 12; steps += 1) await clock.advance(5_000);
  const stopped = jobs.stop({ mode: 'release', graceMs: 0 });
  await clock.advance(60_000);
  await stopped;
  for (let n = 0; n < 3; n++) await jobs.enqueue('mail', { n }, { queue: 'mail' });
  return { store: made, invoice: id };
}
