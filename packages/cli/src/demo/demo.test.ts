import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { memoryStore } from '@redrive/durable';
import { pauseWork } from '@redrive/durable/control';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import type { StopSignal } from '../terminal/signals.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

function setUp() {
  const clock = virtualClock({ startMs: Date.UTC(2027, 0, 31, 8), monotonicMs: 7_000 });
  const store = memoryStore({ clock });
  const directory = scratchDirectory(onTestFinished);
  return { clock, store, directory };
}

/** Runs the demo, and lets virtual time pass until it has ended. */
async function playDemo(
  { clock, store, directory }: ReturnType<typeof setUp>,
  args: readonly string[] = [],
) {
  const begun = Promise.withResolvers<void>();
  const ran = runMain(['start', '--demo', ...args], {
    clock,
    store,
    directory,
    onStdout: () => begun.resolve(),
  });
  // Loading its code takes real time, in which no virtual time may pass.
  await begun.promise;
  return pass(clock, ran);
}

async function pass<T>(clock: ReturnType<typeof virtualClock>, ran: Promise<T>): Promise<T> {
  let ended = false;
  void ran.finally(() => {
    ended = true;
  });
  for (let steps = 0; !ended && steps < 6_000; steps++) await clock.advance(10);
  return ran;
}

test('in a pipe: attempts, waits, a breaker, rate limits and dead letters, and then it ends', async () => {
  const place = setUp();
  const { clock, store } = place;
  const startMs = clock.now();
  const { exitCode, stdout, stderr } = await playDemo(place);
  // The first line is the address to open.
  expect(stdout).toMatch(ADDRESS);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(clock.now() - startMs).toBeLessThan(20_000);
  for (const [what, within] of [
    [/mail \S+ Retry scheduled: attempt 2 in .* \(retryable_error\): connection reset/, 10],
    [/mail \S+ Retry succeeded: attempt [23]/, 10],
    [/Circuit breaker of bank: closed to open/, 10],
    [/Circuit breaker of bank: half_open to closed/, 15],
    [/search \S+ Retry scheduled: .*\(rate_limited\): 429 Too Many Requests/, 10],
    [/import \S+ Given up \(final_error\): redrive-demo\.csv does not exist/, 10],
    [/report \S+ Gave up after 3 of 3 attempts/, 10],
  ] as const) {
    const line = stdout.split('\n').find((each) => what.test(each));
    expect(line, String(what)).toBeDefined();
    const second = Number(line?.slice(6, 8));
    expect(second, String(what)).toBeLessThan(within);
  }
  expect(stdout).toContain('runs until all jobs are done, because its output is not a terminal');
  expect(stdout).toContain('Try this, in this directory:');
  expect(stdout).toContain('requeue: the next start runs it');
  expect(stdout).not.toContain('\x1b');
  const counts = await store.counts();
  const left = counts.groups.filter(({ state }) => state !== 'succeeded' && state !== 'dead');
  expect(left).toEqual([]);
});

test('what it tells to try works, and the dead come back to life', async () => {
  const place = setUp();
  const { clock, store, directory } = place;
  const { stdout } = await playDemo(place);
  expect(stdout).toMatch(/^ +touch redrive-demo\.csv +remove the cause$/m);
  const commands = [...stdout.matchAll(/npx redrive ([^;\n]+?)(?: {2,}|$)/gm)].map(
    ([, words = '']) => words.trim().split(' '),
  );
  expect(commands.map(([group, verb]) => `${group} ${verb}`)).toEqual([
    'dlq list',
    'dlq show',
    'dlq requeue',
    'audit verify',
  ]);
  writeFileSync(join(directory, 'redrive-demo.csv'), '');
  for (const args of commands) {
    expect(await runMain(args, { clock, store }), args.join(' ')).toMatchObject({
      exitCode: 0,
    });
  }
  const id = commands[2]?.[2] ?? '';
  expect((await store.job(id))?.state).toBe('ready');
  const second = await playDemo(place);
  expect(second.stdout).toContain('The demo continues with 1 job from before');
  expect((await store.job(id))?.state).toBe('succeeded');
});

test('the password of its store is not shown', async () => {
  const { stdout } = await playDemo(setUp(), ['--store', 'postgres://me:secret@host/db']);
  expect(stdout).toMatch(/^ +export REDRIVE_STORE=postgres:\/\/\*\*\*@host\/db$/m);
  expect(stdout).not.toContain('secret');
});

/** The demo on a terminal of this size, until Ctrl-C. */
const ADDRESS = /^http:\/\/127\.0\.0\.1:\d+\/#code=[\w-]{43}\n/;

async function playLive(columns: number, rows: number) {
  const { clock, store, directory } = setUp();
  let send: (signal: StopSignal) => void = () => {};
  let printed = '';
  const ran = runMain(['start', '--demo', '--health-port', 'off'], {
    clock,
    store,
    directory,
    stream: { isTTY: true, columns, rows },
    onStdout: (text) => {
      printed += text;
    },
    onSignals: (sender) => {
      send = sender;
    },
  });
  await clock.advance(3_000);
  return {
    clock,
    store,
    /** Each as its lines, without the codes that move the cursor and clear a line. */
    pictures: () => printed.replace(ADDRESS, '').split('\x1b[0J').slice(0, -1).map(linesOf),
    up: () => [...printed.matchAll(/\[(\d+)A/g)].map(([, lines]) => Number(lines)),
    stop: async () => {
      send('SIGINT');
      const ended = await pass(clock, ran);
      return { ...ended, end: linesOf(ended.stdout.split('\x1b[0J').slice(-2).join('')) };
    },
  };
}

function linesOf(picture: string): string[] {
  return stripVTControlCharacters(picture).replaceAll('\r', '').trimEnd().split('\n');
}

test.each([
  [80, 24],
  [80, 40],
  [120, 30],
])('on a terminal of %i columns and %i rows nothing is cut', async (columns, rows) => {
  const { clock, pictures, up, stop } = await playLive(columns, rows);
  await clock.advance(6_000);
  const drawn = pictures();
  expect(drawn.length).toBeGreaterThan(8);
  for (const lines of drawn) {
    expect(lines.length).toBeLessThan(rows);
    for (const line of lines) {
      expect(line).not.toContain('…');
      expect(line.length).toBeLessThanOrEqual(columns);
    }
  }
  // Each goes back over exactly the lines of the one before.
  expect(up()).toEqual(drawn.slice(0, -1).map(({ length }) => length));
  const { stdout } = await stop();
  expect(stdout).not.toContain('…');
});

test('on a terminal it draws in place, goes on until Ctrl-C, and a second start continues', async () => {
  const { clock, store, pictures, stop } = await playLive(100, 30);
  const last = pictures().at(-1)?.join('\n') ?? '';
  expect(last).toMatch(/^Redrive demo .*\nhttp:\/\/127\.0\.0\.1:\d+\/#code=/);
  expect(last).toMatch(/payment .*\d+ .*bank down: breaker opens/);
  expect(last).toMatch(/circuit breaker of the bank: (open|half_open) after \d+ failures/);
  expect(last).toContain('Try this in another terminal, in this directory, while the demo runs:');
  expect(last).toContain('npx redrive dlq list');
  expect(last).toContain('requeue: it runs at once');
  expect(last).toContain('Ctrl-C stops it');
  // A command in another terminal shows its effect here.
  const actor = { name: 'test' };
  await pauseWork(store, { scope: 'queue', name: 'default', actor });
  await clock.advance(400);
  expect(pictures().at(-1)?.join('\n')).toContain('paused: npx redrive queues resume default');
  const { exitCode, end } = await stop();
  expect(exitCode).toBe(0);
  const text = end.join('\n');
  expect(text).toMatch(/Stopped: \d+ jobs wait in the store, and the next start continues\n/);
  expect(text).not.toContain('another terminal');
  expect(text).not.toContain('Ctrl-C');
  expect(text).toContain('Try this, in this directory:');
  expect(text).toMatch(/npx redrive dlq requeue \S+ +requeue: the next start runs it/);
  expect(clock.pendingTimers).toBe(0);
  const waiting = (await store.counts()).groups.filter(
    ({ state }) => state === 'scheduled' || state === 'ready',
  );
  expect(waiting.length).toBeGreaterThan(0);
});

test('a dangling symbolic link in place of the file of the demo is refused, and its target is not created', async () => {
  const directory = scratchDirectory(onTestFinished);
  const target = join(directory, 'elsewhere.db');
  symlinkSync(target, join(directory, 'redrive-demo.db'));
  const { exitCode, stderr } = await runMain(['start', '--demo'], { directory });
  expect(stderr).toContain('redrive-demo.db is a symbolic link to a file that does not exist.');
  expect(exitCode).not.toBe(0);
  expect(existsSync(target)).toBe(false);
}, 30_000);
