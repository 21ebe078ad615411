import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { catalogue } from './catalogue.ts';
import { MAX_VALUES } from './labels.ts';

const root = join(import.meta.dirname, '../../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The names in the first column of all tables with this heading. */
function namesBelow(heading: string, page: string): string[] {
  const tables = page.matchAll(
    new RegExp(`^\\| ${heading} \\|.*\\n\\|-.*\\n((?:\\|.*\\n)+)`, 'gm'),
  );
  const rows = [...tables].flatMap(([, body = '']) => body.trimEnd().split('\n'));
  return rows.flatMap((row) => {
    const [, first = ''] = row.split('|');
    return [...first.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  });
}

test('the names of the seeds stand in it exactly', () => {
  const written = catalogue.metrics.map(
    ({ name, type, labels }) => `${type} ${name}{${labels.join(',')}}`,
  );
  expect(written.filter((line) => !line.includes(' redrive_'))).toEqual([
    'counter event_retry_success_total{service,attempt}',
    'histogram event_retry_latency_seconds{service}',
    'counter event_retry_dlq_total{service,reason}',
    'histogram event_retry_attempt_count{service}',
    'counter retry_job_documents_requeued_total{collection}',
    'counter retry_job_documents_skipped_backoff_total{collection}',
    'counter retry_job_documents_max_retries_exceeded_total{collection}',
    'counter retry_job_runs_total{status}',
    'counter retry_job_errors_total{error_type}',
    'gauge retry_job_stuck_documents{collection}',
    'gauge retry_job_failed_documents{collection}',
    // Not of the seeds: what a broker outage keeps back.
    'gauge retry_job_documents_waiting{collection}',
    'histogram retry_job_duration_seconds{}',
    // Not of the seeds: for the Pushgateway.
    'gauge retry_job_last_success_timestamp_seconds{}',
  ]);
});

test('every metric has one name, one sentence and labels with bounded values', () => {
  const names = catalogue.metrics.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, meaning, labels, unit } of catalogue.metrics) {
    expect([name, meaning]).toEqual([name, expect.stringMatching(/^[A-Z8].*\.$/)]);
    expect([name, unit ?? '']).toEqual([name, name.endsWith('_seconds') ? 'seconds' : '']);
    for (const label of labels)
      expect([label, catalogue.labels[label]]).toEqual([label, expect.anything()]);
  }
  for (const { values = [] } of Object.values(catalogue.labels)) {
    expect(values.length).toBeLessThanOrEqual(MAX_VALUES);
  }
  const used = new Set(catalogue.metrics.flatMap(({ labels }) => labels));
  expect([...used].sort()).toEqual(Object.keys(catalogue.labels).sort());
});

test('it has every event of the page about the audit log, and no other', () => {
  const page = namesBelow('event', read('docs/reference/audit.md'));
  expect(Object.keys(catalogue.auditEvents).sort()).toEqual(page.sort());
});
