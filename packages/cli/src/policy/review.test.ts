import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jobsOn, memoryStore } from '@redrive/durable';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { RECORDED_POLICIES, recordingText } from '../testing/recording-text.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

test('policies review prints the table and findings with the next command; --fail-on ends with 9', async () => {
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml': `version: "1.1.0"\npolicies:${RECORDED_POLICIES}`,
  });
  writeFileSync(join(directory, 'recording.jsonl'), recordingText());
  const run = (...args: string[]) =>
    runMain(['policies', 'review', ...args, '--recording', '.'], { directory });
  const all = await run();
  expect(all).toMatchObject({ exitCode: 0, stderr: '' });
  expect(all.stdout).toMatch(/\nmail +- +220 +260 +90\.9 % +1\.18 +90\.9 %\n/);
  expect(all.stdout.replaceAll(/\s+/g, ' ')).toContain(
    'unused_policy patient: no session has it. Next: redrive policies show patient',
  );
  expect((await run('mail')).stdout).toContain('\nNo findings.\n');
  expect(await run('--fail-on', 'unused_policy')).toMatchObject({ exitCode: 9 });
  expect(await run('--fail-on', 'nothing')).toMatchObject({ exitCode: 2 });
  const stopped = await runMain(
    ['policies', 'review', '--fail-on', 'unused_policy', '--recording', '.'],
    { directory, onSignals: (send) => send('SIGINT') },
  );
  expect(stopped.exitCode, 'a part of the data after Ctrl-C').toBe(130);
});

test('policies review names a policy without an id by the beginning of its hash; --json has all of it', async () => {
  const clock = virtualClock({ startMs: Date.parse('2027-01-31T08:00:00Z') });
  const store = memoryStore({ clock });
  const handlers = { mail: { policy: { maxAttempts: 2 }, run: () => 'sent' } };
  const jobs = jobsOn(store, handlers, { clock, log: 'off' });
  await jobs.enqueue('mail', null);
  await jobs.start();
  await clock.advance(1_000);
  const stopped = jobs.stop();
  await clock.advance(1_000);
  await stopped;
  const run = (...args: string[]) =>
    runMain(['policies', 'review', ...args], {
      store,
      clock,
      directory: scratchDirectory(onTestFinished),
    });
  const { policies } = JSON.parse((await run('--json')).stdout);
  expect(policies).toMatchObject([
    { policy: expect.stringMatching(/^[0-9a-f]{64}$/), sessions: 1 },
  ]);
  expect((await run()).stdout).toContain(`\n${policies[0].policy.slice(0, 12)}  -  `);
});
