import { type Config, parseConfig } from '@redrive/config';
import { systemClock } from '@redrive/core';
import { type FullStore, jobsOn, memoryStore } from '@redrive/durable';
import { virtualClock } from '@redrive/testkit';

const FILE = `version: "1.1.0"
policies:
  invoice: { extends: runs.default, max_attempts: 8, base_delay: 5, max_delay: 300, jitter_type: none }
  patient: { extends: runs.default, max_attempts: 20 }
jobs:
  handlers:
    invoice: { command: ["true"], policy: invoice, idempotent: true, dependency: bank }
`;

/** A policy that makes attempts which never recover, and one that nothing uses. */
export function triedConfig(): Config {
  const { config, problems } = parseConfig(FILE);
  if (config === undefined) throw new Error(JSON.stringify(problems));
  return config;
}

class AmountError extends Error {
  override readonly name = 'AmountError';
}

const MINUTES = 60;
/** Of invoices that recover. */
const FAILURES = [1, 1, 1, 2, 3];

/** Invoices of two hours: most succeed at once, some at a later attempt, and every sixth never. */
export async function storeWithInvoices(): Promise<FullStore> {
  const clock = virtualClock({ startMs: systemClock.now() - 2 * MINUTES * 60_000 });
  const store = memoryStore({ clock });
  const policy = triedConfig().policies.get('invoice')?.policy;
  if (policy === undefined) throw new Error('There is no policy invoice');
  const run = ({ n }: { n: number }, { attempt }: { attempt: number }) => {
    if (n % 6 === 0) throw new AmountError('the amount is no number');
    if (n % 4 === 1 && attempt <= (FAILURES[n % 5] ?? 1)) throw new Error('socket hang up');
    return { sent: n };
  };
  const handlers = { invoice: { policy, dependency: 'bank', run } };
  const jobs = jobsOn(store, handlers, { clock, log: 'off', worker: 'app-1' });
  await jobs.start();
  for (let n = 0; n < 8 * MINUTES; n += 1) {
    await jobs.enqueue('invoice', { n });
    await clock.advance(7_500);
  }
  for (let minute = 0; minute < MINUTES - 2; minute += 1) await clock.advance(60_000);
  const stopped = jobs.stop({ mode: 'release', graceMs: 0 });
  await clock.advance(60_000);
  await stopped;
  return store;
}
