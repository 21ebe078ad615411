import { final, type JobContext, jobsOn, memoryStore } from '@redrive/durable';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, test } from 'vitest';
import { START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';

/** A job that runs until the test ends it, and the command that follows it. */
async function running() {
  const clock = virtualClock(START);
  const store = memoryStore({ clock });
  const { promise: context, resolve: started } = Promise.withResolvers<JobContext>();
  const { promise: outcome, resolve: end } = Promise.withResolvers<unknown>();
  const run = (_payload: null, given: JobContext) => {
    started(given);
    return outcome;
  };
  const jobs = jobsOn(store, { import: run }, { clock, worker: 'worker-1', log: 'off' });
  await jobs.start();
  const { id } = await jobs.enqueue('import', null);
  await clock.advance(1_000);
  /** Resolves with the command's result as `ended`, once it has printed its first line. */
  const watch = (...more: string[]) =>
    new Promise<{ ended: ReturnType<typeof runMain> }>((resolve) => {
      const onStdout = () => resolve({ ended });
      const ended = runMain(['jobs', 'watch', id, ...more], { store, clock, onStdout });
    });
  const stop = async () => {
    const stopped = jobs.stop({ mode: 'release' });
    await clock.advance(1_000);
    await stopped;
    await store.close();
  };
  const show = () => runMain(['jobs', 'show', id], { store, clock });
  return { clock, id, context: await context, end, watch, show, stop };
}

describe('watch', () => {
  test('prints the progress of a job as it changes, and ends with the job', async () => {
    const { clock, context, end, watch, stop } = await running();
    const { ended } = await watch();
    context.progress(0.4, 'page 4 of \x1b[31m10');
    await clock.advance(20_000);
    context.progress(0.999);
    await clock.advance(12_000);
    end('done');
    await clock.advance(2_000);
    const { stdout, exitCode } = await ended;
    expect(stdout.replaceAll(/worker-1-\w+/g, 'worker-1').split('\n')).toEqual([
      '2027-01-31 08:00:01Z  running, attempt 1 on worker-1  no progress reported',
      '2027-01-31 08:00:10Z  running, attempt 1 on worker-1  ████████░░░░░░░░░░░░  40 %, page 4 of \\x1b[31m10',
      '2027-01-31 08:00:30Z  running, attempt 1 on worker-1  ███████████████████░  99 %',
      '2027-01-31 08:00:34Z  succeeded',
      '',
    ]);
    expect(exitCode).toBe(0);
    await stop();
  });

  test('exits with 1 when the job is dead, and prints one object per change with --json', async () => {
    const { clock, id, context, end, watch, stop } = await running();
    context.progress(0.5, 'half');
    const { ended } = await watch('--json');
    await clock.advance(10_000);
    end(final('no such file'));
    await clock.advance(2_000);
    const { stdout, exitCode } = await ended;
    const items = stdout.trim().split('\n');
    expect(items.map((line) => JSON.parse(line))).toMatchObject([
      { id, state: 'leased', progress: null, finished: false },
      { progress: { fraction: 0.5, note: 'half', since: '2027-01-31T08:00:01.000Z' } },
      { state: 'dead', progress: null, last_error: { message: 'no such file' }, finished: true },
    ]);
    expect(exitCode).toBe(1);
    await stop();
  });

  test('show has the progress, and for how long it has been the same', async () => {
    const { clock, context, end, show, stop } = await running();
    context.progress(0.5, 'half');
    await clock.advance(65_000);
    const { stdout } = await show();
    expect(stdout).toContain(
      'progress    ██████████░░░░░░░░░░  50 %, half, the same for 1 min 5 s\n',
    );
    end('done');
    await clock.advance(10);
    expect((await show()).stdout).not.toContain('progress');
    await stop();
  });
});
