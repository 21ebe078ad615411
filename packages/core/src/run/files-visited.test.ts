import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** In a process of its own, from the sources as they are: the modules of a test run have functions for their exports. */
const program = `
  import { Session } from 'node:inspector/promises';
  import { retry } from '${new URL('../index.ts', import.meta.url)}';
  const session = new Session();
  session.connect();
  const flaky = ({ attempt }) => (attempt < 3 ? Promise.reject(new Error('down')) : 'up');
  await retry(flaky, { baseDelayMs: 1 });
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true });
  await retry(flaky, { baseDelayMs: 1 });
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const ran = ({ functions }) => functions.some(({ ranges }) => ranges[0].count > 0);
  const files = result.filter(ran).map(({ url }) => url.split('/core/src/')[1]);
  console.log(JSON.stringify(files.filter(Boolean).sort()));
`;

it('a call that fails twice visits fourteen files, and the tables of errors', async () => {
  const node = promisify(execFile);
  const { stdout } = await node(process.execPath, ['--input-type=module', '-e', program]);
  const files = JSON.parse(stdout).filter((file: string) => !file.startsWith('classify/tables/'));
  expect(files).toEqual([
    'backoff/delay.ts',
    'classify/classify-status.ts',
    'classify/classify.ts',
    'classify/error-facts.ts',
    'classify/known-errors.ts',
    'classify/matcher.ts',
    'classify/vendor-hints.ts',
    'clock/alarm.ts',
    'clock/system-clock.ts',
    'decide/decide-call.ts',
    'policy/define-policy.ts',
    'random/session-random.ts',
    'run/retry.ts',
    'run/session.ts',
  ]);
});
