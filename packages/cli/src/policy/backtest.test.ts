import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RecordingReader } from '@redrive/lab';
import { expect, onTestFinished, test, vi } from 'vitest';
import { outagesText, RECORDED_POLICIES, recordingText } from '../testing/recording-text.ts';
import { type RunOptions, runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

function setUp(recording = recordingText(), options: RunOptions = {}) {
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml': `version: "1.1.0"\npolicies:${RECORDED_POLICIES}`,
  });
  writeFileSync(join(directory, 'recording.jsonl'), recording);
  return (...args: string[]) =>
    runMain(['policies', 'backtest', ...args, '--recording', '.'], { directory, ...options });
}

test('a planted worse policy is reported as worse, a better one as better, with the limits', async () => {
  const run = setUp();
  const better = await run('mail', 'patient');
  expect(better).toMatchObject({ exitCode: 0, stderr: '' });
  expect(better.stdout).toMatch(/^220 sessions from 1970-01-01T00:00:00/);
  expect(better.stdout).toMatch(/\nexhausted +9\.09 % \(\+-[\d.]+\) +0\.00 % .* +-9\.09 pp/);
  const text = better.stdout.replaceAll(/\s+/g, ' ');
  expect(text).toContain('shorter outages were not seen');
  expect(text).toContain('did not change the outage');
  const worse = await run('mail', 'mail');
  expect(worse.stdout).toMatch(/\nexhausted .* \+0\.00 pp/);
});

test('--fail-if ends with the code for differs', async () => {
  const directory = setUp();
  const failIf = (condition: string) => directory('mail', 'patient', '--fail-if', condition);
  expect(await failIf('exhausted > +0.1pp')).toMatchObject({ exitCode: 0 });
  expect(await failIf('exhausted < -5pp')).toMatchObject({
    exitCode: 9,
    stderr: 'exhausted changes by -9.091pp: exhausted < -5pp\n',
  });
  expect(await failIf('latency > +10s')).toMatchObject({ exitCode: 0 });
  expect(await failIf('exhausted above 3')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--fail-if is not a condition: exhausted above 3'),
  });
});

test('after Ctrl-C it ends with 130, also if a condition holds on that part', async () => {
  let send: (signal: 'SIGINT') => void = () => {};
  const { take } = RecordingReader.prototype;
  const spy = vi.spyOn(RecordingReader.prototype, 'take').mockImplementation(function (
    this: RecordingReader,
    line,
  ) {
    take.call(this, line);
    // In the last but one of the pieces that are read.
    if (this.lines === 150) send('SIGINT');
  });
  onTestFinished(() => spy.mockRestore());
  const run = setUp(recordingText(), { onSignals: (sender) => (send = sender) });
  expect(await run('mail', 'patient', '--fail-if', 'exhausted < -5pp')).toMatchObject({
    exitCode: 130,
    stdout: expect.stringMatching(/^176 sessions/),
  });
});

test('figures whose spread is larger than themselves: too few outages to tell, and how many there are', async () => {
  const few = setUp();
  const { stdout } = await few('mail', 'patient');
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'The recording has too few outages (1) to tell about recovered, exhausted, wasted: their spread is larger than the figure itself. Use a longer recording.',
  );
  expect(JSON.parse((await few('mail', 'patient', '--json')).stdout)).toMatchObject({
    too_few_outages: { outages: 1, figures: ['recovered', 'exhausted', 'wasted'] },
  });
  const enough = setUp(outagesText(30));
  expect((await enough('mail', 'mail')).stdout).not.toContain('too few outages');
  const { stdout: json } = await enough('mail', 'mail', '--json');
  expect(JSON.parse(json)).toMatchObject({ too_few_outages: null });
});

test('--markdown is a table for a pull request', async () => {
  const { stdout } = await setUp()('mail', 'patient', '--markdown');
  expect(stdout).toMatch(/^\*\*Back-test\*\*: 220 sessions/);
  expect(stdout).toContain('|  | mail | patient | change |\n|---|---|---|---|\n');
  expect(stdout).toMatch(/\n\| exhausted \| 9\.09 % .* \| -9\.09 pp .* \|\n/);
});

test('too few sessions of the old policy are refused, with the policies that the recording has', async () => {
  expect(await setUp()('KV_GET', 'patient')).toMatchObject({
    exitCode: 4,
    stdout: '',
    stderr: expect.stringMatching(/has 0 sessions of RETRY_KV_GET.*\n.*sessions of mail\./),
  });
});

test('an unusable recording fails; malformed lines of a usable one are named', async () => {
  expect(await setUp('{"recording":"recording/v9"}\n')('mail', 'patient')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('its version is recording/v9'),
  });
  const some = await setUp(`${recordingText()}{}\n`)('mail', 'patient');
  expect(some.exitCode).toBe(0);
  expect(some.stderr).toMatch(
    /recording\.jsonl:262 dependency must be a text.*\n1 malformed lines of 261/,
  );
  expect(await setUp()('mail', 'nothing')).toMatchObject({ exitCode: 3 });
});
