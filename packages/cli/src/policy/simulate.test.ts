import { virtualClock } from '@redrive/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const simulateText = (text: string, ...args: string[]) =>
  runMain(['policy', 'simulate', 'mine.yaml', ...args], {
    directory: scratchDirectory(onTestFinished, { 'mine.yaml': text }),
  });

const simulate = (...args: string[]) => runMain(['policy', 'simulate', ...args]);

const SCENE = `
name: mine
description: A dependency that is down for ten seconds.
arrivals: { rate: 10, for: 60, spacing: even }
dependency: { capacity: 100, outages: [{ from: 10, for: 10 }] }
callers:
  layers:
    - { max_attempts: 3, backoff_type: fixed, base_delay: 1, max_delay: 1 }
`;

test('a scene of a file, as text: the median and the quartiles', async () => {
  const { exitCode, stdout } = await simulateText(SCENE, '--seeds', '3');
  expect(exitCode).toBe(0);
  expect(stdout.split('\n').slice(0, 2)).toEqual([
    'mine',
    'A dependency that is down for ten seconds. 3 seeds.',
  ]);
  expect(stdout).toMatch(/^sessions +600$/m);
  expect(stdout).toMatch(/^given up +80$/m);
  expect(stdout).toMatch(/^95 % goodput after +0$/m);
  expect(stdout).toMatch(/^attempts .*max \d+$/m);
});

test('the same scene gives the same bytes twice, as JSON too', async () => {
  const first = await simulateText(SCENE, '--seeds', '2', '--json');
  const second = await simulateText(SCENE, '--seeds', '2', '--json');
  expect(second.stdout).toBe(first.stdout);
  expect(JSON.parse(first.stdout)).toMatchObject({
    scene: 'mine',
    seeds: 2,
    cut: 0,
    figures: { sessions: { q1: 600, median: 600, q3: 600 } },
    series: { step_ms: 1_000 },
  });
});

test('JSON is YAML, and a layer may name a policy of the configuration', async () => {
  const scene = { arrivals: { at_once: 2 }, callers: { layers: ['runs.default'] } };
  const { exitCode, stdout } = await simulateText(JSON.stringify(scene), '--seeds', '1');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^succeeded +2$/m);
});

describe('exit codes', () => {
  test('1: the scene is not valid; every problem stands on stderr with its path', async () => {
    const wrong = SCENE.replace('rate: 10', 'rate: -1').replace('max_attempts', 'max_atempts');
    const { exitCode, stderr, stdout } = await simulateText(wrong);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain('arrivals.rate: it must be a number above 0');
    expect(stderr).toContain(
      'callers.layers[0].max_atempts: it is unknown (did you mean max_attempts?)',
    );
  });

  test('1: the file is no YAML, or larger than 256 KiB', async () => {
    const broken = await simulateText('a: [1, 2');
    expect(broken.exitCode).toBe(1);
    const large = await simulateText(`# ${'x'.repeat(256 * 1024)}`);
    expect(large.exitCode).toBe(1);
    expect(large.stderr).toContain('256 KiB');
  });

  test('3: no file and no scene has that name', async () => {
    const { exitCode, stderr } = await simulate('hird');
    expect(exitCode).toBe(3);
    expect(stderr).toContain('Did you mean "herd"?');
  });

  test('2: the number of seeds is out of bounds', async () => {
    expect((await simulate('herd', '--seeds', '1001')).exitCode).toBe(2);
  });

  test('130: Ctrl-C ends it, with the results so far', async () => {
    let runs = 0;
    let send: ((signal: 'SIGINT') => void) | undefined;
    const clock = virtualClock();
    const passing = {
      ...clock,
      // Time passes by itself, and after the second run somebody presses Ctrl-C.
      setTimer: (delayMs: number, wake: () => void) => {
        runs += 1;
        if (runs === 4) send?.('SIGINT');
        queueMicrotask(wake);
        return clock.setTimer(delayMs, () => {});
      },
    };
    const { exitCode, stdout, stderr } = await runMain(
      ['policy', 'simulate', 'herd', '--seeds', '50'],
      {
        clock: passing,
        onSignals: (sender) => {
          send = sender;
        },
      },
    );
    expect(exitCode).toBe(130);
    expect(stdout).toMatch(/\d seeds?\./);
    expect(stderr).toMatch(/Stopped: the results are of \d of 50 seeds/);
  });
});
