// Breaker, budget and fallback around a dependency that dies and comes back. `node examples/breaker.ts`
import {
  circuitBreakers,
  isRetryError,
  pipeline,
  retryBudget,
  syncSink,
  systemClock,
} from '@redrive/core';

const breakers = circuitBreakers({
  events: syncSink((record) => {
    if (record.kind === 'breaker_changed') console.log(`  breaker: ${record.from} -> ${record.to}`);
  }),
});

// Built once, used for all calls to the stock service.
const stock = pipeline({
  policy: {
    id: 'read-stock',
    dependency: 'stock-service',
    maxAttempts: 3,
    baseDelayMs: 10,
    attemptTimeoutMs: 500,
    enableCircuitBreaker: true,
    circuitBreakerThreshold: 5,
    circuitBreakerTimeoutMs: 500,
  },
  breakers,
  fallback: (error) => `unknown (${isRetryError(error) ? error.reason : error})`,
});

// Every call that names its dependency has a budget by default: 100 retries at once, 10 more per second. This one is so
// small that it shows.
const budget = retryBudget({ burst: 2, floorPerSecond: 0, ratio: 1 });

let alive = true;
let calls = 0;
async function readStock(): Promise<string> {
  calls += 1;
  if (!alive) throw Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
  return '7 left';
}

async function show(title: string, times: number): Promise<void> {
  console.log(title);
  for (let i = 0; i < times; i++) {
    calls = 0;
    const answer = await stock.run(readStock, { budget });
    console.log(`  ${answer}, calls made: ${calls}`);
  }
}

await show('the service is well', 1);
alive = false;
// The first run spends the budget, the second has none left to retry with, the third is the fifth failure in a row and
// opens the breaker, the fourth is spared the call.
await show('the service is dead', 4);
alive = true;
// Nothing happens by itself: an open breaker lets the next call after its timeout through as a probe.
const breaker = breakers.for('stock-service');
while (breaker.openForMs() > 0) {
  await new Promise<void>((resolve) => systemClock.setTimer(breaker.openForMs(), resolve));
}
await show('the service is back', 1);
