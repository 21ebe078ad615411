// The SDK, as an application starts it before anything else. Here it keeps what it would export.
import * as metrics from '@opentelemetry/sdk-metrics';
import { NodeSDK } from '@opentelemetry/sdk-node';
import * as tracing from '@opentelemetry/sdk-trace';

const spans = new tracing.InMemorySpanExporter();
const exporter = new metrics.InMemoryMetricExporter(metrics.AggregationTemporality.CUMULATIVE);
const reader = new metrics.PeriodicExportingMetricReader({ exporter });
const processor = new tracing.SimpleSpanProcessor({ exporter: spans });
const sdk = new NodeSDK({
  spanProcessors: [processor],
  metricReaders: [reader],
});
sdk.start();

/** The spans as a tree, each below its parent. */
export async function spanLines() {
  const all = await spansNow();
  const below = (parent, depth) =>
    all
      .filter(({ parentSpanContext: own }) => own?.spanId === parent)
      .flatMap((span) => [
        `${'  '.repeat(depth)}${span.name}${span.status.code === 2 ? ' (error)' : ''}`,
        ...span.events.map(
          ({ name, attributes }) =>
            `${'  '.repeat(depth + 1)}${name}: ${attributes['redrive.action']}, ${attributes['redrive.reason']}`,
        ),
        ...below(span.spanContext().spanId, depth + 1),
      ]);
  return below(undefined, 0);
}

/** The first spans wait until the SDK knows its resource. */
export async function spansNow() {
  await processor.forceFlush();
  return spans.getFinishedSpans();
}

/** Values of a metric, by its attributes. */
export async function metricLines(...names) {
  await reader.forceFlush();
  const [resource] = exporter.getMetrics().slice(-1);
  return resource.scopeMetrics
    .flatMap(({ metrics: all }) => all)
    .filter(({ descriptor }) => names.includes(descriptor.name))
    .flatMap(({ descriptor, dataPoints }) =>
      dataPoints.map(({ attributes, value }) => {
        const shown = value.count === undefined ? value : `count ${value.count}`;
        return `${descriptor.name} ${JSON.stringify(attributes)} ${shown}`;
      }),
    )
    .filter((line) => !line.endsWith(' 0'))
    .sort();
}

export const stopSdk = () => sdk.shutdown();
