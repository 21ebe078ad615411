import { type Clock, RedriveError } from '@redrive/core';
import { countAbortListeners, expectNoTimers, virtualClock } from '@redrive/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { jobContext } from '../testing/job-context.ts';
import { scriptPlace } from '../testing/shell-scripts.ts';
import { commandHandler } from './command-handler.ts';
import { runProgram } from './run-program.ts';

/** A command that runs, with everything to stop it and to see its end. */
function started(text: (pipe: string) => string, options: { timeoutMs?: number } = {}) {
  const clock = virtualClock();
  const controller = new AbortController();
  const { script, sign } = scriptPlace(onTestFinished);
  const pipe = sign();
  const handler = commandHandler({ command: script(text(pipe.path)), clock, ...options });
  const listeners = { exit: process.listenerCount('exit') };
  const end = Promise.resolve(handler.run(null, jobContext({ signal: controller.signal })));
  end.catch(() => {});
  return {
    clock,
    controller,
    end,
    ...pipe,
    /** Nothing of it is left: no timer, no listener, no process. */
    async expectNothingLeft() {
      await pipe.closed;
      expectNoTimers(clock);
      expect(countAbortListeners(controller.signal)).toBe(0);
      expect(process.listenerCount('exit')).toBe(listeners.exit);
    },
  };
}

/** Keeps the pipe open in itself and in a child, and waits for ever. */
const waits = (pipe: string) => `exec 3>${pipe}; sleep 1000 & echo ready >&3; wait`;
/** The same, but asking politely does not help. */
const ignoresTerm = (pipe: string) =>
  `trap '' TERM; exec 3>${pipe}; sleep 1000 & echo ready >&3; while :; do wait; done`;

describe('a command whose signal aborts', () => {
  it('is killed with its children', async () => {
    const { opened, controller, end, expectNothingLeft } = started(waits);
    await opened;
    const reason = new RedriveError('lease_lost', 'gone');
    controller.abort(reason);
    await expect(end).rejects.toBe(reason);
    await expectNothingLeft();
  });

  it('is killed by force when it does not listen', async () => {
    const { opened, controller, end, clock, expectNothingLeft } = started(ignoresTerm);
    await opened;
    controller.abort(new Error('stop'));
    await clock.advance(999);
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(1);
    await expect(end).rejects.toThrow('stop');
    await expectNothingLeft();
  });

  it('loses its children by force when only they do not listen', async () => {
    const { opened, controller, end, expectNothingLeft } = started(
      (pipe) =>
        `exec 3>${pipe}; (trap '' TERM; echo ready >&3; while :; do sleep 1000; done) & wait`,
    );
    await opened;
    controller.abort(new Error('stop'));
    await expect(end).rejects.toThrow('stop');
    await expectNothingLeft();
  });

  it('has not succeeded, even if it exits with 0', async () => {
    const { opened, controller, end, expectNothingLeft } = started(
      (pipe) =>
        `trap 'exit 0' TERM; exec 3>${pipe}; echo ready >&3; while :; do sleep 1000 & wait; done`,
    );
    await opened;
    controller.abort(new Error('stop'));
    await expect(end).rejects.toThrow('stop');
    await expectNothingLeft();
  });

  it('is not started when the signal has aborted before', async () => {
    const { directory } = scriptPlace(onTestFinished);
    const { run } = commandHandler({ command: ['touch', 'ran'], cwd: directory });
    const signal = AbortSignal.abort(new Error('early'));
    await expect(run(null, jobContext({ signal }))).rejects.toThrow('early');
    await expect(
      commandHandler({ command: ['cat', 'ran'], cwd: directory }).run(null, jobContext()),
    ).rejects.toThrow('exit code 1');
  });
});

describe('the timeout of a command', () => {
  it('kills it, and is an attempt_timeout', async () => {
    const { opened, end, clock, expectNothingLeft } = started(waits, { timeoutMs: 5_000 });
    await opened;
    await clock.advance(4_999);
    expect(clock.nextTimerInMs).toBe(1);
    await clock.advance(1);
    await expect(end).rejects.toMatchObject({
      code: 'attempt_timeout',
      message: expect.stringMatching(
        /^The command \/.* took longer than 5000 ms and was killed\.$/,
      ),
    });
    await expectNothingLeft();
  });

  it('is forgotten when the program has exited before', async () => {
    const { end, expectNothingLeft } = started((pipe) => `echo ready >${pipe}; echo 1`, {
      timeoutMs: 5_000,
    });
    expect(await end).toBe(1);
    await expectNothingLeft();
  });
});

describe('a command that has exited', () => {
  it('takes the children along that it has left behind', async () => {
    const { end, expectNothingLeft } = started(
      (pipe) => `exec 3>${pipe}; (trap '' TERM; sleep 1000) & echo '"done"'`,
    );
    expect(await end).toBe('done');
    await expectNothingLeft();
  });

  it('is not waited for when somebody outside its group has its output open', async () => {
    const clock = virtualClock();
    const timerSet = Promise.withResolvers<void>();
    const watched: Clock = {
      ...clock,
      setTimer(delayMs, wake) {
        timerSet.resolve();
        return clock.setTimer(delayMs, wake);
      },
    };
    const { script, sign } = scriptPlace(onTestFinished);
    const pipe = sign();
    // It waits until the other one has left its group: otherwise that one would be killed with it.
    const leaves = `setsid sh -c 'echo $$ >&3; echo >"$0.left"; exec sleep 1000' "$0" 3>${pipe.path}`;
    const command = script(`mkfifo "$0.left"; ${leaves} & read -r _ <"$0.left"; echo 1`);
    const end = commandHandler({ command, clock: watched }).run(null, jobContext());
    const pid = Number(await pipe.opened);
    await timerSet.promise;
    await clock.advance(500);
    expect(await end).toBe(1);
    process.kill(pid, 'SIGKILL');
    await pipe.closed;
  });
});

describe('the exit of the worker', () => {
  it('kills programs that still run', async () => {
    const before = new Set(process.listeners('exit'));
    const { opened, end, expectNothingLeft } = started(ignoresTerm);
    await opened;
    const [onExit, ...others] = process.listeners('exit').filter((one) => !before.has(one));
    expect(others).toEqual([]);
    onExit?.call(process, 0);
    await expect(end).rejects.toMatchObject({ code: 'SIGKILL' });
    await expectNothingLeft();
  });
});

describe('the signal of a program', () => {
  it('has no listener any more when the program has exited', async () => {
    const { signal } = new AbortController();
    const end = await runProgram({
      command: ['true'],
      cwd: '/',
      env: process.env,
      stdin: '',
      maxStdoutBytes: 1,
      maxStderrBytes: 1,
      signal,
      killAfterMs: 0,
      clock: virtualClock(),
    });
    expect(end).toMatchObject({ exitCode: 0 });
    expect(countAbortListeners(signal)).toBe(0);
  });
});

describe('much output', () => {
  it('does not fill the memory: 256 MiB on stdout and on stderr', async () => {
    const { script } = scriptPlace(onTestFinished);
    const print = (bytes: number) => {
      const text = `head -c ${bytes} /dev/zero; head -c ${bytes} /dev/zero >&2`;
      return commandHandler({ command: script(text) }).run(null, jobContext());
    };
    // The engine lets some 64 MB of used buffers gather before it looks at them, and then uses that room again.
    await print(64 * 1_048_576);
    const before = process.memoryUsage().rss;
    const bytes = 256 * 1_048_576;
    expect(await print(bytes)).toMatchObject({ redrive: 'output_too_large', bytes });
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1_048_576);
  });
});
