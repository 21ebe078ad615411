import { loadConfig } from '@redrive/config';
import { RedriveError } from '@redrive/core';
import { jobsOn, memoryStore } from '@redrive/durable';
import { documentHandler, memoryDocuments } from '@redrive/durable/documents';
import { memoryBus } from '@redrive/durable/events';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import type { Io } from '../terminal/io.ts';
import { START } from '../testing/job-store.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';
import { openSweeps } from './configured-sweeps.ts';

const CONFIG = `version: "1.1.0"
buses: { main: { url: "nats://127.0.0.1:4222" } }
sweeps:
  collections:
    archives: { source: "mongodb://127.0.0.1/docs", bus: main }
`;
const DAY = 86_400_000;

async function setUp() {
  const clock = virtualClock(START);
  const store = memoryStore({ clock });
  const documents = memoryDocuments({ clock });
  const bus = memoryBus();
  await bus.declare({ name: 'archive.ingested' });
  const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': CONFIG });
  const { config } = await loadConfig({ file: 'redrive.yaml', directory, environment: {} });
  if (config === undefined) throw new Error('The configuration is not valid');
  const run = (...args: string[]) => runMain(args, { store, documents, bus, clock, directory });
  const io = { directory, openDocuments: async () => documents };
  // Only these two are used.
  const { sweeps } = await openSweeps(io as unknown as Io, () => config);
  const [sweep] = sweeps;
  if (sweep === undefined) throw new Error('There is no sweep');
  const put = (id: string, fields: Record<string, unknown> = {}) =>
    documents.put(sweep.collection, { _id: id, status: 'pending', ...fields });
  const handlers = { 'documents.archives': documentHandler(sweep, bus, { clock }) };
  const jobs = jobsOn(store, handlers, { clock, worker: 'w1', log: 'off' });
  return {
    ...{ clock, store, documents, directory, run, put, bus },
    /** A command that waits for jobs, while time passes. */
    async passing<T>(command: Promise<T>): Promise<T> {
      let isOver = false;
      const ended = command.finally(() => {
        isOver = true;
      });
      while (!isOver) await clock.advance(100);
      return ended;
    },
    json: async (...args: string[]) => {
      const { stdout, stderr } = await run(...args, '--json');
      expect(stderr).toBe('');
      return JSON.parse(stdout);
    },
    get: (id: string) => documents.get(sweep.collection, id),
    ago: (ms: number) => new Date(clock.now() - ms),
    async work(ms: number) {
      await jobs.start();
      await clock.advance(ms);
      const stopped = jobs.stop({ mode: 'release', graceMs: 0 });
      await clock.advance(1_000);
      await stopped;
    },
    async sent() {
      const found = (await bus.peek?.({ name: 'archive.ingested' }, 100)) ?? [];
      return found.map(({ body }) => JSON.parse(Buffer.from(body).toString()).data.archive_id);
    },
  };
}

test('sweep run --once: sends, prints a table and the numbers', async () => {
  const { run, json, put, ago, get, sent, passing } = await setUp();
  put('a');
  put('b', { attemptCount: 3, lastAttemptTime: ago(DAY + 1), lastError: 'corrupt' });
  put('c', { attemptCount: 1, lastAttemptTime: ago(DAY / 2) });
  expect((await json('sweep', 'run', '--dry-run')).collections[0]).toMatchObject({
    requeued: 1,
    max_retries_exceeded: 1,
  });
  expect(get('a')?.attemptCount).toBeUndefined();
  const { stdout, exitCode, stderr } = await passing(run('sweep', 'run', '--once'));
  expect(exitCode).toBe(0);
  expect(JSON.parse(stderr)).toMatchObject({
    event: 'document.failed',
    document: 'b',
    error: 'corrupt',
  });
  expect(stdout.split('\n').slice(0, 2)).toEqual([
    'collection  sent  waiting  in back-off  newly failed  stuck  failed',
    'archives       1        0            0             1      0       1',
  ]);
  expect(await json('sweep', 'status')).toMatchObject({
    retry_job_documents_requeued_total: { archives: 1 },
    retry_job_documents_waiting: { archives: 0 },
    retry_job_documents_max_retries_exceeded_total: { archives: 1 },
    retry_job_runs_total: { success: 1, failure: 0 },
    retry_job_failed_documents: { archives: 1 },
  });
  expect((await run('sweep', 'status')).stdout).toContain('Runs: 1 succeeded, 0 failed.');
  expect(await sent()).toEqual(['a']);
});

test('sweep run --once without a worker sends the events itself; what the broker does not confirm is waiting', async () => {
  const { run, json, put, get, sent, passing, bus, clock } = await setUp();
  for (const id of ['a', 'b', 'c', 'd']) put(id);
  const publish = bus.publish.bind(bus);
  bus.publish = async () => {
    throw new RedriveError('bus_unavailable', 'connect ECONNREFUSED 127.0.0.1:4222', {});
  };
  const away = await passing(run('sweep', 'run', '--once'));
  expect(away.stdout.split('\n')[1]).toBe(
    'archives       0        4            0             0      0       0',
  );
  expect(await json('sweep', 'status')).toMatchObject({
    retry_job_documents_requeued_total: { archives: 0 },
    retry_job_documents_waiting: { archives: 4 },
  });
  const status = (await run('sweep', 'status')).stdout.split('\n');
  expect(status.slice(0, 2)).toEqual([
    'collection  stuck  failed  sent  waiting  in back-off  newly failed',
    'archives        0       0     0        4            0             0',
  ]);
  expect(get('a')).toMatchObject({ retry_sweep: { sent: false, attempt: 1 } });
  bus.publish = publish;
  await clock.advance(2 * 60_000);
  const back = JSON.parse((await passing(run('sweep', 'run', '--once', '--json'))).stdout);
  expect(back).toMatchObject({
    collections: [{ requeued: 4, waiting: 0 }],
    retry_job_documents_requeued_total: { archives: 4 },
    retry_job_documents_waiting: { archives: 0 },
  });
  expect((await sent()).sort()).toEqual(['a', 'b', 'c', 'd']);
  for (const id of ['a', 'b', 'c', 'd'])
    expect(get(id)).toMatchObject({ attemptCount: 1, retry_sweep: { sent: true } });
});

test('sweep run without --once outlives a store that is unavailable', async () => {
  const { clock, store, documents, directory, put, get, bus, passing } = await setUp();
  put('a');
  let calls = 0;
  const controls = async () => {
    calls += 1;
    if (calls === 1) throw new RedriveError('store_unavailable', 'The store is away');
    return store.controls();
  };
  const waits = Promise.withResolvers<void>();
  const setTimer: typeof clock.setTimer = (delayMs, fire) => {
    const timer = clock.setTimer(delayMs, fire);
    if (delayMs === 15 * 60_000) waits.resolve();
    return timer;
  };
  let stop = () => {};
  const ran = runMain(['sweep', 'run'], {
    ...{ store: { ...store, controls }, documents, directory, bus },
    clock: { ...clock, setTimer },
    onStdout: () => stop(),
    onSignals: (send) => {
      stop = () => send('SIGTERM');
    },
  });
  await waits.promise;
  await clock.advance(15 * 60_000);
  const { exitCode, stderr } = await passing(ran);
  expect([exitCode, get('a')?.attemptCount]).toEqual([0, 1]);
  expect(stderr).toContain('The store is away');
});

test('sweep status before any sweep, and an unknown collection', async () => {
  const { run } = await setUp();
  const none = 'There was no sweep yet: run "redrive sweep run --once", or start a worker.\n';
  expect(await run('sweep', 'status')).toMatchObject({ exitCode: 0, stdout: none });
  const unknown = await run('sweep', 'run', '--once', '--collection', 'archive');
  expect(unknown).toMatchObject({ exitCode: 3 });
  expect(unknown.stderr).toContain('Did you mean archives?');
});

test('stuck list and explain say what the next sweep does, and why nothing is sent', async () => {
  const { run, json, put, ago } = await setUp();
  const stuck = (hours: number) => ({ retry_sweep: { firstStuckAt: ago(hours * 3_600_000) } });
  const found = { retry_sweep: { ...stuck(3).retry_sweep, foundAt: ago(DAY) } };
  put('new', found);
  put('old', { attemptCount: 2, lastAttemptTime: ago(DAY + 1), ...stuck(2) });
  put('used up', { attemptCount: 3, lastAttemptTime: ago(DAY + 1), ...stuck(1) });
  put('young', { attemptCount: 1, lastAttemptTime: ago(60_000) });
  put('done', { status: 'processed' });
  put('odd', { attemptCount: 0.5 });
  put('claimed', { retry_sweep: { event: 'e1', sent: false, at: ago(DAY) } });
  put('marked', {
    ...{ attemptCount: 1, lastAttemptTime: ago(-DAY) },
    retry_sweep: { sent: false, at: ago(DAY) },
  });
  const { documents } = await json('stuck', 'list', 'archives');
  const next = documents.map(({ id, next: verb }: { id: string; next: string }) => [id, verb]);
  expect(next).toEqual([
    ['new', 'send'],
    ['old', 'send'],
    ['used up', 'fail'],
  ]);
  const { stdout: table } = await run('stuck', 'list', 'archives');
  expect(
    table
      .split('\n')
      .slice(0, 2)
      .map((line) => line.trimEnd()),
  ).toEqual([
    'collection  id       status   attempts  last attempt  stuck for  next',
    'archives    new      pending         0  never         3 h        send',
  ]);
  const { documents: odd } = await json('stuck', 'list', '--invalid');
  expect(odd).toHaveLength(2);
  expect(odd).toMatchObject([
    { id: 'odd', next: 'The count of attempts is 0.5: it must be a whole number from 0' },
    { id: 'marked', next: expect.stringContaining("ahead of the database's clock") },
  ]);
  const verdict = async (id: string) => (await json('stuck', 'explain', 'archives', id)).verdict;
  expect(await verdict('new')).toBe('The next sweep sends it.');
  expect(await verdict('used up')).toBe(
    'Its attempts are used up: the next sweep marks it as failed.',
  );
  expect(await verdict('young')).toMatch(
    /^Its last attempt may still run: it is due from 2027-02-01 07:59:00Z on\.$/,
  );
  expect(await verdict('done')).toBe('It is processed: sweeps leave it alone.');
  expect(await verdict('odd')).toContain('It is never sent.');
  await run('queues', 'pause', 'documents.archives', '--handler');
  expect(await verdict('new')).toContain(
    'Sweeps are stopped now: a pause of handler:documents.archives',
  );
  expect(await run('stuck', 'explain', 'archives', 'nobody')).toMatchObject({ exitCode: 3 });
});

test('sweep schedule and stuck release send a document whatever its back-off is', async () => {
  const { run, json, put, ago, get, work, sent } = await setUp();
  put('a', { attemptCount: 2, lastAttemptTime: ago(1_000) });
  put('b', { attemptCount: 1, lastAttemptTime: ago(1_000) });
  put('done', { status: 'processed' });
  const { job } = await json('sweep', 'schedule', 'archives', 'a', '--at', '+2h');
  const released = await run('stuck', 'release', 'archives', 'b', 'done', 'gone');
  expect(released.exitCode).toBe(5);
  expect(released.stdout.split('\n')).toEqual([
    '1 event of archives is a job now.',
    'Document done is processed.',
    'Document gone does not exist.',
    '',
  ]);
  await work(60_000);
  expect(await sent()).toEqual(['b']);
  expect(get('b')).toMatchObject({ attemptCount: 2, retry_sweep: { sent: true } });
  await work(7_200_000);
  expect(await sent()).toEqual(['b', 'a']);
  expect(get('a')).toMatchObject({ attemptCount: 3, retry_sweep: { event: job, sent: true } });
  expect(await run('sweep', 'schedule', 'archives', 'done')).toMatchObject({ exitCode: 7 });
});

test('documents: export, reset and requeue, archive, purge', async () => {
  const { run, json, put, ago, get, work, sent, documents, store } = await setUp();
  for (const id of ['a', 'b', 'c', 'd', 'e'])
    put(id, {
      ...{ attemptCount: 3, lastAttemptTime: ago(DAY + 1), lastError: `no ${id}` },
      ...{ file: `${id}.mbox`, sender: { mail: 'eve@example.org', password: 'hunter2' } },
    });
  await run('sweep', 'run', '--once');
  const { documents: failed } = await json('documents', 'list', 'archives');
  expect(failed).toHaveLength(5);
  expect(failed[0]).toMatchObject({
    id: 'a',
    status: 'failed_max_retries',
    attempt_count: 3,
    error: 'no a',
  });

  const { stdout } = await run('documents', 'export', 'archives', '--to', '-');
  const letters = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(letters).toHaveLength(5);
  expect(letters[0]).toMatchObject({
    original_event: {
      ...{ _id: 'a', attemptCount: 3, file: 'a.mbox' },
      sender: { mail: 'eve@example.org', password: '[masked]' },
    },
    attempt_count: 3,
    abandoned_reason: 'max_attempts_exceeded',
    service_name: 'archives',
    redrive: { id: failed[0].dead_letter },
  });
  const csv = (await run('documents', 'export', 'archives', '--to', '-', '--format', 'csv')).stdout;
  expect(csv.trim().split('\n')).toHaveLength(6);

  expect(await run('documents', 'reset', 'archives')).toMatchObject({ exitCode: 4 });
  expect((await run('documents', 'reset', 'archives', 'a')).stdout).toBe(
    '1 document of archives reset.\n',
  );
  expect(get('a')).toMatchObject({ status: 'pending', attemptCount: 0, lastAttemptTime: null });

  await run('dlq', 'requeue', String(failed[1].dead_letter));
  await work(1_000);
  expect(await sent()).toEqual(['b']);
  expect(get('b')).toMatchObject({ status: 'pending', attemptCount: 1 });

  expect((await run('documents', 'archive', 'archives', 'c')).exitCode).toBe(0);
  expect(get('c')).toBeUndefined();
  const refused = await run('documents', 'purge', 'archives');
  expect(refused).toMatchObject({ exitCode: 4 });
  expect(refused.stderr).toContain('2 failed documents of archives would be deleted for good.');
  expect((await run('documents', 'purge', 'archives', '--confirm', 'archives')).stdout).toBe(
    '2 documents of archives purged.\n',
  );
  expect(await run('documents', 'purge', 'archives', '--confirm', 'archives')).toMatchObject({
    exitCode: 3,
  });
  expect([get('d'), get('e'), documents.name]).toEqual([undefined, undefined, 'memory']);
  // No dead letter is left of documents that were reset, archived or purged.
  const stateOf = async ({ dead_letter: id }: { dead_letter: string }) =>
    (await store.job(id))?.state;
  expect(await Promise.all(failed.map(stateOf))).toEqual([
    ...['purged', 'succeeded', 'purged', 'purged', 'purged'],
  ]);
  const acts = (await run('audit', 'tail', '--for', '0s', '--event', 'act')).stdout;
  expect(acts).toContain('purge');
  await store.close();
});

async function configOf(text: string) {
  const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': text });
  const loaded = await loadConfig({ file: 'redrive.yaml', directory, environment: {} });
  return loaded.config ?? expect.fail(JSON.stringify(loaded));
}

test('the policy of a collection follows a reload', async () => {
  const text = (limit: number) =>
    `${CONFIG.replace('bus: main }', 'bus: main, policy: own }')}policies: { own: { name: Own, backoff_type: fixed, base_delay: 1, max_delay: 9, max_attempts: ${limit} } }\n`;
  let config = await configOf(text(4));
  const io = { directory: '.', openDocuments: async () => memoryDocuments() };
  // Only these two are used.
  const { sweeps } = await openSweeps(io as unknown as Io, () => config);
  expect(sweeps[0]?.policy.maxAttempts).toBe(4);
  config = await configOf(text(7));
  expect(sweeps[0]?.policy.maxAttempts).toBe(7);
});

test('a database that cannot be opened: those before it are closed', async () => {
  const second = '    chunks: { source: "mongodb://127.0.0.1/other", bus: main }\n';
  const config = await configOf(CONFIG + second);
  const closed: string[] = [];
  const openDocuments = async (url: string) => {
    if (url.endsWith('other')) throw new Error('no such host');
    return { ...memoryDocuments(), close: async () => void closed.push(url) };
  };
  const io = { directory: '.', openDocuments };
  await expect(openSweeps(io as unknown as Io, () => config)).rejects.toThrow('no such host');
  expect(closed).toEqual(['mongodb://127.0.0.1/docs']);
});
