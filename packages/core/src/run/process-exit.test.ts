import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';

const CORE = new URL('../index.ts', import.meta.url).href;
const MINUTES_MS = 300_000;
/** Starting Node takes a while on a busy machine; a process that is held would take minutes. */
const LIMIT_MS = 20_000;

/** Runs a program with the real clock in a process of its own: what it printed, once it has ended by itself. */
async function outputOf(program: string): Promise<string> {
  const code = `import { retry, retrySession } from ${JSON.stringify(CORE)};
    const down = () => Promise.reject(new Error('down'));
    ${program}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
  });
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  // `null`: it had to be killed.
  expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
  return stdout.trim();
}

describe.concurrent('a Node process', () => {
  it('stays for a wait', async () => {
    const output = await outputOf(`
      void retry(({ attempt }) => (attempt < 3 ? down() : console.log('attempt', attempt)),
        { baseDelayMs: 20 });`);
    expect(output).toBe('attempt 3');
  });

  it('does not stay for a wait that was told not to hold it', async () => {
    const output = await outputOf(`
      void retry(({ attempt }) => { console.log('attempt', attempt); throw new Error('down'); },
        { baseDelayMs: ${MINUTES_MS} }, { unref: true });`);
    expect(output).toBe('attempt 1');
  });

  it('does not stay for the timeouts of an attempt that has ended', async () => {
    const output = await outputOf(`
      const policy = { attemptTimeoutMs: ${MINUTES_MS}, ttlMs: ${MINUTES_MS} };
      const { signal } = new AbortController();
      await retry(() => 'up', policy, { signal });
      await retry(() => Promise.reject(new TypeError('no')), policy, { signal }).catch(() => {});
      for await (const _ of retrySession(policy, { signal })) break;
      console.log('over');`);
    expect(output).toBe('over');
  });

  it('does not stay for a wait that was aborted', async () => {
    const output = await outputOf(`
      const controller = new AbortController();
      const call = retry(down, { baseDelayMs: ${MINUTES_MS} }, { signal: controller.signal });
      setImmediate(() => controller.abort('user left'));
      await call.catch((reason) => console.log(reason));`);
    expect(output).toBe('user left');
  });

  it('stays for the timeout of an attempt that hangs', async () => {
    const output = await outputOf(`
      void retry(() => new Promise(() => {}), { attemptTimeoutMs: 20, maxAttempts: 1 })
        .catch((error) => console.log(error.cause.code));`);
    expect(output).toBe('attempt_timeout');
  });

  it('is not held by what is imported', async () => {
    expect(await outputOf(`console.log('over');`)).toBe('over');
  });
});
