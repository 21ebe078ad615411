import type { ImportedMetrics } from './imported-metrics.ts';

/** The ways to break retry metrics down. */
export const METRIC_DIMENSIONS = [
  'category',
  'policy',
  'subsystem',
  'operation',
  'tenant',
] as const;

export type MetricDimension = (typeof METRIC_DIMENSIONS)[number];

/** A session that ended. The name in each dimension; `''`: it has none. */
export interface EndedSession extends Readonly<Record<MetricDimension, string>> {
  readonly success: boolean;
  readonly attempts: number;
  readonly durationMs: number;
  readonly atMs: number;
  readonly isImported?: boolean | undefined;
}

/** Sessions of one name of a dimension. */
export interface Share {
  sessions: number;
  successes: number;
  attempts: number;
}

/** Names of one dimension that are counted by themselves: an operation can have any name. */
const MAX_NAMES = 1_000;
/** Stands for the names beyond the limit. */
const OTHER = '_other';

/** Sums over sessions that ended, and the shares of each dimension. */
export class MetricTotals {
  readonly all: Share = newShare();
  readonly by: ReadonlyMap<MetricDimension, Map<string, Share>> = new Map(
    METRIC_DIMENSIONS.map((dimension) => [dimension, new Map()]),
  );
  maxAttempts = 0;
  durationMs = 0;
  /** Imported sessions. */
  imported = 0;
  /** Of the whole log. */
  readonly metrics: ImportedMetrics[] = [];
  /** By minute: the first and the last end of a session in it. */
  readonly #minutes = new Map<number, readonly [firstMs: number, lastMs: number]>();

  count(ended: EndedSession): void {
    const { atMs, success, attempts, durationMs, isImported = false } = ended;
    this.imported += Number(isImported);
    this.#note(atMs, atMs);
    const own = { sessions: 1, successes: Number(success), attempts };
    addTo(this.all, own);
    for (const [dimension, shares] of this.by) addAt(shares, ended[dimension], own);
    this.maxAttempts = Math.max(this.maxAttempts, attempts);
    this.durationMs += durationMs;
  }

  /** Adds imported metrics. They do not say the category, the operation and the tenant of their sessions. */
  addMetrics({ byPolicy, bySubsystem, maxAttempts, durationMs, ...all }: ImportedMetrics): void {
    addTo(this.all, all);
    const known = new Map([
      ['policy', byPolicy],
      ['subsystem', bySubsystem],
    ]);
    for (const [dimension, shares] of this.by) {
      for (const [name, share] of known.get(dimension) ?? [['', all]]) addAt(shares, name, share);
    }
    this.maxAttempts = Math.max(this.maxAttempts, maxAttempts);
    this.durationMs += durationMs;
  }

  /** Whether a session ended in a window, which is not shorter than a minute. */
  hasEndIn(fromMs: number, toMs: number): boolean {
    const isIn = ([firstMs, lastMs]: readonly [number, number]) =>
      firstMs <= toMs && lastMs >= fromMs;
    // A window may be longer than the log.
    if (minuteOf(toMs) - minuteOf(fromMs) > this.#minutes.size)
      return [...this.#minutes.values()].some(isIn);
    for (let at = minuteOf(fromMs); at <= minuteOf(toMs); at += 1) {
      const ends = this.#minutes.get(at);
      if (ends !== undefined && isIn(ends)) return true;
    }
    return false;
  }

  #note(firstMs: number, lastMs: number): void {
    const [first, last] = this.#minutes.get(minuteOf(lastMs)) ?? [firstMs, lastMs];
    this.#minutes.set(minuteOf(lastMs), [Math.min(first, firstMs), Math.max(last, lastMs)]);
  }

  add(part: MetricTotals): void {
    for (const [firstMs, lastMs] of part.#minutes.values()) this.#note(firstMs, lastMs);
    this.metrics.push(...part.metrics);
    this.imported += part.imported;
    addTo(this.all, part.all);
    for (const [dimension, shares] of this.by) {
      for (const [name, share] of part.by.get(dimension) ?? []) addAt(shares, name, share);
    }
    this.maxAttempts = Math.max(this.maxAttempts, part.maxAttempts);
    this.durationMs += part.durationMs;
  }
}

const MINUTE_MS = 60_000;

function minuteOf(atMs: number): number {
  return Math.floor(atMs / MINUTE_MS);
}

function newShare(): Share {
  return { sessions: 0, successes: 0, attempts: 0 };
}

function addTo(share: Share, { sessions, successes, attempts }: Readonly<Share>): void {
  share.sessions += sessions;
  share.successes += successes;
  share.attempts += attempts;
}

function addAt(shares: Map<string, Share>, name: string, own: Readonly<Share>): void {
  const key = shares.has(name) || shares.size < MAX_NAMES ? name : OTHER;
  const share = shares.get(key) ?? newShare();
  shares.set(key, share);
  addTo(share, own);
}
