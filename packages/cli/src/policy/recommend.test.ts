import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseConfig } from '@redrive/config';
import { jobsOn, memoryStore } from '@redrive/durable';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { START } from '../testing/job-store.ts';
import { outagesText, RECORDED_POLICIES } from '../testing/recording-text.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

function setUp(recording: string, policies = RECORDED_POLICIES) {
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml': `version: "1.1.0"\npolicies:${policies}`,
  });
  writeFileSync(join(directory, 'recording.jsonl'), recording);
  return (...args: string[]) =>
    runMain(['policies', 'recommend', ...args, '--recording', '.'], { directory });
}

test('it prints a file with the policy, which is valid, then the effect and the tables behind it', async () => {
  const run = setUp(outagesText(60));
  const { exitCode, stdout, stderr } = await run('mail');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const [fragment = '', rest = ''] = stdout.split('\n\n');
  const { config, problems } = parseConfig(fragment);
  // The mapping that names it is in the user's own file.
  expect(problems.map(({ code }) => code)).toEqual(['unused_policy']);
  const policy = config?.policies.get('mail');
  expect(policy).toMatchObject({
    preset: 'RETRY_KV_GET',
    policy: { backoff: 'schedule', jitter: 'proportional', jitterAmount: 0.1 },
  });
  expect(policy?.policy.maxAttempts).toBeGreaterThan(3);
  expect(rest.replaceAll(/\s+/g, ' ')).toMatch(
    /^60 recoveries\. Expected for mail, from the newest fifth: attempts per failure .*; delay after a recovery - now, .*; given up 100\.0 % now, 0\.0 % then\. No attempt timeout: 0 successes have a known start, and it needs 10000\./,
  );

  expect(stdout).toMatch(/\nlearned \(recommended\) +\d/);
  expect(stdout).toMatch(/\n +up to [\d.]+m?s? .*\n/);
  const {
    fragment: inJson,
    recommended,
    recoveries,
  } = JSON.parse((await run('mail', '--json')).stdout);
  expect({ inJson: inJson.trimEnd(), recommended, recoveries }).toEqual({
    inJson: fragment,
    recommended: 'learned',
    recoveries: 60,
  });
});

test('a policy of a preset, one with a breaker and one that stays are valid files too', async () => {
  const policies = `
  mail: { extends: KV_GET, max_attempts: 40, enable_circuit_breaker: true, circuit_breaker_timeout: 600, description: "a, b: c" }
`;
  const run = setUp(outagesText(60), policies);
  const costs = ['--cost-per-attempt', '1', '--cost-per-second', '0.1', '--json'];
  const { fragment } = JSON.parse((await run('mail', ...costs)).stdout);
  const { config, problems } = parseConfig(fragment);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  const policy = config?.policies.get('mail')?.policy;
  expect(policy).toMatchObject({ maxAttempts: 40, description: 'a, b: c' });
  expect(policy?.circuitBreakerTimeoutMs).toBeLessThan(600_000);
  expect(JSON.parse((await run('mail', '--json')).stdout)).toMatchObject({
    recommended: 'present',
    fragment: null,
  });
  const stays = await run('mail');
  expect(stays.stdout).toMatch(/^60 recoveries\. mail stays as it is/);
  const text = outagesText(60).replaceAll('"policy":"mail"', '"policy":"RETRY_KV_PUT"');
  const preset = JSON.parse((await setUp(text)('KV_PUT', '--json')).stdout);
  const parsed = parseConfig(preset.fragment);
  expect(parsed.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(parsed.config?.policies.get('RETRY_KV_PUT')?.policy.backoff).toBe('schedule');
});

test('from a store it also knows when successful attempts of jobs began', async () => {
  const clock = virtualClock(START);
  const store = memoryStore({ clock });
  const policy = { id: 'mail', maxAttempts: 9, baseDelayMs: 1_000, jitter: 'none' } as const;
  let upMs = 0;
  const send = {
    policy,
    run: async () => {
      if (clock.monotonic() < upMs) throw new Error('down');
      await new Promise<void>((wake) => clock.setTimer(40, wake));
    },
  };
  const jobs = jobsOn(store, { send }, { clock, log: 'off' });
  await jobs.start();
  for (let outage = 0; outage < 50; outage += 1) {
    upMs = clock.monotonic() + 10_000 + outage * 20;
    for (const waitMs of [1_000, 60_000]) {
      await jobs.enqueue('send', null);
      await clock.advance(waitMs);
    }
  }
  await jobs.stop();
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml': 'version: "1.1.0"\npolicies: { mail: { extends: KV_GET, max_attempts: 9 } }\n',
  });
  const args = ['policies', 'recommend', 'mail', '--since', '1d', '--false-timeouts', '10%'];
  const { stdout, exitCode } = await runMain([...args, '--json'], { store, clock, directory });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    recoveries: 50,
    fragment: expect.stringContaining('    attempt_timeout: 0.04\n'),
    attempt_timeout: {
      timeout_ms: 40,
      reason: 'at most 10 % of 100 successes took longer',
      successes: 100,
    },
  });
});

test('fewer than 50 recoveries are refused', async () => {
  expect(await setUp(outagesText(30))('mail')).toMatchObject({
    exitCode: 4,
    stdout: '',
    stderr: expect.stringMatching(/has 30 recoveries of mail, and a recommendation needs 50/),
  });
});

test('a wrong cost or share is a wrong command line, and an unknown policy is not found', async () => {
  const run = setUp(outagesText(1));
  for (const args of [
    ['--cost-per-attempt', '1'],
    ['--cost-per-attempt', '0', '--cost-per-second', '1'],
    ['--cost-per-attempt', '1', '--cost-per-second', 'x'],
    ['--false-timeouts', '5'],
    ['--false-timeouts', '50%'],
  ]) {
    expect(await run('mail', ...args), args.join(' ')).toMatchObject({ exitCode: 2, stdout: '' });
  }
  expect(await run('nothing')).toMatchObject({ exitCode: 3 });
});
