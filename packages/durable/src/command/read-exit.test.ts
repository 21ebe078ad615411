import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { classify } from '@redrive/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { final, retryAfter } from '../handler/verdict.ts';
import { jobContext } from '../testing/job-context.ts';
import { scriptPlace } from '../testing/shell-scripts.ts';
import { commandHandler } from './command-handler.ts';

const start = (command: string[], cwd?: string) =>
  Promise.resolve(commandHandler({ command, cwd }).run(null, jobContext()));

/** What a shell script ends with: its result or verdict, or what it threw. */
function exitOf(text: string): Promise<unknown> {
  return start(scriptPlace(onTestFinished).script(text)).catch((error: unknown) => error);
}

describe('exit 0', () => {
  it.each([
    ['JSON', `echo '{"a": [1, "x"]}'`, { a: [1, 'x'] }],
    ['a number', 'echo 12', 12],
    ['nothing', ':', undefined],
    ['white space', 'echo', undefined],
    ['text that is no JSON', 'echo done: 12', 'done: 12\n'],
    ['JSON with something after it', `echo '{"a": 1} {"a": 2}'`, '{"a": 1} {"a": 2}\n'],
    ['null', 'echo null', null],
    ['bytes that are no text', String.raw`printf 'a\377b'`, 'a\uFFFDb'],
  ])('with %s on stdout', async (_, text, result) => {
    expect(await exitOf(text)).toEqual(result);
  });

  it('keeps a result of 1 MiB, and of a larger one the beginning, with a mark', async () => {
    const ofLength = (bytes: number) =>
      `printf '"'; head -c ${bytes - 2} /dev/zero | tr '\\0' x; printf '"'`;
    expect(await exitOf(ofLength(1_048_576))).toBe('x'.repeat(1_048_574));
    expect(await exitOf(ofLength(1_048_577))).toEqual({
      redrive: 'output_too_large',
      bytes: 1_048_577,
      max_bytes: 1_048_576,
      start: `"${'x'.repeat(999)}…`,
    });
  });

  it('takes JSON that is too deep to be written again for a text', async () => {
    const deep = await exitOf(
      'head -c 100000 /dev/zero | tr "\\0" "["; head -c 100000 /dev/zero | tr "\\0" "]"',
    );
    expect(deep).toHaveLength(200_000);
  });

  it('sets no prototype', async () => {
    const result = await exitOf(`echo '{"__proto__": {"polluted": true}}'`);
    expect(Object.keys(Object(result))).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });
});

describe('any other exit', () => {
  it.each([64, 65, 66, 77, 78, 126, 127])('%i is final', async (code) => {
    expect(await exitOf(`echo no use >&2; exit ${code}`)).toEqual(
      final(`no use (exit code ${code})`),
    );
  });

  it.each([
    ['1', 'EXIT_1'],
    ['63', 'EXIT_63'],
    ['67', 'EXIT_67'],
    ['76', 'EXIT_76'],
    ['79', 'EXIT_79'],
    ['125', 'EXIT_125'],
    ['128', 'EXIT_128'],
    ['255', 'EXIT_255'],
  ])('%s is retryable', async (exit, code) => {
    const error = await exitOf(`echo try again >&2; exit ${exit}`);
    expect(error).toMatchObject({
      name: 'CommandError',
      code,
      message: `try again (exit code ${exit})`,
    });
    expect(classOf(error)).toEqual({ errorClass: 'retryable', effect: 'unknown' });
  });

  it.each(['KILL', 'SEGV', 'TERM'])('SIG%s is retryable', async (signal) => {
    const error = await exitOf(`echo half a line >&2; kill -${signal} $$`);
    expect(error).toMatchObject({
      code: `SIG${signal}`,
      message: `half a line (killed by SIG${signal})`,
    });
    expect(classOf(error).errorClass).toBe('retryable');
  });

  it('without a word on stderr says so', async () => {
    expect(await exitOf('exit 3')).toMatchObject({
      message: 'The command wrote nothing to stderr (exit code 3)',
    });
  });
});

describe('exit 75', () => {
  it('with a hint on stdout asks for that time', async () => {
    expect(await exitOf(`echo '{"retry_after_ms": 1500}'; echo busy >&2; exit 75`)).toEqual(
      retryAfter(1_500, 'busy (exit code 75)'),
    );
    expect(await exitOf(`echo '{"retry_after_ms": 0}'; exit 75`)).toMatchObject({ delayMs: 0 });
  });

  it.each(['', 'later', '75', 'null', '{}', '{"retry_after_ms": "9"}', '{"retry_after_ms": -1}'])(
    'with "%s" on stdout is a rate limit without a hint',
    async (stdout) => {
      const error = await exitOf(`echo '${stdout}'; echo busy >&2; exit 75`);
      expect(error).toMatchObject({ code: 'EXIT_75', message: 'busy (exit code 75)' });
      expect(classOf(error)).toEqual({ errorClass: 'rate_limited', effect: 'none' });
    },
  );
});

describe('a program that cannot be started', () => {
  it.each([
    [
      'is not there',
      ['./not-there'],
      undefined,
      /^The command \.\/not-there was not found \(in \//,
    ],
    ['is not on the PATH', ['redrive-no-such-program'], undefined, /was not found \(in \//],
    ['has no directory', ['true'], '/no/such/directory', /^The directory \/no\/such\/directory of/],
  ])('because it %s is final', async (_, command, cwd, message) => {
    expect(await start(command, cwd)).toMatchObject({
      kind: 'final',
      message: expect.stringMatching(message),
    });
  });

  it('because it may not be executed is final', async () => {
    const { directory } = scriptPlace(onTestFinished);
    const path = join(directory, 'plain-file');
    writeFileSync(path, 'echo 1');
    chmodSync(path, 0o644);
    expect(await start([path])).toMatchObject({
      kind: 'final',
      message: expect.stringContaining('may not be executed'),
    });
  });

  it('because the machine refuses for now is thrown, to be tried again', async () => {
    const limit = Number(execFileSync('getconf', ['ARG_MAX']));
    await expect(start(['true', 'x'.repeat(limit)])).rejects.toMatchObject({ code: 'E2BIG' });
  });

  it('because of a NUL in its name is a mistake', async () => {
    const error = await start(['a\0b']).catch((thrown: unknown) => thrown);
    expect(classOf(error).errorClass).toBe('final');
  });
});

function classOf(error: unknown) {
  const { errorClass, effect, retryAfterMs } = classify(error, {}, { attempt: 1, nowMs: 0 });
  return retryAfterMs === undefined ? { errorClass, effect } : { errorClass, effect, retryAfterMs };
}
