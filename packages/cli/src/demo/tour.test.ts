import { type VirtualClock, virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { screenOf } from '../terminal/screen.ts';
import { dyingDependency } from './dying-dependency.ts';
import { type Evidence, givingUp, replay } from './giving-up.ts';
import { flakyCall, rateLimitedServer } from './retried-calls.ts';
import { type Stage, stageOn } from './stage.ts';

function virtualStage() {
  const clock = virtualClock();
  let printed = '';
  const stage: Stage = {
    ...stageOn(screenOf({}, {}), (text) => {
      printed += text;
    }),
    clock,
  };
  return { stage, clock, lines: () => printed.split('\n') };
}

/** Lets the scene have all the time it waits for. */
async function play<T>(clock: VirtualClock, scene: Promise<T>): Promise<T> {
  await clock.runAll();
  return scene;
}

test('a flaky call: attempts, waits, reasons and the timeline', async () => {
  const { stage, clock, lines } = virtualStage();
  await play(clock, flakyCall(stage));
  expect(lines().slice(3)).toEqual([
    '       0 ms  attempt 1  ✗ connection reset      retryable_error: wait 216 ms',
    '     216 ms  attempt 2  ✗ connection reset      retryable_error: wait 376 ms',
    '     592 ms  attempt 3  ✓ answered',
    '',
    '   ✗───────────────────────✗─────────────────────────────────────────✓',
    '   0                       216                                       592 ms',
    '',
  ]);
});

test('a rate-limited server is left alone for as long as it asked', async () => {
  let printed = '';
  await rateLimitedServer(stageOn(screenOf({}, {}), (text) => (printed += text)));
  const waitedMs = Number(/rate_limited: wait (\d+) ms/.exec(printed)?.[1]);
  expect(waitedMs).toBeGreaterThanOrEqual(1_000);
  expect(waitedMs).toBeLessThanOrEqual(1_100);
  expect(printed).toMatch(/attempt 1 {2}✗ 429, Retry-After: 1/);
  expect(printed).toMatch(/attempt 2 {2}✓ answered/);
});

test('a breaker spares a dead dependency and finds it back', async () => {
  const { stage, clock, lines } = virtualStage();
  await play(clock, dyingDependency(stage));
  expect(lines().slice(3)).toEqual([
    '   dependency  ● ● ● ● ● ● ○ ○ ○ ○ ○ ○ ○ ○ ○ ○ ○ ● ● ● ● ● ● ● ● ●',
    '   calls       ✓ ✓ ✓ ✓ ✓ ✓ ✗ ✗ ✗ · · · · ✗ · · · · ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓',
    '   breaker     closed───────── open─────────────── closed─────────',
    '',
    '   ● well  ○ dead    ✓ answered  ✗ failed  · refused at once',
    '   Of 11 calls in the outage 4 reached the dependency.',
    '',
  ]);
});

test('a session that gave up tells everything', async () => {
  const { stage, clock, lines } = virtualStage();
  await play(clock, givingUp(stage));
  expect(lines().slice(3)).toEqual([
    '       0 ms  attempt 1  ✗ connection reset      retryable_error: wait 162 ms',
    expect.stringMatching(
      /^ {5}36\d ms {2}attempt 2 {2}✗ took over 200 ms {6}retryable_error: wait 282 ms$/,
    ),
    expect.stringMatching(/^ {5}64\d ms {2}attempt 3 {2}✗ 503 overloaded {8}ttl_exceeded$/),
    '',
    '   RetryError',
    expect.stringMatching(
      /^ {3}message {2}Gave up on charge card after 3 of 5 attempts, failing for 64\d ms$/,
    ),
    '            (ttl_exceeded): 503 overloaded',
    '   reason   ttl_exceeded',
    '   attempts 1  connection reset                     then waited 162 ms',
    '            2  The attempt took longer than 200 ms  then waited 282 ms',
    '            3  503 overloaded',
    '   retryAt  in 31 s: when another try would make sense',
    '   cause    the last error, exactly as it was thrown',
    '',
  ]);
});

test('its second decision is derived again, and asked of other policies', async () => {
  const { stage, clock } = virtualStage();
  const evidence = await play(clock, givingUp(stage));
  const second = virtualStage();
  replay(second.stage, evidence);
  expect(second.lines().slice(5)).toEqual([
    '   recorded             retry after 282 ms',
    '   derived again        retry after 282 ms                   ✓ the same',
    '',
    '   And what would another policy have done, there and then?',
    '',
    '   {"maxAttempts":2}    give-up: max_attempts_exceeded',
    '   {"jitter":"full"}    retry after 61 ms',
    '   {"backoff":"fixed"}  retry after 141 ms',
    '',
  ]);
});

test('a replay that differs is shown as such', async () => {
  const { stage, clock, lines } = virtualStage();
  const { policy, records } = await play(clock, givingUp(stage));
  const tampered: Evidence = { policy: { ...policy, baseDelayMs: 1 }, records };
  replay(stage, tampered);
  expect(lines().join('\n')).toContain('✗ differs');
});
