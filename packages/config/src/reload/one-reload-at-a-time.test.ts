import { expect, it } from 'vitest';
import { oneAfterAnother } from './watch-config.ts';

function gated() {
  const log: string[] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const run = oneAfterAnother(async (name: string) => {
    log.push(`${name} begins`);
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    await gate.promise;
    log.push(`${name} ends`);
    return name;
  });
  /** Lets the running one end, and the next one begin. */
  const pass = async (settled: Promise<unknown>) => {
    gates.at(-1)?.resolve();
    await settled.catch(() => {});
    await Promise.resolve();
    await Promise.resolve();
  };
  return { log, gates, run, pass };
}

it('runs in the order of the calls, one at a time', async () => {
  const { log, run, pass } = gated();
  const [a, b] = [run('a'), run('b')];
  await Promise.resolve();
  expect(log).toEqual(['a begins']);
  await pass(a);
  expect(log).toEqual(['a begins', 'a ends', 'b begins']);
  await pass(b);
  expect(await Promise.all([a, b])).toEqual(['a', 'b']);
});

it('lets equal calls share one that has not begun, and never one that has', async () => {
  const { log, run, pass } = gated();
  const running = run('a');
  await Promise.resolve();
  const waiting = run('a');
  expect(waiting).not.toBe(running);
  for (let i = 0; i < 1_000; i++) expect(run('a')).toBe(waiting);
  await pass(running);
  await pass(waiting);
  expect(log.filter((line) => line === 'a begins')).toHaveLength(2);
});

it('goes on after a failure', async () => {
  const { gates, run, pass } = gated();
  const failing = run('a');
  const next = run('b');
  await Promise.resolve();
  gates[0]?.reject(new Error('oops'));
  await expect(failing).rejects.toThrow('oops');
  await Promise.resolve();
  await Promise.resolve();
  await pass(next);
  expect(await next).toBe('b');
});
