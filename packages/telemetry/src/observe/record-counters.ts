import type { AttemptEnded, RetryRecord } from '@redrive/core';
import type { Rung, SessionFacts } from '@redrive/core/stored';
import { MAX_ATTEMPT, NO_CATEGORY, OTHER, REFUSALS, RUNGS } from '../catalogue/labels.ts';
import type { MetricName } from '../catalogue/metrics.ts';
import type { Registry } from '../registry/registry.ts';
import type { HistogramSeries } from '../registry/series.ts';
import type { Spans } from '../trace/spans.ts';
import { OperationSeries } from './operation-series.ts';
import { deadLetterLabel, type OperationResult, resultOf } from './result-of.ts';

type SessionEnded = Extract<RetryRecord, { readonly kind: 'session_ended' }>;

const CATEGORY = /^[A-Z][A-Z0-9_]{0,127}$/;

/** Counts the records of calls and jobs. */
export class RecordCounters {
  readonly #registry: Registry;
  readonly #operations = new Map<string, OperationSeries>();
  readonly #delays: Readonly<Record<Rung, HistogramSeries>>;
  readonly #durations: Readonly<Record<Rung, HistogramSeries>>;
  readonly #attempts: Readonly<Record<Rung, HistogramSeries>>;

  readonly #spans: Pick<Spans, 'traceIdOf'>;

  constructor(registry: Registry, spans: Pick<Spans, 'traceIdOf'>) {
    this.#registry = registry;
    this.#spans = spans;
    this.#delays = perRung(registry, 'redrive_retry_delay_seconds');
    this.#durations = perRung(registry, 'redrive_operation_duration_seconds');
    this.#attempts = perRung(registry, 'redrive_operation_attempts');
  }

  count(record: RetryRecord): void {
    switch (record.kind) {
      case 'attempt_ended':
        this.#attemptEnded(record);
        break;
      case 'attempt_blocked': {
        const { session, decision } = record;
        this.#operation(session.operation).attempts[decision.charge.entry].value += 1;
        this.#refused(session.operation, decision.reason);
        break;
      }
      case 'session_ended':
        this.#sessionEnded(record);
        break;
      case 'breaker_changed':
        this.#add('redrive_breaker_transitions_total', record.key, record.to);
        break;
      case 'idempotency':
        this.#add('redrive_idempotency_total', record.action);
        break;
    }
  }

  #attemptEnded({ session, decision, durationMs, input, atMs }: AttemptEnded): void {
    const series = this.#operation(session.operation);
    series.attempts[decision.charge.entry].value += 1;
    series.durations.observe(durationMs / 1_000, this.#traceId(session), atMs);
    const category = this.#category(session);
    this.#add('redrive_category_attempts_total', category);
    if (decision.action === 'succeed') return;
    if (decision.action === 'retry' || decision.action === 'hand-over') {
      series.retries.value += 1;
      this.#add('redrive_category_retries_total', category);
      this.#delays[input.rung].observe(decision.delayMs / 1_000);
    } else this.#refused(session.operation, decision.reason);
  }

  #refused(operation: string, cause: string): void {
    const known: readonly string[] = REFUSALS;
    if (known.includes(cause)) this.#add('redrive_refusals_total', operation, cause);
  }

  #sessionEnded(record: SessionEnded): void {
    const { session, success, reason, totalAttempts, startedAtMs, atMs } = record;
    const result = resultOf(success, reason, totalAttempts);
    const rung = rungOf(session);
    const durationSeconds = Math.max(0, atMs - startedAtMs) / 1_000;
    this.#operation(session.operation).results[result].value += 1;
    this.#durations[rung].observe(durationSeconds, this.#traceId(session), atMs);
    this.#attempts[rung].observe(totalAttempts);
    this.#countCategory(this.#category(session), result);
    const isGivenUp = !success && result !== 'cancelled' && result !== 'handed_over';
    if (isGivenUp && isStored(session)) this.#countDead(session, deadLetterLabel(reason));
    if (rung === 'event') this.#countEvent(record, durationSeconds, isGivenUp);
  }

  /**
   * Categories come from code. One that looks like a code is known from its first record on, so that categories of
   * `RetryManager` need no list; any other text, and every new one beyond the limit, is `_other`.
   */
  #category({ category = NO_CATEGORY }: SessionFacts): string {
    const isNew = this.#registry.known.exposed('category', category) === OTHER;
    if (isNew && CATEGORY.test(category)) this.#registry.learn('categories', [category]);
    return this.#known('category', category);
  }

  #countCategory(category: string, result: OperationResult): void {
    this.#add('redrive_category_operations_total', category, result);
    if (result === 'exhausted') this.#add('redrive_category_exhausted_total', category);
  }

  #countDead({ operation, context }: SessionFacts, reason: string): void {
    this.#add('redrive_dead_letters_added_total', operation, reason);
    if (Number(context?.generation) > 1) {
      this.#add('redrive_dead_letters_returned_total', operation);
    }
  }

  #countEvent(record: SessionEnded, durationSeconds: number, isGivenUp: boolean): void {
    const { session, success, totalAttempts, reason, atMs } = record;
    const service = this.#known('service', String(session.context?.source ?? ''));
    if (success && totalAttempts > 1) {
      const attempt = String(Math.min(totalAttempts, MAX_ATTEMPT));
      this.#add('event_retry_success_total', service, attempt);
      const latencies = this.#registry.family('event_retry_latency_seconds').histogram(service);
      latencies.observe(durationSeconds, this.#traceId(session), atMs);
    }
    if (isGivenUp) this.#add('event_retry_dlq_total', service, deadLetterLabel(reason));
    if (!success && !isGivenUp) return;
    this.#registry.family('event_retry_attempt_count').histogram(service).observe(totalAttempts);
  }

  #operation(name: string): OperationSeries {
    const found = this.#operations.get(name);
    if (found !== undefined) return found;
    const key = this.#known('operation', name);
    if (key === OTHER) {
      const other = this.#operations.get(OTHER) ?? new OperationSeries(this.#registry, OTHER);
      this.#operations.set(OTHER, other);
      return other;
    }
    const series = new OperationSeries(this.#registry, name);
    this.#operations.set(name, series);
    return series;
  }

  #traceId(session: SessionFacts): string | undefined {
    return this.#spans.traceIdOf(session) ?? session.traceId;
  }

  /** Counts values that are exposed as `_other`. */
  #known(label: 'operation' | 'service' | 'category', value: string): string {
    if (this.#registry.known.exposed(label, value) !== OTHER) return value;
    this.#add('redrive_label_overflow_total', label);
    return OTHER;
  }

  #add(metric: MetricName, ...labels: readonly string[]): void {
    this.#registry.family(metric).number(...labels).value += 1;
  }
}

function perRung(registry: Registry, metric: MetricName): Record<Rung, HistogramSeries> {
  const entries = RUNGS.map((rung) => [rung, registry.family(metric).histogram(rung)]);
  // The label has the four rungs.
  return Object.fromEntries(entries) as Record<Rung, HistogramSeries>;
}

/** Sessions of jobs have their generation in their context, and those of events their rung. */
function rungOf({ context }: SessionFacts): Rung {
  const rung = context?.rung;
  if (rung === 'event' || rung === 'document') return rung;
  return context?.generation === undefined ? 'call' : 'job';
}

/** Its give-up is a dead letter: that of a job, or of an event that a consumer of the application handled. */
function isStored(session: SessionFacts): boolean {
  return rungOf(session) !== 'call';
}
