import { parseConfig } from '@redrive/config';
import { expect, test } from 'vitest';
import { liveRates } from './live-rates.ts';

function configOf(jobs: string) {
  const { config, problems } = parseConfig(`version: "1.1.0"\njobs:\n${jobs}`);
  if (config === undefined) throw new Error(JSON.stringify(problems));
  return config;
}

test('the rates of the file that is in force replace those in code, as long as it has some', () => {
  let config = configOf('  handlers: { mail: { command: [a], idempotent: true } }');
  const rates = liveRates(() => config);
  const own = { limit: 1, perMs: 5 };
  const { mail } = rates.of({ mail: { run: () => {}, rate: own } });
  const now = () => (typeof mail?.rate === 'function' ? mail.rate() : undefined);
  expect(now()).toEqual([own]);
  expect(rates.queues()).toEqual({});
  config = configOf(`  queue_rates: { night: { slow: { limit: 2, per_seconds: 60, by: handler } } }
  handlers: { mail: { command: [a], idempotent: true, rates: { a: { limit: 9, per_seconds: 1 } } } }`);
  expect(now()).toEqual([{ limit: 9, perMs: 1_000 }]);
  expect(rates.queues()).toEqual({ night: [{ limit: 2, perMs: 60_000, by: 'handler' }] });
});
