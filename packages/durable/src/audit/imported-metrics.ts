import { maskSecrets } from '@redrive/core/stored';
import type { AuditRecord } from './audit-block.ts';
import { isObject, numberOf, textOf } from './record-detail.ts';

/** Retry metrics of a time window, as another program computed them. */
export interface ImportedMetrics {
  readonly fromMs: number;
  readonly toMs: number;
  readonly sessions: number;
  readonly successes: number;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly durationMs: number;
  readonly byPolicy: ReadonlyMap<string, ImportedShare>;
  readonly bySubsystem: ReadonlyMap<string, ImportedShare>;
}

/** Whole numbers again: the shape has rates and averages. */
export interface ImportedShare {
  readonly sessions: number;
  readonly successes: number;
  readonly attempts: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** Policies or subsystems of one window. */
const MAX_SHARES = 1_000;
const MAX_NAME = 500;
/** `retryMetrics` knows by the minute where records are. */
const MIN_WINDOW_MS = 60_000;

/** Problems beyond the rules of the shape. */
export function metricsProblems(given: Fields): string[] {
  const [fromMs, toMs] = windowOf(given);
  const many = (['by_policy', 'by_subsystem'] as const).filter(
    (field) => Object.keys(Object(given[field])).length > MAX_SHARES,
  );
  return [
    ...(toMs - fromMs < MIN_WINDOW_MS ? ['its time window is shorter than a minute'] : []),
    ...many.map((field) => `${field} has more than ${MAX_SHARES.toLocaleString('en')} entries`),
  ];
}

/** The fields of the shape, as the audit log keeps them. They were checked. */
export function keptMetrics(given: Fields): Fields {
  return {
    time_window_start: given.time_window_start,
    time_window_end: given.time_window_end,
    total_sessions: given.total_sessions,
    successful_sessions: given.successful_sessions,
    failed_sessions: given.failed_sessions,
    total_attempts: given.total_attempts,
    average_attempts_per_session: given.average_attempts_per_session,
    max_attempts_in_session: given.max_attempts_in_session,
    total_duration: given.total_duration,
    average_duration_per_session: given.average_duration_per_session,
    by_policy: keptShares(given.by_policy),
    by_subsystem: keptShares(given.by_subsystem),
  };
}

function keptShares(given: unknown): Fields {
  return Object.fromEntries(
    Object.entries(Object(given) as Readonly<Record<string, Fields>>).map(([name, share]) => {
      const { sessions, success_rate, average_attempts } = share;
      return [maskSecrets(name, MAX_NAME), { sessions, success_rate, average_attempts }];
    }),
  );
}

/** Start and end of the window, in milliseconds. `NaN`: it has none. */
export function windowOf(given: Fields): readonly [fromMs: number, toMs: number] {
  const { time_window_start: start, time_window_end: end } = given;
  return [Date.parse(textOf(start) ?? ''), Date.parse(textOf(end) ?? '')];
}

/** The metrics of an imported record. `undefined`: the record is another one. */
export function metricsIn({ event, detail }: AuditRecord): ImportedMetrics | undefined {
  if (event !== 'session' || detail.kind !== 'imported_metrics' || !isObject(detail.record))
    return undefined;
  const { record } = detail;
  const [fromMs, toMs] = windowOf(record);
  return {
    fromMs,
    toMs,
    sessions: numberOf(record.total_sessions) ?? 0,
    successes: numberOf(record.successful_sessions) ?? 0,
    attempts: numberOf(record.total_attempts) ?? 0,
    maxAttempts: numberOf(record.max_attempts_in_session) ?? 0,
    durationMs: (numberOf(record.total_duration) ?? 0) * 1_000,
    byPolicy: sharesIn(record.by_policy),
    bySubsystem: sharesIn(record.by_subsystem),
  };
}

function sharesIn(shares: unknown): ReadonlyMap<string, ImportedShare> {
  return new Map(
    Object.entries(isObject(shares) ? shares : {}).map(([name, share]) => {
      const { sessions = 0, success_rate: rate = 0, average_attempts: average = 0 } = Object(share);
      return [
        name,
        {
          sessions: Number(sessions),
          successes: Math.round(Number(sessions) * Number(rate)),
          attempts: Math.round(Number(sessions) * Number(average)),
        },
      ];
    }),
  );
}

/** Time windows that do not overlap: sessions would be counted twice. */
export class MetricsWindows {
  /** In the order of their starts, which is that of their ends. */
  readonly #windows: (readonly [fromMs: number, toMs: number])[] = [];

  /** Adds a window. @returns the window that it overlaps, if it was not added. */
  add(window: readonly [fromMs: number, toMs: number]): readonly [number, number] | undefined {
    const [fromMs, toMs] = window;
    let low = 0;
    let high = this.#windows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#windows[middle]?.[1] ?? 0) <= fromMs) low = middle + 1;
      else high = middle;
    }
    const next = this.#windows[low];
    if (next !== undefined && next[0] < toMs) return next;
    this.#windows.splice(low, 0, window);
    return undefined;
  }
}
