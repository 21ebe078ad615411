export { type Catalogue, catalogue } from './catalogue/catalogue.ts';
export type { NameKind } from './catalogue/labels.ts';
export type { MetricEntry } from './catalogue/metric.ts';
export { type ExpositionFormat, formatFor } from './exposition/exposition.ts';
export { type OpenTelemetry, type OpenTelemetryOptions, openTelemetry } from './open-telemetry.ts';
export { type PushOptions, pushSweeps } from './push/push-sweeps.ts';
export {
  type Exposition,
  type RetryThresholds,
  type Telemetry,
  type TelemetryOptions,
  telemetry,
} from './telemetry.ts';
