import { type Catalogue, catalogue, type MetricEntry } from '@redrive/telemetry';

const ABOUT_SOURCES: Readonly<
  Record<MetricEntry['source'], readonly [title: string, text: string]>
> = {
  records: ['Calls, jobs and events', 'Counted in this process, from the records of `events`.'],
  notices: ['The worker', 'Counted in this process, from the notices of `onNotice`.'],
  configuration: ['The configuration', 'Of `redrive start`.'],
  process: ['The process', ''],
  telemetry: ['Telemetry itself', ''],
  counts: ['The store: jobs', 'From `counts` of the store.'],
  dead_letters: ['The store: dead letters', 'From `countDead` and `deadLetters` of the store.'],
  parks: ['The store: parked jobs', 'From `parks` of the store.'],
  controls: [
    'The store: what is stopped, sources and sweeps',
    'From `controls` of the store. The metrics of sweeps, `retry_job_…`, exist from the first sweep on (`retry_job_runs_total` always); a worker with configured collections serves them as 0 before it, apart from the time of the last success. They are totals of all processes.',
  ],
  audit: ['The store: the audit log', 'From the newest anchor.'],
};

/** The page of all metrics, made from the catalogue. */
export function metricsPage(): string {
  return [
    HEAD,
    ...Object.entries(ABOUT_SOURCES).map(([source, [title, text]]) => {
      const metrics = catalogue.metrics.filter((metric) => metric.source === source);
      const lines = metrics.map(metricLine);
      const about = text === '' ? '' : `${text}\n\n`;
      return `## ${title}\n\n${about}| metric | type | labels | meaning |\n|---|---|---|---|\n${lines.join('\n')}\n`;
    }),
    `## Labels\n\n| label | of | values | meaning |\n|---|---|---|---|\n${labelLines(catalogue).join('\n')}\n`,
    `## Buckets\n\n| histogram | upper bounds |\n|---|---|\n${bucketLines(catalogue).join('\n')}\n`,
  ].join('\n');
}

function metricLine({ name, type, labels, meaning }: MetricEntry): string {
  const shown = labels.map((label) => `\`${exposed(label)}\``).join(', ');
  return `| \`${name}\` | ${type} | ${shown} | ${meaning.replaceAll('_other', '`_other`')} |`;
}

function exposed(label: string): string {
  return label.split(':')[0] ?? label;
}

function labelLines({ labels, metrics }: Catalogue): string[] {
  return Object.entries(labels).map(([label, { values, from, meaning }]) => {
    const shares = Object.keys(labels).filter((other) => exposed(other) === exposed(label)).length;
    const own = metrics.filter((metric) => metric.labels.includes(label));
    const of = shares === 1 ? '' : own.map(({ name }) => `\`${name}\``).join(', ');
    const listed = from === undefined ? valuesText(values) : `names: ${from}`;
    return `| \`${exposed(label)}\` | ${of} | ${listed} | ${meaning} |`;
  });
}

function valuesText(values: readonly string[] = []): string {
  if (values.length > 26) return `${values.length} values`;
  if (values[0] === '2') return '`2` to `25`';
  return values.map((value) => `\`${value}\``).join(', ');
}

function bucketLines({ metrics }: Catalogue): string[] {
  return metrics.flatMap(({ name, buckets }) =>
    buckets === undefined ? [] : [`| \`${name}\` | ${buckets.join(', ')} |`],
  );
}

const HEAD = `# Metrics

This page lists the metrics of \`@redrive/telemetry\`. It is made from the package's catalogue. \`redrive start\` serves them at \`/metrics\` on its health port ([the log of a worker](worker-log.md#health)); an application serves them with \`scrape()\`:

\`\`\`ts
import { jobsOn, memoryStore } from '@redrive/durable';
import { formatFor, telemetry } from '@redrive/telemetry';

const store = memoryStore();
const metrics = telemetry({ store });
const jobs = jobsOn(store, { mail: () => 'sent' }, { events: metrics.events, onNotice: metrics.onNotice });
await jobs.start();
await jobs.enqueue('mail', null);
await jobs.idle();
await jobs.stop();
const { contentType, body } = await metrics.scrape('text/plain');
metrics.close();
console.log(contentType); // prints: text/plain; version=0.0.4; charset=utf-8
console.log(body.includes('redrive_operations_total{operation="mail",result="first_try"} 1')); // prints: true
console.log(formatFor('application/openmetrics-text; version=1.0.0')); // prints: openmetrics
\`\`\`

- **Formats.** Text 0.0.4 of Prometheus, or OpenMetrics 1.0 if the \`Accept\` header prefers it. OpenMetrics has exemplars: the trace id of the newest observation in a bucket, if it is one of W3C trace context (32 hex digits).
- **Labels** have fixed words, or names that the configuration lists: handlers, queues, dependencies, categories and sources, at most 200 of a kind. Handlers of a worker are known from its start; an application names the rest with the option \`names\`. Every other value is counted as \`_other\`; for operations, services and categories, \`redrive_label_overflow_total\` counts how often. Ids, keys, messages and URLs never stand in a label.
- **Zero from the start.** A series whose labels are known in advance is 0 until something happens, so that \`increase()\` sees the first event.
- **Times, not ages.** A metric that ends with \`_timestamp_seconds\` is a moment in Unix time: \`time() - redrive_oldest_ready_job_timestamp_seconds\` is the age. If there is no such moment, there is no series.
- **Of the process, or of the store.** Counters of calls, jobs, events and the worker count this process since its start: use \`sum\` over processes. Metrics of the store have the same value in every process: use \`max\`.
- **The store** is asked at most once in five seconds, however many scrapers there are, and each question has a second. If one fails, its series are left out, and \`redrive_collector_failures_total\` counts it.
- **The audit log** has a record for everything that is counted here. A process counts a job's attempt after the store has written it, so no process counts more than its records say; counts since the last scrape are lost if it is killed. A job whose deadline passes while it waits is counted by the process that gives it up, as an operation and a dead letter; it had no attempt.
- **Removed dead letters** are counted from the audit log, because commands and requests of operators run in processes that nobody scrapes: the process that seals the records of a requeue, a purge or a deletion counts them, whichever process removed the letter, about a second later. Every record is sealed once, so use \`sum\` over processes. A process that is killed between a seal and the next scrape loses its counts, as for all counters. A reset leaves the letter where it is, and is not counted; neither is the deletion of a purged letter, which was counted as a purge; a purge that is undone stays counted. \`redrive_dead_letters\` shows how many are left.
- **Events**: a first attempt that succeeds is not a retry, so \`event_retry_success_total\` and \`event_retry_latency_seconds\` do not count it; \`event_retry_attempt_count\` does.
- **Categories**: the success rate of a category is \`sum(rate(redrive_category_operations_total{result=~"first_try|recovered"}[5m])) / sum(rate(redrive_category_operations_total[5m]))\`, its average number of attempts \`rate(redrive_category_attempts_total[5m]) / sum by (category) (rate(redrive_category_operations_total[5m]))\`. The built-in categories are known, and every other code, such as \`RETRY_SEARCH_QUERY\`, from its first record on.
`;
