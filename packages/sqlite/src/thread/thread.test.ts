import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { Thread } from './thread.ts';

const main = new URL('../testing/odd-thread.ts', import.meta.url);
const events: string[] = [];
let thread: Thread | undefined;

function start(timeoutMs = 20_000, data = {}): Thread {
  const onEvent = (event: string) => events.push(event);
  const onRestart = () => events.push('restarted');
  thread = new Thread({ name: 'sqlite:x.db', main, data, timeoutMs, onEvent, onRestart });
  return thread;
}

afterEach(async () => {
  await thread?.close();
  events.length = 0;
});

describe('a thread', () => {
  it.each([
    [['--max-old-space-size=200']],
    [['--expose-gc', '--input-type=module']],
    [['--input-type=module']],
  ])('starts in a process with the flags %s', async (flags) => {
    const module = JSON.stringify(new URL('./thread.ts', import.meta.url));
    const options = `{ name: 'x', main: new URL(${JSON.stringify(main)}), data: {}, timeoutMs: 20_000 }`;
    const program = `import(${module}).then(async ({ Thread }) => {
      const thread = new Thread(${options});
      console.log(await thread.call('echo', 'started'));
      await thread.close();
    });`;
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, [...flags, '--eval', program]);
    expect(stdout).toBe('started\n');
  });

  it('answers calls in their order, and says things by itself', async () => {
    const it = start();
    const answers = [it.call('echo', [1, 'a']), it.call('tell', 'news'), it.call('echo', null)];
    expect(await Promise.all(answers)).toEqual([[1, 'a'], undefined, null]);
    expect(events).toEqual(['news']);
  });

  it('tells whose fault an error is', async () => {
    const it = start();
    await expect(it.call('fail')).rejects.toMatchObject({
      code: 'invalid_job',
      details: { isCallersFault: true },
    });
    await expect(it.call('nothing')).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  it('that dies rejects what it owes, and the next call starts another one', async () => {
    const it = start();
    await it.call('echo', 1);
    const owed = [it.call('die'), it.call('echo', 2)];
    for (const result of await Promise.allSettled(owed)) {
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { code: 'store_unavailable', details: { store: 'sqlite:x.db' } },
      });
    }
    expect(events).toEqual([]);
    expect(await it.call('echo', 3)).toBe(3);
    expect(events).toEqual(['restarted']);
  });

  it('may take longer to start than a call may take', async () => {
    const it = start(200, { startsInMs: 1_000 });
    expect(await it.call('echo', 1)).toBe(1);
  });

  it('that does not answer in time is not waited for, and its late answer goes nowhere', async () => {
    const it = start(400);
    await it.call('echo', 'started').catch(() => {});
    const slow = it.call('sleep', 1_000);
    await expect(slow).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('within 400 ms'),
    });
    await expect(it.call('echo', 1)).rejects.toMatchObject({ code: 'store_unavailable' });
    let answer: unknown;
    while (answer === undefined) answer = await it.call('echo', 2).catch(() => undefined);
    expect(answer).toBe(2);
  });

  it('does what it was asked for before it closes, and nothing afterwards', async () => {
    const it = start();
    const last = it.call('echo', 'last');
    await Promise.all([it.close(), it.close()]);
    expect(await last).toBe('last');
    await expect(it.call('echo')).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  it('that only reads and has not started is not waited for: its calls are rejected, and never begin', async () => {
    // It would take an hour.
    const data = { startsInMs: 3_600_000 };
    thread = new Thread({ name: 'sqlite:x.db', main, data, timeoutMs: 20_000, readsOnly: true });
    const owed = thread.call('echo', 1);
    await Promise.all([
      thread.close(),
      expect(owed).rejects.toMatchObject({
        code: 'store_unavailable',
        message: expect.stringContaining('it is closed'),
      }),
    ]);
  });

  it('that only reads and has started answers before it closes', async () => {
    thread = new Thread({
      name: 'sqlite:x.db',
      main,
      data: {},
      timeoutMs: 20_000,
      readsOnly: true,
    });
    await thread.call('echo', 'started');
    const last = thread.call('echo', 'last');
    await thread.close();
    expect(await last).toBe('last');
  });

  it('that was never called has nothing to close', async () => {
    await start().close();
  });

  it('that hangs is ended by force', async () => {
    const it = start(300);
    const slow = it.call('sleep', 60_000).catch(() => 'given up');
    await it.close();
    expect(await slow).toBe('given up');
  });
});
