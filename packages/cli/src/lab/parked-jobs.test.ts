import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { START } from '../testing/job-store.ts';
import { outageStore } from '../testing/outage-store.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const file = (breaker: string) =>
  `version: "1.1.0"\npolicies:\n  call: { name: Calls, max_attempts: 3, backoff_type: fixed, base_delay: 1, max_delay: 1, jitter_type: none, ${breaker} }\n`;

/** A breaker that is asked again every 7 s kept most of the jobs back while their dependency was down. */
async function setUp() {
  const clock = virtualClock(START);
  const made = await outageStore(clock, {
    policy: {
      id: 'call',
      backoff: 'fixed',
      baseDelayMs: 1_000,
      jitter: 'none',
      enableCircuitBreaker: true,
      circuitBreakerTimeoutMs: 7_000,
    },
  });
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml': file('enable_circuit_breaker: true, circuit_breaker_timeout: 7'),
    'better.yaml': file('enable_circuit_breaker: true, circuit_breaker_timeout: 1'),
    'worse.yaml': file('enable_circuit_breaker: false'),
  });
  const run = async (args: string) => {
    const ran = await runMain(args.split(' '), { store: made.store, clock, directory });
    expect(ran, args).toMatchObject({ exitCode: 0 });
    return ran.stdout;
  };
  return { ...made, run, json: async (args: string) => JSON.parse(await run(`${args} --json`)) };
}

test('on jobs that were parked, a worse policy is reported as worse, a better one as better', async () => {
  const { run, json, dead } = await setUp();
  expect(dead).toBe(0);
  await run('lab record --since 1h --to recording');
  for (const from of ['--recording recording', '--since 1h']) {
    const worse = await json(`policies backtest call worse.yaml:call ${from}`);
    expect(worse).toMatchObject({ sessions: 240, dependencies: [{ outages: 1 }] });
    expect(worse.figures.change.exhausted.value).toBeGreaterThan(0.25);
    const { figures } = await json(`policies backtest call better.yaml:call ${from}`);
    expect(figures.change.exhausted.value).toBe(0);
    expect(figures.change.latency.value).toBeLessThan(0);
    const { policies } = await json(`policies review ${from}`);
    // The recorded policy comes out as it was recorded.
    expect(figures.old.attempts.value).toBeCloseTo(policies[0].average_attempts, 1);
  }
});

test('every decision of them derives equal; without the breaker they would have made attempts', async () => {
  const { json } = await setUp();
  const worse = await json('lab replay --since 1h --policy call=worse.yaml --limit 1000');
  expect(worse).toMatchObject({ underived: 0, recorded: { sessions: 240, given_up: 0 } });
  expect(worse.other.given_up).toBeGreaterThan(60);
  expect(worse.other.given_up).toBe(worse.inferred.given_up);
  const kept = worse.differences.filter(
    (each: { other: object }) => 'run' === Object(each.other).action,
  );
  expect(kept.length).toBe(worse.differing_sessions);
  expect(kept[0].recorded).toMatchObject({ action: 'park', reason: 'breaker_open' });
  expect(await json('lab replay --since 1h --policy call=better.yaml')).toMatchObject({
    differing_sessions: 0,
    inferred: { sessions: 0 },
  });
});
