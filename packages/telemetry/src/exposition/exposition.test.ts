import { expect, test } from 'vitest';
import type { MetricEntry } from '../catalogue/metric.ts';
import { Family } from '../registry/family.ts';
import { KnownNames } from '../registry/known-names.ts';
import { expose, formatFor } from './exposition.ts';

function sample(): Family[] {
  const known = new KnownNames();
  known.add('operations', ['mail', 'a "b"\\\nc']);
  const base = { source: 'records', zero: true } as const;
  const counter: MetricEntry = {
    ...base,
    name: 'x_total',
    type: 'counter',
    meaning: 'How many.',
    labels: ['operation'],
  };
  const histogram: MetricEntry = {
    ...base,
    name: 'y_seconds',
    type: 'histogram',
    meaning: 'How long.',
    labels: [],
    unit: 'seconds',
    buckets: [0.5, 1],
  };
  const [x, y] = [new Family(counter, known), new Family(histogram, known)];
  x.number('mail').value = 7;
  x.number('a "b"\\\nc').value = 1;
  y.histogram().observe(0.5, '4bf92f3577b34da6a3ce929d0e0e4736', 1_500);
  y.histogram().observe(3, 'not a trace id');
  return [x, y, new Family({ ...counter, name: 'z_total' }, known)];
}

test('text 0.0.4: buckets add up, labels are escaped, a family without series is left out', () => {
  expect(expose(sample(), 'text')).toBe(
    [
      '# HELP x_total How many.',
      '# TYPE x_total counter',
      'x_total{operation="mail"} 7',
      'x_total{operation="a \\"b\\"\\\\\\nc"} 1',
      '# HELP y_seconds How long.',
      '# TYPE y_seconds histogram',
      'y_seconds_bucket{le="0.5"} 1',
      'y_seconds_bucket{le="1"} 1',
      'y_seconds_bucket{le="+Inf"} 2',
      'y_seconds_sum 3.5',
      'y_seconds_count 2',
      '',
    ].join('\n'),
  );
});

test('OpenMetrics: counters without their suffix, units, exemplars with trace ids only, an end', () => {
  expect(expose(sample(), 'openmetrics').split('\n')).toEqual([
    '# HELP x How many.',
    '# TYPE x counter',
    'x_total{operation="mail"} 7',
    'x_total{operation="a \\"b\\"\\\\\\nc"} 1',
    '# HELP y_seconds How long.',
    '# TYPE y_seconds histogram',
    '# UNIT y_seconds seconds',
    'y_seconds_bucket{le="0.5"} 1 # {trace_id="4bf92f3577b34da6a3ce929d0e0e4736"} 0.5 1.5',
    'y_seconds_bucket{le="1.0"} 1',
    'y_seconds_bucket{le="+Inf"} 2',
    'y_seconds_sum 3.5',
    'y_seconds_count 2',
    '# EOF',
    '',
  ]);
});

test.each([
  [undefined, 'text'],
  ['', 'text'],
  ['*/*', 'text'],
  ['text/plain', 'text'],
  ['application/openmetrics-text', 'openmetrics'],
  ['application/openmetrics-text; version="1.0.0"', 'openmetrics'],
  ['application/openmetrics-text;version=2.0.0', 'text'],
  ['application/openmetrics-text;q=0.2,text/plain;q=0.5', 'text'],
  ['application/openmetrics-text;q=0', 'text'],
  ['application/openmetrics-text;q=much', 'text'],
  [
    // Prometheus 2.
    'application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
    'openmetrics',
  ],
])('Accept %s: %s', (accept, format) => {
  expect(formatFor(accept)).toBe(format);
});
