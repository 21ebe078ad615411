// A first call. `node examples/first-call.ts`
import { isRetryError, retry } from '@redrive/core';

let calls = 0;

/** Cannot be reached the first two times. */
async function readTemperature(): Promise<number> {
  calls += 1;
  if (calls < 3) throw Object.assign(new Error('connection reset'), { code: 'ECONNRESET' });
  return 21.5;
}

// Four attempts at most, the first one included; 50 ms, then 100 ms apart, ±10 %.
const temperature = await retry(readTemperature, { maxAttempts: 4, baseDelayMs: 50 });
console.log(`${temperature} °C after ${calls} calls`);

// A mistake in the code does not get better by waiting: it comes out at once and as it is.
try {
  await retry(() => JSON.parse('not JSON'));
} catch (error) {
  console.log(
    `at once: ${error instanceof SyntaxError ? 'the SyntaxError itself' : 'something else'}`,
  );
}

// Giving up keeps the whole story.
try {
  await retry(
    ({ attempt }) => Promise.reject(new Error(`no answer to question ${attempt}`)),
    { maxAttempts: 3, baseDelayMs: 20, jitter: 'none' },
    { operation: 'ask the sensor' },
  );
} catch (error) {
  if (!isRetryError(error)) throw error;
  console.log(error.message);
  for (const { attempt, error: failure, delayMs } of error.attempts) {
    console.log(
      `  attempt ${attempt}: ${failure instanceof Error ? failure.message : failure}; waited ${delayMs} ms`,
    );
  }
}
