import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '@redrive/config';
import { memoryStore } from '@redrive/durable';
import { documentsOn, memoryDocuments } from '@redrive/durable/documents';
import { memoryBus } from '@redrive/durable/events';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { openSweeps } from '../../packages/cli/src/sweep/configured-sweeps.ts';
import type { Io } from '../../packages/cli/src/terminal/io.ts';
import { runMain } from '../../packages/cli/src/testing/run-main.ts';
import { scratchDirectory } from '../../packages/cli/src/testing/scratch-directory.ts';
import { snippetRunner } from '../snippets.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const COLLECTIONS = ['archives', 'messages', 'chunks', 'threads'] as const;
const DESTINATIONS = [
  'archive.ingested',
  'json.parsed',
  'chunks.prepared',
  'summarization.requested',
];
type Fields = Readonly<Record<string, unknown>>;

/** The pipeline of document B: its four collections, a broker and a store in memory, in virtual time. */
async function pipelineOf(settings = '', environment: Readonly<Record<string, string>> = {}) {
  const source = 'source: "mongodb://127.0.0.1/copilot", bus: main';
  const collections = COLLECTIONS.map((name) => `    ${name}: { ${source} }\n`).join('');
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml': `version: "1.1.0"
buses: { main: { url: "amqp://127.0.0.1" } }
sweeps:
${settings}  collections:
${collections}`,
  });
  const clock = virtualClock({ startMs: Date.parse('2025-12-16T12:00:00Z') });
  const store = memoryStore({ clock });
  const documents = memoryDocuments({ clock });
  const bus = memoryBus();
  for (const name of DESTINATIONS) await bus.declare({ name });
  const { config } = await loadConfig({ file: 'redrive.yaml', directory, environment });
  if (config === undefined) throw new Error('The configuration is not valid');
  const io = { directory, openDocuments: async () => documents };
  // Only these two are used.
  const { sweeps, intervalMs } = await openSweeps(io as unknown as Io, () => config);
  const collectionOf = (name: string) => {
    const sweep = sweeps.find((one) => one.name === name);
    if (sweep === undefined) throw new Error(`There is no collection ${name}`);
    return sweep.collection;
  };
  const run = (...args: string[]) =>
    runMain(args, { store, documents, bus, clock, directory, env: environment });
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);
  return {
    ...{ clock, store, documents, sweeps, intervalMs, run, json, collectionOf },
    ago: (ms: number) => new Date(clock.now() - ms),
    put: (name: string, _id: string, fields: Fields) =>
      documents.put(collectionOf(name), { _id, status: 'pending', ...fields }),
    get: (name: string, id: string) => documents.get(collectionOf(name), id),
    /** Runs the retry job once: no worker is there, so it sends the events itself. */
    async retryJob() {
      const ran = run('sweep', 'run', '--once');
      let isOver = false;
      const over = ran.finally(() => {
        isOver = true;
      });
      while (!isOver) await clock.advance(100);
      return over;
    },
    /** How many documents of the collection the next run would send. */
    async due(name: string): Promise<number> {
      const { collections: all } = await json('sweep', 'run', '--dry-run');
      return all.find((one: { name: string }) => one.name === name).requeued;
    },
    async sent(name: string): Promise<readonly { readonly event_type: string }[]> {
      const found = (await bus.peek?.({ name }, 100)) ?? [];
      return found.map(({ body }) => JSON.parse(Buffer.from(body).toString()));
    },
    numbers: () => json('sweep', 'status'),
  };
}

describe('the fields of a document', () => {
  test('begin at no attempt and no time', async () => {
    const { documents, collectionOf } = await pipelineOf();
    const service = documentsOn(documents, collectionOf('archives'));
    expect(service.initialise({ _id: 'a' })).toMatchObject({
      ...{ status: 'pending', attemptCount: 0, lastAttemptTime: null },
    });
  });

  test('are optional: a document without them is sent, and has them then', async () => {
    const { put, get, retryJob, clock } = await pipelineOf();
    put('archives', 'old', {});
    await retryJob();
    const { attemptCount, lastAttemptTime } = get('archives', 'old') ?? {};
    expect(attemptCount).toBe(1);
    expect(clock.now() - Number(lastAttemptTime)).toBeLessThan(10_000);
  });
});

test.each([
  ['archives', 3],
  ['messages', 3],
  ['chunks', 5],
  ['threads', 5],
])('the attempts of %s end at %i', async (name, limit) => {
  const { put, ago, due } = await pipelineOf();
  put(name, 'last', { attemptCount: limit - 1, lastAttemptTime: ago(25 * HOUR) });
  expect(await due(name)).toBe(1);
  put(name, 'last', { attemptCount: limit, lastAttemptTime: ago(25 * HOUR) });
  expect(await due(name)).toBe(0);
});

test.each([
  ['pending for more than 24 h', 'pending', 1, 24 * HOUR + 1, 1],
  ['processing for more than 24 h', 'processing', 1, 24 * HOUR + 1, 1],
  ['pending for 24 h', 'pending', 1, 24 * HOUR, 0],
  ['pending for less', 'pending', 1, 23 * HOUR, 0],
  ['never attempted', 'pending', 0, null, 1],
  ['processed', 'processed', 1, 25 * HOUR, 0],
  ['of an unknown status', 'withdrawn', 1, 25 * HOUR, 0],
] as const)('a document that is %s', async (_, status, attemptCount, age, expected) => {
  const { put, ago, due } = await pipelineOf();
  put('archives', 'a', { status, attemptCount, lastAttemptTime: age === null ? null : ago(age) });
  expect(await due('archives')).toBe(expected);
});

// With a threshold of a second, so that only the back-off decides; and with more attempts, to see the cap.
test.each([
  [1, 0],
  [2, 10],
  [3, 20],
  [4, 40],
  [5, 60],
  [6, 60],
])('after %i attempts a document waits %i minutes', async (attemptCount, minutes) => {
  const { put, ago, due } = await pipelineOf('  stuck_threshold: 1\n', {
    RETRY_JOB_MAX_ATTEMPTS_CHUNKS: '9',
  });
  put('chunks', 'c', { attemptCount, lastAttemptTime: ago(Math.max(2_000, minutes * MINUTE)) });
  expect(await due('chunks')).toBe(1);
  if (minutes === 0) return;
  put('chunks', 'c', { attemptCount, lastAttemptTime: ago(minutes * MINUTE - 1_000) });
  expect(await due('chunks')).toBe(0);
});

test('both must hold: the threshold and the back-off', async () => {
  const { put, ago, due } = await pipelineOf('  stuck_threshold: 1800\n');
  const after = async (attemptCount: number, ageMinutes: number) => {
    put('chunks', 'c', { attemptCount, lastAttemptTime: ago(ageMinutes * MINUTE) });
    return due('chunks');
  };
  expect([await after(2, 29), await after(2, 31)]).toEqual([0, 1]);
  expect([await after(4, 31), await after(4, 41)]).toEqual([0, 1]);
});

test.each([
  ['archives', 'ArchiveIngested', 'archive.ingested'],
  ['messages', 'JSONParsed', 'json.parsed'],
  ['chunks', 'ChunksPrepared', 'chunks.prepared'],
  ['threads', 'SummarizationRequested', 'summarization.requested'],
])('the event of %s is %s', async (name, event_type, destination) => {
  const { put, retryJob, sent, get } = await pipelineOf();
  put(name, 'd-1', { attemptCount: 0, lastAttemptTime: null });
  await retryJob();
  expect(await sent(destination)).toMatchObject([{ event_type }]);
  expect(JSON.stringify(await sent(destination))).toContain('d-1');
  expect(get(name, 'd-1')).toMatchObject({ attemptCount: 1, status: 'pending' });
});

test('a document is sent once, and its count rises by one', async () => {
  const { put, ago, retryJob, sent, get, numbers } = await pipelineOf();
  put('archives', 'a', { attemptCount: 1, lastAttemptTime: ago(25 * HOUR) });
  await retryJob();
  await retryJob();
  expect(await sent('archive.ingested')).toHaveLength(1);
  expect(get('archives', 'a')).toMatchObject({ attemptCount: 2 });
  expect((await numbers()).retry_job_documents_requeued_total.archives).toBe(1);
});

test('a document is stuck until it is processed, although it was sent', async () => {
  const { put, ago, get, retryJob, numbers, clock } = await pipelineOf();
  for (let n = 0; n < 60; n += 1)
    put('archives', `a-${n}`, {
      ...{ status: 'processing', attemptCount: 1, lastAttemptTime: ago(30 * HOUR) },
    });
  const stuckNow = async () => (await numbers()).retry_job_stuck_documents.archives;
  await retryJob();
  expect([get('archives', 'a-0')?.attemptCount, await stuckNow()]).toEqual([2, 60]);
  for (let n = 0; n < 50; n += 1)
    put('archives', `a-${n}`, { ...get('archives', `a-${n}`), status: 'processed' });
  await clock.advance(15 * MINUTE);
  await retryJob();
  expect(await stuckNow()).toBe(10);
});

test('a document beyond its attempts is failed, logged at ERROR with all that is known, and counted', async () => {
  const { put, ago, retryJob, get, numbers, json } = await pipelineOf();
  const lastAttemptTime = ago(25 * HOUR);
  put('archives', 'a', { attemptCount: 3, lastAttemptTime, lastError: 'corrupt file' });
  const { stderr } = await retryJob();
  expect(get('archives', 'a')).toMatchObject({ status: 'failed_max_retries', attemptCount: 3 });
  const line = stderr.split('\n').find((text) => text.includes('document.failed')) ?? '';
  expect(JSON.parse(line)).toMatchObject({
    ...{ level: 'error', event: 'document.failed', collection: 'archives', document: 'a' },
    ...{ error: 'corrupt file' },
  });
  for (const fact of [lastAttemptTime.toISOString(), '3']) expect(line).toContain(fact);
  expect(await numbers()).toMatchObject({
    retry_job_documents_max_retries_exceeded_total: { archives: 1 },
    retry_job_failed_documents: { archives: 1 },
  });
  expect((await json('documents', 'list', 'archives')).documents).toMatchObject([{ id: 'a' }]);
});

test.each([
  ['RETRY_JOB_INTERVAL_SECONDS', 900],
  ['RETRY_JOB_BASE_DELAY_SECONDS', 300],
  ['RETRY_JOB_MAX_DELAY_SECONDS', 3_600],
  ['RETRY_JOB_STUCK_THRESHOLD_HOURS', 24],
  ['RETRY_JOB_MAX_ATTEMPTS_ARCHIVES', 3],
  ['RETRY_JOB_MAX_ATTEMPTS_MESSAGES', 3],
  ['RETRY_JOB_MAX_ATTEMPTS_CHUNKS', 5],
  ['RETRY_JOB_MAX_ATTEMPTS_THREADS', 5],
])('%s has the default %i, and can be set', async (name, value) => {
  const valueIn = async (environment: Readonly<Record<string, string>>) => {
    const { sweeps, intervalMs } = await pipelineOf('', environment);
    const of = (collection: string) => {
      const sweep = sweeps.find((one) => one.name === collection);
      if (sweep === undefined) throw new Error(`There is no collection ${collection}`);
      return sweep;
    };
    const [, collection = ''] = /MAX_ATTEMPTS_(\w+)$/.exec(name) ?? [];
    if (collection !== '') return of(collection.toLowerCase()).policy.maxAttempts;
    const { policy, thresholdMs } = of('chunks');
    if (name.includes('INTERVAL')) return intervalMs / 1_000;
    if (name.includes('HOURS')) return thresholdMs / HOUR;
    return (name.includes('BASE') ? policy.baseDelayMs : policy.maxDelayMs) / 1_000;
  };
  expect(await valueIn({})).toBe(value);
  expect(await valueIn({ [name]: `${value + 1}` })).toBe(value + 1);
});

describe('the alert rules', () => {
  const file = join(import.meta.dirname, '../../deploy/prometheus/alerts/retry_policy.yml');
  const { groups } = parse(readFileSync(file, 'utf8'));
  const ruleOf = (name: string) =>
    groups
      .flatMap(({ rules }: { rules: readonly { alert?: string }[] }) => rules)
      .find(({ alert }: { alert?: string }) => alert === name);

  test.each([
    ['StuckDocumentsWarning', /retry_job_stuck_documents\) > 50$/, '1h', 'warning'],
    ['MaxRetriesExceededCritical', /max_retries_exceeded_total\[1h\]\)\) > 10$/, '15m', 'critical'],
    ['RetryJobFailed', /retry_job_runs_total\{status="failure"\}\[30m\]\)\) > 0$/, '5m', 'warning'],
    ['FailedDocumentsEscalation', /retry_job_failed_documents\) > 1000$/, '5m', 'critical'],
    ['StuckDocumentsEscalation', / > 604800$/, '5m', 'critical'],
  ])('%s has its threshold, time and severity', (name, expression, wait, severity) => {
    const { expr, labels, ...rule } = ruleOf(name);
    expect(expr).toMatch(expression);
    expect([rule.for, labels.severity]).toEqual([wait, severity]);
  });

  test.each(['StuckDocumentsWarning', 'MaxRetriesExceededCritical'])(
    'the description of %s has the collection and the number',
    (name) => {
      const { summary, description } = ruleOf(name).annotations;
      expect(summary).not.toBe('');
      expect(description).toMatch(/\{\{ \$labels\.collection \}\}/);
      expect(description).toMatch(/\{\{ \$value\b/);
    },
  );
});

const pageOf = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../docs/how-to', name), 'utf8');

test.each([
  ['StuckDocumentsWarning', /four business hours.*health.*deployments.*in common.*Escalate/],
  ['MaxRetriesExceededCritical', /within an hour.*causes.*correct.*requeue.*purge.*decided/],
  [
    'FailedDocumentsEscalation',
    /lead.*incident.*assemble.*cause.*fixes.*requeue.*purge.*24 hours.*post-mortem/,
  ],
])('the page of %s has the steps of its tier', (alert, steps) => {
  const [, section = ''] = pageOf('respond-to-alerts.md').split(`\n## ${alert}\n`);
  expect(section.split('\n## ')[0]?.replaceAll(/\s+/g, ' ')).toMatch(steps);
});

describe('the work of a service', () => {
  const run = snippetRunner();

  test.each([
    ['parsing skips what is parsed', '**Skip when present.**', /^parseArchive\(/gm],
    ['chunking ignores duplicate keys', '**Ignore duplicate keys.**', /^chunk\(/gm],
    ['embedding upserts', '**Upsert.**', /^addEmbedding\(/gm],
    ['summarization looks first', '**Look before generating.**', /await summarise\(/g],
  ])('%s: the page has a program that does it twice, with one result', (_, heading, call) => {
    const [, section = ''] = pageOf('process-documents.md').split(`\n${heading} `);
    const [, code = ''] = /^```ts\n(.*?)^```$/ms.exec(section) ?? [];
    expect(code.match(call)).toHaveLength(2);
    expect(code).toContain('// prints: ');
    run(code);
  });
});

test('the loop of retry jobs in the compose file restarts unless it is stopped, and waits for its servers', () => {
  const file = join(import.meta.dirname, '../../deploy/compose.yaml');
  const { services } = parse(readFileSync(file, 'utf8'), { merge: true });
  const { restart, depends_on } = services['retry-job-loop'];
  expect(restart).toBe('unless-stopped');
  expect(depends_on).toMatchObject({
    setup: { condition: 'service_completed_successfully' },
    pushgateway: { condition: 'service_started' },
  });
  // What the retry job waits for waits for them in turn.
  expect(services.setup.depends_on).toMatchObject({
    documentdb: { condition: 'service_healthy' },
    messagebus: { condition: 'service_healthy' },
  });
});
