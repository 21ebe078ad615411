import { isRedriveError } from '@redrive/core';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { JobContext } from '../handler/job-context.ts';
import { jobContext } from '../testing/job-context.ts';
import { scriptPlace } from '../testing/shell-scripts.ts';
import { type CommandOptions, commandHandler } from './command-handler.ts';

/** Runs a shell script as the command of a job. */
async function run(
  text: string,
  payload: unknown = null,
  context: Partial<JobContext> = {},
  options: Partial<CommandOptions> = {},
): Promise<unknown> {
  const { script } = scriptPlace(onTestFinished);
  const handler = commandHandler({ command: script(text), ...options });
  return handler.run(payload, jobContext(context));
}

describe('the input of a command', () => {
  it('has the payload as JSON on stdin', async () => {
    const payload = { to: 'ä@example.org', n: [1, null], nested: { quote: '"\n' } };
    expect(await run('cat', payload)).toEqual(payload);
  });

  it('has bytes on stdin as they are', async () => {
    const payload = Uint8Array.of(0, 255, 10, 128);
    expect(await run('od -An -tu1 | tr -d "\\n "', payload)).toBe('025510128');
  });

  it('has nothing on stdin where there is no payload', async () => {
    const { script } = scriptPlace(onTestFinished);
    const handler = commandHandler({ command: script('wc -c') });
    expect(await handler.run(undefined, jobContext())).toBe(0);
  });

  it('may leave its input unread', async () => {
    expect(await run('exec 0<&-; echo 1', 'x'.repeat(1_000_000))).toBe(1);
  });

  it('gets job, attempt, token, key and deadline in its environment', async () => {
    const clock = virtualClock({ startMs: Date.parse('2026-01-29T12:00:00Z') });
    const context = {
      jobId: 'job_7',
      attempt: 3,
      token: 12,
      idempotencyKey: 'order-1',
      deadlineMs: Date.UTC(2026, 0, 29, 12, 1, 30),
    };
    const names = ['JOB_ID', 'ATTEMPT', 'TOKEN', 'IDEMPOTENCY_KEY', 'DEADLINE'];
    const text = names.map((name) => `echo "$REDRIVE_${name}"`).join('\n');
    expect(await run(text, null, context, { clock })).toBe(
      'job_7\n3\n12\norder-1\n2026-01-29T12:01:30.000Z\n',
    );
  });

  it('has no deadline where there is none, whatever the worker was started with', async () => {
    process.env.REDRIVE_DEADLINE = 'somebody else’s';
    onTestFinished(() => {
      delete process.env.REDRIVE_DEADLINE;
    });
    expect(await run('env | grep -c REDRIVE_DEADLINE || true')).toBe(0);
  });

  it('has the worker’s environment, and its own on top', async () => {
    process.env.REDRIVE_TEST_A = 'a';
    process.env.REDRIVE_TEST_B = 'b';
    onTestFinished(() => {
      delete process.env.REDRIVE_TEST_A;
      delete process.env.REDRIVE_TEST_B;
    });
    const env = { REDRIVE_TEST_B: 'mine' };
    expect(await run('echo $REDRIVE_TEST_A $REDRIVE_TEST_B', null, {}, { env })).toBe('a mine\n');
  });

  it('runs in its directory, with its arguments as they are', async () => {
    const { directory, script } = scriptPlace(onTestFinished);
    const command = [...script('printf "%s|" "$PWD" "$@"'), '$HOME; a b', '*'];
    const { run } = commandHandler({ command, cwd: directory });
    expect(await run(null, jobContext())).toMatch(/\/redrive-command-\w+\|\$HOME; a b\|\*\|$/);
  });
});

describe('a command handler', () => {
  it('keeps the options of any handler', () => {
    const options = { policy: 'runs.default', concurrency: 2, dependency: 'images' };
    expect(commandHandler({ command: ['true'], ...options })).toMatchObject(options);
  });

  it('refuses wrong options, all at once', () => {
    const wrong = {
      command: [],
      cwd: '',
      timeoutMs: 0,
      killAfterMs: -1,
    };
    expect(problemsOf(wrong)).toEqual(['cwd', 'timeoutMs', 'killAfterMs', 'command']);
    expect(problemsOf({ command: [''] })).toEqual(['command']);
    // The worker would not wait for its end.
    expect(problemsOf({ command: ['ok'], killAfterMs: 1_501 })).toEqual(['killAfterMs']);
    expect(problemsOf({ command: ['ok'], killAfterMs: 1_500 })).toEqual([]);
    expect(problemsOf({ command: undefined })).toEqual(['command']);
    expect(problemsOf({ command: ['ok', 1] })).toEqual(['command']);
    expect(problemsOf({ command: ['ok'], env: { A: 1 } })).toEqual(['env']);
    expect(problemsOf({ command: ['ok'], env: null })).toEqual([]);
    expect(problemsOf({ command: ['ok'], env: 'A=1' })).toEqual(['env']);
  });
});

function problemsOf(options: object): unknown[] {
  try {
    // What JavaScript would pass.
    commandHandler(options as CommandOptions);
    return [];
  } catch (error) {
    if (!isRedriveError(error, 'invalid_option')) throw error;
    return (error.details.problems as { field: string }[]).map(({ field }) => field);
  }
}
