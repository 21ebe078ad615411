import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordsIn } from '@redrive/durable/store';
import { ensureBinary, PROMTOOL_PROGRAM } from '@redrive/testkit/services';
import { expect, onTestFinished, test } from 'vitest';
import { CONFIG, runningWorker, workerPlace } from '../testing/worker-place.ts';

const OPEN = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

async function setUp() {
  const place = workerPlace(onTestFinished);
  const worker = runningWorker(onTestFinished, place, ['--health-port', '0']);
  const { port } = await worker.line('health.listening');
  const scrape = (headers = {}) => fetch(`http://127.0.0.1:${port}/metrics`, { headers });
  return { ...place, worker, scrape };
}

test('redrive start serves /metrics, as text or OpenMetrics by Accept', async () => {
  const { client, worker, scrape } = await setUp();
  const { id } = await client.enqueue('mail', { failures: 2 });
  await worker.line('retry.succeeded', ({ job }) => job === id);
  const text = await scrape();
  expect(text.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const lines = (await text.text()).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'redrive_attempts_total{operation="mail",entry="failed"} 2',
      'redrive_attempts_total{operation="shell",entry="failed"} 0',
      'redrive_breaker_transitions_total{dependency="quick",state="open"} 0',
      'redrive_category_exhausted_total{category="RETRY_KV_GET"} 0',
      'redrive_config_last_reload_successful 1',
      'redrive_store_up 1',
    ]),
  );
  const open = await scrape({
    accept: 'application/openmetrics-text;version=1.0.0,text/plain;q=0.3',
  });
  expect(open.headers.get('content-type')).toBe(OPEN);
  expect(await open.text()).toMatch(/\n# EOF\n$/);
});

test('promtool check metrics is clean', async () => {
  const promtool = await ensureBinary(PROMTOOL_PROGRAM);
  const { client, worker, scrape } = await setUp();
  const { id } = await client.enqueue('mail', { failures: 9 });
  await worker.line('retry.exhausted', ({ job }) => job === id);
  const input = await (await scrape()).text();
  expect(input).toContain(
    'redrive_dead_letters_added_total{operation="mail",reason="max_attempts"} 1',
  );
  const { status, stdout, stderr } = spawnSync(promtool, ['check', 'metrics'], {
    input,
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
}, 180_000);

test('a scrape is on record, with its count when the worker stops', async () => {
  const { store, worker, scrape } = await setUp();
  for (let count = 0; count < 3; count += 1) await scrape({ 'user-agent': 'Prometheus/2.42.0' });
  worker.signal('SIGTERM');
  await worker.ran;
  const records = (await store.auditBlocks(0, 1_000)).flatMap((block) => recordsIn(block));
  const reads = records.filter(({ event }) => event === 'read');
  const by = 'scraper:Prometheus/2.42.0@127.0.0.1';
  expect(reads.map(({ id, detail }) => [id, detail])).toEqual([
    ['/metrics', { by, reads: 'metrics', scrapes: 1, since: expect.any(String) }],
    ['/metrics', { by, reads: 'metrics', scrapes: 2, since: expect.any(String) }],
  ]);
});

test('a reload that fails shows, and one that mends it to what it was resolves it', async () => {
  const { directory, worker, scrape } = await setUp();
  const config = (text: string) => writeFileSync(join(directory, 'redrive.yaml'), text);
  const reloads = async () =>
    (await (await scrape()).text())
      .split('\n')
      .filter((line) => /^redrive_config_(last_reload_successful|reloads)/.test(line));
  config('version: "1.1.0"\npolicies: 7\n');
  await worker.line('config.problem');
  expect(await reloads()).toEqual([
    'redrive_config_reloads_total{result="success"} 0',
    'redrive_config_reloads_total{result="failure"} 1',
    'redrive_config_last_reload_successful 0',
  ]);
  config(CONFIG);
  await expect
    .poll(reloads, { timeout: 10_000 })
    .toContain('redrive_config_last_reload_successful 1');
  // The worker also reads the files right after its start; unchanged files are no reload.
  expect(await reloads()).toContain('redrive_config_reloads_total{result="success"} 1');
});
