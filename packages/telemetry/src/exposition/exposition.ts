import type { MetricEntry } from '../catalogue/metric.ts';
import type { Family } from '../registry/family.ts';
import type { Exemplar, HistogramSeries } from '../registry/series.ts';

/** A text format of metrics. */
export type ExpositionFormat = 'text' | 'openmetrics';

export const CONTENT_TYPES: Readonly<Record<ExpositionFormat, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/** All series as text: format 0.0.4 of Prometheus, or OpenMetrics 1.0 with exemplars. */
export function expose(families: Iterable<Family>, format: ExpositionFormat): string {
  const lines: string[] = [];
  for (const family of families) {
    const { numbers, histograms, entry } = family;
    if (numbers.size + histograms.size === 0) continue;
    addHead(lines, entry, format);
    for (const { labels, value } of numbers.values()) {
      lines.push(`${entry.name}${braced(labels)} ${numberText(value)}`);
    }
    for (const series of histograms.values()) addHistogram(lines, entry, series, format);
  }
  if (format === 'openmetrics') lines.push('# EOF');
  return `${lines.join('\n')}\n`;
}

function addHead(lines: string[], entry: MetricEntry, format: ExpositionFormat): void {
  const { type, meaning, unit } = entry;
  const isOpen = format === 'openmetrics';
  // In OpenMetrics the name of a counter is that of its sample without `_total`.
  const name = isOpen && type === 'counter' ? entry.name.replace(/_total$/, '') : entry.name;
  lines.push(`# HELP ${name} ${meaning.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`);
  lines.push(`# TYPE ${name} ${type}`);
  if (isOpen && unit !== undefined) lines.push(`# UNIT ${name} ${unit}`);
}

function addHistogram(
  lines: string[],
  { name, buckets = [] }: MetricEntry,
  { labels, counts, exemplars, sum }: HistogramSeries,
  format: ExpositionFormat,
): void {
  const isOpen = format === 'openmetrics';
  const start = `${name}_bucket{${labels}${labels === '' ? '' : ','}le="`;
  let count = 0;
  counts.forEach((own, index) => {
    count += own;
    const bound = buckets[index];
    const le = bound === undefined ? '+Inf' : isOpen ? floatText(bound) : String(bound);
    lines.push(`${start}${le}"} ${count}${isOpen ? exemplarText(exemplars[index]) : ''}`);
  });
  lines.push(`${name}_sum${braced(labels)} ${numberText(sum)}`);
  lines.push(`${name}_count${braced(labels)} ${count}`);
}

function braced(labels: string): string {
  return labels === '' ? '' : `{${labels}}`;
}

function exemplarText(exemplar: Exemplar | undefined): string {
  if (exemplar === undefined) return '';
  const { traceId, value, atMs } = exemplar;
  return ` # {trace_id="${traceId}"} ${numberText(value)} ${numberText(atMs / 1_000)}`;
}

function numberText(value: number): string {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}

/** OpenMetrics writes bounds as floating-point numbers: `1.0`. */
function floatText(bound: number): string {
  return Number.isInteger(bound) ? `${bound}.0` : String(bound);
}

/** The format that an `Accept` header prefers: OpenMetrics 1.0 or 0.0.1 where it is named, else text. */
export function formatFor(accept = ''): ExpositionFormat {
  let open = 0;
  let text = 0;
  for (const range of accept.slice(0, 2_000).split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const pairs = parameters.map((each) => each.replaceAll('"', '').split(/\s*=\s*/));
    const given = Object.fromEntries(pairs);
    const quality = Number(given.q ?? 1);
    if (type === 'application/openmetrics-text') {
      if (OPEN_VERSIONS.has(given.version ?? '1.0.0')) open = Math.max(open, quality);
    } else if (type === 'text/plain') text = Math.max(text, quality);
  }
  return open > 0 && open >= text ? 'openmetrics' : 'text';
}

const OPEN_VERSIONS: ReadonlySet<string> = new Set(['1.0.0', '0.0.1']);
