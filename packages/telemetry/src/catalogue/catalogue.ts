import { AUDIT_EVENTS } from './audit-events.ts';
import { LABELS, type LabelEntry } from './labels.ts';
import type { LogEventEntry, MetricEntry } from './metric.ts';
import { METRICS } from './metrics.ts';
import { LOG_EVENTS, REASON_CODES } from './pages.ts';

/** Everything that Redrive reports. The metrics page and the alert rules are made from it. */
export interface Catalogue {
  readonly metrics: readonly MetricEntry[];
  /** By the key that metrics name them with; exposed is the part before a colon. Meanings by name in the last two. */
  readonly labels: Readonly<Record<string, LabelEntry>>;
  readonly logEvents: readonly LogEventEntry[];
  readonly auditEvents: Readonly<Record<string, string>>;
  readonly reasonCodes: Readonly<Record<string, string>>;
}

/** The one catalogue of metrics, their labels, log events, audit events and reason codes. */
export const catalogue: Catalogue = {
  metrics: METRICS,
  labels: LABELS,
  logEvents: LOG_EVENTS,
  auditEvents: AUDIT_EVENTS,
  reasonCodes: REASON_CODES,
};
