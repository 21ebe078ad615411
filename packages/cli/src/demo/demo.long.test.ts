import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@redrive/core';
import { expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

// The launcher as npm links it, over what `tsc -b` has built.
const launcher = fileURLToPath(new URL('../../bin/redrive.cjs', import.meta.url));
const STORE = ['--store', 'sqlite:./redrive-demo.db'];

function startDemo(directory: string, ...args: readonly string[]) {
  const options = ['--console', '0', '--health-port', 'off', ...args];
  const child = spawn(process.execPath, [launcher, 'start', '--demo', ...options], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const closed = once(child, 'close');
  return { child, closed, printed: () => stdout, lines: () => stdout.split('\n') };
}

/** The address of the console: the first line. */
async function addressOf({ child, closed, lines }: ReturnType<typeof startDemo>): Promise<string> {
  while (lines().length < 3 && child.exitCode === null) {
    await Promise.race([once(child.stdout, 'data'), closed]);
  }
  return lines()[0] ?? '';
}

/** Asks every half second, for a minute at most. */
async function within60s(isTrue: () => Promise<boolean>): Promise<boolean> {
  const startMs = systemClock.monotonic();
  while (systemClock.monotonic() - startMs < 60_000) {
    if (await isTrue()) return true;
    await new Promise<void>((resolve) => systemClock.setTimer(500, resolve));
  }
  return false;
}

test('without a terminal it serves until it is stopped, and each rung has life within a minute', async () => {
  const directory = scratchDirectory(onTestFinished);
  const demo = startDemo(directory);
  const url = await addressOf(demo);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const command = `npx redrive console link --store sqlite:./redrive-demo.db --url ${url}`;
  expect(demo.lines()[1]).toBe(`Sign in with the address that this prints: ${command}`);
  const words = command.replace('npx redrive ', '').split(' ');
  const link = await runMain(words, { directory });
  expect(link.stdout).toMatch(new RegExp(`^${url}/#code=`));

  const made = await runMain(['tokens', 'create', '--role', 'viewer', ...STORE], {
    directory,
  });
  const headers = { authorization: `Bearer ${made.stdout.trim()}` };
  const ask = async (path: string) => (await fetch(`${url}/v1/${path}`, { headers })).json();
  const rungs: Readonly<Record<string, () => Promise<boolean>>> = {
    call: async () => {
      const { records } = await ask('audit?event=session&limit=100');
      return records.some(({ detail }: { detail: { attempt?: number } }) => detail.attempt === 3);
    },
    event: async () => (await ask('sources')).sources[0].stored > 3,
    job: async () => {
      const { jobs } = await ask('jobs?handler=mail');
      return jobs.some(({ attempts_made }: { attempts_made: number }) => attempts_made > 1);
    },
    document: async () => (await ask('sweeps')).retry_job_documents_requeued_total?.orders > 1,
    people: async () => {
      const { escalations } = await ask('escalations');
      return escalations.some(({ notified_tier }: { notified_tier: number }) => notified_tier >= 3);
    },
  };
  const seen = new Set<string>();
  await within60s(async () => {
    for (const [rung, isAlive] of Object.entries(rungs)) {
      if (!seen.has(rung) && (await isAlive())) seen.add(rung);
    }
    return seen.size === Object.keys(rungs).length;
  });
  expect([...seen].sort()).toEqual(Object.keys(rungs).sort());

  const beside = startDemo(directory);
  const other = await addressOf(beside);
  expect(other).not.toBe(url);
  const says = `a second worker beside the process ${demo.child.pid}; it adds no load`;
  expect(await within60s(async () => beside.printed().includes(says))).toBe(true);
  beside.child.kill('SIGINT');
  expect(await beside.closed).toEqual([0, null]);
  expect(demo.child.exitCode).toBe(null);
  demo.child.kill('SIGTERM');
  expect(await demo.closed).toEqual([0, null]);
}, 150_000);

interface Found {
  readonly event: string;
  readonly id: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

test('its numbers are those of the audit log, and the next start continues', async () => {
  const directory = scratchDirectory(onTestFinished);
  const demo = startDemo(directory, '--until-idle');
  expect(await demo.closed).toEqual([0, null]);
  const numbers = (name: string) =>
    (demo.lines().find((line) => line.startsWith(name)) ?? '').match(/\d+/g)?.map(Number).slice(1);

  const exported = await runMain(['audit', 'export', '--output', '-', ...STORE], {
    directory,
  });
  const records: readonly Found[] = exported.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const count = (fits: (found: Found) => boolean) => records.filter(fits).length;
  // A sweep notes its attempts at documents, too.
  const isCall = (kind: string) => (found: Found) =>
    found.event === 'session' &&
    found.detail.kind === kind &&
    Object(found.detail.session).operation === 'POST /authorize';
  const calls = records.filter(isCall('session_ended')).map(({ detail }) => detail);
  const attempts = count(isCall('attempt_ended'));
  expect(numbers('1 calls')).toEqual([
    ...[0, calls.filter(({ success }) => success).length, attempts - calls.length],
    calls.filter(({ reason }) => reason === 'handed_over').length,
  ]);

  const handlers = new Map(
    records.flatMap(({ event, id, detail }) =>
      event === 'enqueue' ? [[id, String(detail.handler)] as const] : [],
    ),
  );
  const settled = (names: readonly string[]) =>
    records.filter(({ event, id }) => event === 'settle' && names.includes(handlers.get(id) ?? ''));
  const rung = (names: readonly string[]) => {
    const all = settled(names);
    const ended = (action: string) => all.filter(({ detail }) => detail.action === action).length;
    // A job that its breaker has stopped was parked without an attempt.
    const parked = all.filter(({ detail }) => detail.action === 'park' && detail.durationMs);
    return [ended('succeed'), ended('retry') + parked.length, ended('give-up')];
  };
  expect(numbers('2 events')).toEqual([0, 0, ...rung(['shop.order'])]);
  const jobs = ['authorize', 'charge', 'mail', 'report', 'import'];
  expect(numbers('3 jobs')).toEqual([0, 0, 0, ...rung(jobs)]);
  const [sent] = rung(['documents.orders']);
  expect(numbers('4 stuck orders')?.[2]).toBe(sent);
  const [, , died = 0] = rung([...jobs, 'shop.order']);
  const [notified] = rung(['escalation.notify']);
  expect(numbers('5 people')).toEqual([died, expect.any(Number), notified]);

  const again = startDemo(directory, '--fresh', '--until-idle');
  expect(await again.closed).toEqual([0, null]);
  expect(again.printed()).toContain('The demo begins with an empty queue');
}, 150_000);
