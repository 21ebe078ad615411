import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { retry } from '@redrive/core';
import { recordProblems, toAuditV1, toEventV1 } from '@redrive/core/records';
import { memoryStore, recordsOf, sessionDocument } from '@redrive/durable';
import { auditSink } from '@redrive/durable/audit';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { jobStore, START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

/** Three jobs: one recovers at its third attempt, one succeeds at once, one is given up. */
async function setUp() {
  const { jobs, work, store, clock } = jobStore(virtualClock(START));
  const given = [
    await jobs.enqueue('mail', { failures: 2 }),
    await jobs.enqueue('mail', { failures: 0 }),
    await jobs.enqueue('import', {}),
  ];
  await work(300_000);
  const directory = scratchDirectory(onTestFinished);
  const run = (...args: string[]) => runMain(['audit', ...args], { store, clock, directory });
  const lines = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await run(...args);
    expect([exitCode, stderr]).toEqual([0, '']);
    return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  };
  /** What the jobs themselves say, the oldest first. */
  const stored = await Promise.all(given.map(async ({ id }) => store.job(id)));
  const jobsFound = stored.flatMap((job) => job ?? []);
  const records = jobsFound.flatMap((job) => recordsOf(job)).sort((a, b) => a.atMs - b.atMs);
  return { run, lines, records, jobsFound, directory };
}

const withoutId = ({ event_id: _, ...event }: Record<string, unknown>) => event;

test('audit list --event retry_attempt --format event/v1 --jsonl prints the retry events, not internal records', async () => {
  const { lines, records } = await setUp();
  const args = ['--event', 'retry_attempt', '--format', 'event/v1'];
  const events = await lines('list', ...args, '--jsonl');
  const expected = records
    .flatMap((record) => toEventV1(record, { nextId: () => '' }) ?? [])
    .filter(({ event_type }) => event_type === 'retry_attempt')
    .map((event) => withoutId({ ...event }));
  expect(events.toReversed().map(withoutId)).toEqual(expected);
  expect(events.map(({ attempt }) => attempt)).toEqual([3, 2]);
  expect(events.flatMap((event) => recordProblems('event', event))).toEqual([]);
  expect(await lines('tail', ...args, '--for', '0s')).toEqual(events.toReversed());
});

test('audit list --format audit/v1 prints the audit events', async () => {
  const { lines, records } = await setUp();
  const events = await lines('list', '--format', 'audit/v1', '--jsonl');
  expect(events.toReversed()).toEqual(records.flatMap((record) => toAuditV1(record) ?? []));
  expect(events.map(({ event_type }) => event_type).sort()).toEqual([
    'retry_attempt',
    'retry_attempt',
    'retry_exhausted',
  ]);
});

test('audit export --format session/v1 writes each session with its attempts', async () => {
  const { run, jobsFound, directory } = await setUp();
  const { exitCode } = await run('export', '--format', 'session/v1', '--output', 'sessions.jsonl');
  expect(exitCode).toBe(0);
  const text = readFileSync(join(directory, 'sessions.jsonl'), 'utf8').trimEnd();
  const sessions = text.split('\n').map((line) => JSON.parse(line));
  const byId = (a: { session_id: string }, b: { session_id: string }) =>
    a.session_id < b.session_id ? -1 : 1;
  const expected = jobsFound.flatMap((job) => sessionDocument(job) ?? []);
  expect(sessions.sort(byId)).toEqual(expected.sort(byId));
  expect(sessions.flatMap((session) => recordProblems('session', session))).toEqual([]);
});

test('for people the documents are lines of JSON, and --json has them as records', async () => {
  const { run, lines } = await setUp();
  const events = await lines('list', '--format', 'event/v1');
  const { stdout } = await run('list', '--format', 'event/v1', '--json');
  expect(JSON.parse(stdout)).toEqual({ records: events, next: null });
});

test('an event that the shape does not have is refused', async () => {
  const { run } = await setUp();
  expect(await run('list', '--format', 'audit/v1', '--event', 'retry_success')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(
      'audit/v1 has no event retry_success: it has retry_attempt, retry_exhausted, idempotency.',
    ),
  });
});

test('events are listed although newer sessions, which all succeeded at once, fill more than a page', async () => {
  const clock = virtualClock(START);
  const store = memoryStore({ clock });
  const events = auditSink(store, { clock });
  const call = async (failures: number) => {
    let calls = 0;
    const attempt = () => {
      calls += 1;
      if (calls <= failures) throw new Error('connection reset');
    };
    const done = retry(attempt, { id: 'save' }, { clock, events });
    await clock.advance(10_000);
    await done;
  };
  await call(1);
  for (let n = 0; n < 60; n += 1) await call(0);
  await events.close();
  const list = async (...args: string[]): Promise<string[]> => {
    const { stdout } = await runMain(['audit', 'list', '--json', ...args], { store, clock });
    const { records }: { records: { event_type: string }[] } = JSON.parse(stdout);
    return records.map(({ event_type }) => event_type);
  };
  expect(await list('--format', 'event/v1')).toEqual(['retry_success', 'retry_attempt']);
  expect(await list('--format', 'event/v1', '--event', 'retry_attempt')).toEqual(['retry_attempt']);
  expect(await list('--format', 'audit/v1')).toEqual(['retry_attempt']);
});
