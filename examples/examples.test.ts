import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// What each example prints, line by line. They run as a reader runs them: as they are, on the build.
const printed: Readonly<Record<string, readonly string[]>> = {
  'first-call.ts': [
    '21.5 °C after 3 calls',
    'at once: the SyntaxError itself',
    'Gave up on ask the sensor after 3 of 3 attempts, failing for # ms (max_attempts_exceeded): no answer to question 3',
    '  attempt 1: no answer to question 1; waited 20 ms',
    '  attempt 2: no answer to question 2; waited 40 ms',
    '  attempt 3: no answer to question 3; waited 0 ms',
  ],
  'http-client.ts': [
    '200 hello after 2 requests',
    'Retry-After was obeyed: 1 s or a little more',
    '404 after 1 request',
  ],
  'breaker.ts': [
    'the service is well',
    '  7 left, calls made: 1',
    'the service is dead',
    '  unknown (max_attempts_exceeded), calls made: 3',
    '  unknown (budget_exhausted), calls made: 1',
    '  breaker: closed -> open',
    '  unknown (breaker_open), calls made: 1',
    '  unknown (breaker_open), calls made: 0',
    'the service is back',
    '  breaker: open -> half_open',
    '  breaker: half_open -> closed',
    '  7 left, calls made: 1',
  ],
  'effect-once.ts': [
    'order 7: charged by attempt 1, confirmed by attempt 2',
    'charges: 1',
    'asked again, in process: charged by attempt 1',
    'with another amount: idempotency_conflict',
  ],
  'jobs.ts': [
    '1 succeeded, 1 died',
    'succeeded (succeeded): "Hello" sent to ada@example.org',
    '  attempt 1 after 0 s: 421 too busy',
    '  attempt 2 after 0.02 s: 421 too busy',
    '  attempt 3 after 0.04 s: worked',
    'dead (final_error)',
    '  attempt 1 after 0 s: no such address: nobody',
  ],
  'jobs-in-a-transaction.ts': [
    'CHECK constraint failed: paid > 0',
    'confirmed order 1',
    'confirm: 1 succeeded',
  ],
  'loop.ts': [
    'attempt 1 goes on after piece 0',
    'attempt 2 goes on after piece 3',
    'attempt 3 goes on after piece 6',
    'Once upon a time the line was bad.',
  ],
  'nested.ts': [
    'each for itself: 9 queries',
    "with the caller's count of retries: 6 queries",
    "and with the service's report that it gave up: 3 queries",
  ],
};

test('every example is run', () => {
  const examples = globSync('*.ts', { cwd: import.meta.dirname, exclude: ['*.test.ts'] });
  expect(Object.keys(printed).sort()).toEqual(examples.sort());
});

test.each(Object.entries(printed))('%s', (file, lines) => {
  // A worker warns of a job that dies: an example lets one die on purpose.
  const args = ['--disable-warning=RedriveWarning', join(import.meta.dirname, file)];
  const run = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: 20_000,
  });
  // How long it took differs from run to run.
  const stdout = run.stdout.replace(/ failing for \d+ ms \(/g, ' failing for # ms (');
  expect({ ...run, stdout }).toMatchObject({
    stdout: lines.map((line) => `${line}\n`).join(''),
    stderr: '',
    status: 0,
  });
});
