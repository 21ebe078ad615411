import type { Policy } from '@redrive/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { scriptPlace } from '../testing/shell-scripts.ts';
import { commandHandler } from './command-handler.ts';

const policy: Policy = { maxAttempts: 3, baseDelayMs: 1, jitter: 'none' };

/** Jobs whose handler is a shell script. */
async function working(text: string, more: Policy = {}) {
  const { script } = scriptPlace(onTestFinished);
  const store = memoryStore();
  const command = commandHandler({ command: script(text), policy: { ...policy, ...more } });
  const jobs = jobsOn(store, { command });
  await jobs.start();
  onTestFinished(() => jobs.stop({ mode: 'release' }));
  /** Runs one job to its end: how it ended, and how each attempt did. */
  async function outcome(payload: unknown = null) {
    const { id } = await jobs.enqueue('command', payload);
    await jobs.wait(id).catch(() => {});
    const job = (await jobs.job(id)) ?? expect.fail('no job');
    return {
      state: job.state,
      reason: job.reason,
      result: job.result,
      attempts: job.attempts.kept.map(({ entry, errorClass, error }) =>
        [entry, errorClass, error?.message].filter((one) => one !== undefined).join(': '),
      ),
    };
  }
  return { jobs, outcome };
}

describe('a job that is a command', () => {
  it('is tried again until it exits with 0, and keeps the message of each attempt', async () => {
    const { outcome } = await working(
      'test "$REDRIVE_ATTEMPT" -ge 3 || { echo "not in attempt $REDRIVE_ATTEMPT" >&2; exit 1; }; cat',
    );
    expect(await outcome({ n: 1 })).toEqual({
      state: 'succeeded',
      reason: 'succeeded',
      result: '{"n":1}',
      attempts: [
        'failed: retryable: not in attempt 1 (exit code 1)',
        'failed: retryable: not in attempt 2 (exit code 1)',
        'succeeded',
      ],
    });
  });

  it('is dead after the first final exit', async () => {
    const { outcome } = await working('echo wrong data >&2; exit 65');
    expect(await outcome()).toEqual({
      state: 'dead',
      reason: 'final_error',
      result: undefined,
      attempts: ['failed: final: wrong data (exit code 65)'],
    });
  });

  it('is dead when its attempts are used up', async () => {
    const { outcome } = await working('kill -SEGV $$');
    expect(await outcome()).toMatchObject({
      reason: 'max_attempts_exceeded',
      attempts: Array(3).fill(
        'failed: retryable: The command wrote nothing to stderr (killed by SIGSEGV)',
      ),
    });
  });

  it('waits for free where it says for how long, and pays where it does not', async () => {
    const hinted = await working(
      `test "$REDRIVE_ATTEMPT" -ge 6 || { echo '{"retry_after_ms": 1}'; exit 75; }`,
    );
    expect(await hinted.outcome()).toMatchObject({
      state: 'succeeded',
      attempts: [
        ...Array(5).fill(
          'rate_limited: rate_limited: The command wrote nothing to stderr (exit code 75)',
        ),
        'succeeded',
      ],
    });
    const silent = await working('exit 75');
    expect(await silent.outcome()).toMatchObject({
      reason: 'max_attempts_exceeded',
      attempts: Array(3).fill(
        'failed: rate_limited: The command wrote nothing to stderr (exit code 75)',
      ),
    });
  });

  it('is killed at the timeout of its policy', async () => {
    const { outcome } = await working('sleep 1000 & wait', {
      maxAttempts: 1,
      attemptTimeoutMs: 50,
    });
    expect(await outcome()).toMatchObject({
      reason: 'max_attempts_exceeded',
      attempts: [expect.stringMatching(/^failed: retryable: .*50 ms/)],
    });
  });

  it('is killed by a stop that does not wait, and costs no attempt', async () => {
    const { script, sign } = scriptPlace(onTestFinished);
    const pipe = sign();
    const command = script(`exec 3>${pipe.path}; sleep 1000 & echo ready >&3; wait`);
    const jobs = jobsOn(memoryStore(), { command: commandHandler({ command, policy }) });
    await jobs.start();
    const { id } = await jobs.enqueue('command', null);
    await pipe.opened;
    await jobs.stop({ mode: 'release' });
    await pipe.closed;
    const job = (await jobs.job(id)) ?? expect.fail('no job');
    expect(job.state).toBe('ready');
    expect(job.account.entries).toMatchObject({ interrupted: 1, failed: 0 });
  });

  it('is killed when somebody cancels it', async () => {
    const { script, sign } = scriptPlace(onTestFinished);
    const pipe = sign();
    const command = script(`exec 3>${pipe.path}; echo ready >&3; sleep 1000`);
    const jobs = jobsOn(memoryStore(), { command: commandHandler({ command, policy }) });
    await jobs.start();
    const { id } = await jobs.enqueue('command', null);
    await pipe.opened;
    await jobs.cancel(id);
    await pipe.closed;
    await expect(jobs.wait(id)).rejects.toMatchObject({ details: { state: 'cancelled' } });
    await jobs.stop();
  });
});
